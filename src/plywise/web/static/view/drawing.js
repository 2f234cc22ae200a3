// Draws a scene as SVG in a viewport that pans and zooms.  Only the visible part is drawn; zoomed far out, without texts.

import { miniature } from "./miniature.js";
import { labelsOf } from "./story.js";

const NS = "http://www.w3.org/2000/svg";
const FAR = 0.3;  // below this scale texts are unreadable
const NEAREST = 3;
const NATURAL = 1.25;  // the largest scale that `fit` chooses on a page
const LARGEST = 2.5;  // and in a lecture
const ENOUGH = 1.4;  // the scale up to which a lecture has shorter edges for the sake of larger type
const NARROW = 10;  // the margin in a lecture
const REASON_LINE = 14;  // the height of a line in the reason for a cut
const REASON_LETTER = 6.7;  // about the width of its letters
const LABEL_HEIGHT = 10;  // of the letters above and below nodes
const SHORT = 3;  // the letters of a value that can be larger than others
const LEAST = 0.0005;
const MARGIN = 24;
const LABELS = 150;  // how far labels extend beyond their nodes
const KINDS = [  // in drawing order
  ...["pw-ahead", "pw-ghostly", "", "pw-test", "pw-again", "pw-probe", "pw-cut", "pw-line"].map((kind) => `pw-edge ${kind}`),
  ...["pw-ahead", "", "pw-current"].map((kind) => `pw-shape ${kind}`),
];

export class Drawing {
  /**
   * `pick(visit)` is called on a click, `toggle(visit)` on a double click, `deepen(level)` on a click on the mark of a skipped
   * node at that level, `refit()` when the room in a lecture changes.
   */
  constructor(box, { pick, toggle, deepen, refit }) {
    this.box = box;
    this.svg = box.appendChild(make("svg", { class: "pw-svg", "aria-hidden": "true" }));
    this.layer = this.svg.appendChild(make("g"));
    this.camera = { x: 0, y: 0, scale: 1 };  // where the scene's corner is in the viewport
    this.pick = pick;
    this.toggle = toggle;
    this.deepen = deepen;
    this.refit = refit;
    this.lecturing = false;  // whether the whole scene is shown at all times, as large as it can be
    this.listen();
  }

  /**
   * Draw a scene at the replay's current step, in a notation, with or without boards, reasons and leaf values in advance;
   * `skipped` is a place that the search has passed without a visit.
   */
  show(scene, replay, selected, { notation, boards, reasons, leaves, skipped }) {
    Object.assign(this, { scene, replay, selected, notation, boards, reasons, leaves, skipped, measures: replay.story.measures });
    this.line = new Set(replay.line);
    this.redraw();
  }

  // The viewport -----------------------------------------------------------------------------------------------------

  get size() {
    return { width: this.box.clientWidth || 600, height: this.box.clientHeight || 400 };
  }

  get margin() {
    return this.lecturing ? NARROW : MARGIN;
  }

  /** The height of the buttons at the bottom; in a narrow viewport they take several rows. */
  get covered() {
    return this.lecturing ? NARROW : 20 + (this.box.querySelector(".pw-zoom")?.offsetHeight ?? 0);
  }

  /** The room for a scene; above the scale `enough`, it need not be used up. */
  get room() {
    const { width, height } = this.size;
    return { width: width - 2 * this.margin, height: height - this.margin - this.covered, enough: ENOUGH };
  }

  /** The scale at which a whole scene is shown. */
  scaleFor(scene) {
    const { width, height } = this.room;
    return Math.min(this.lecturing ? LARGEST : NATURAL, width / scene.width, height / scene.height);
  }

  /**
   * The transformation from the scene to the viewport.  A tree much wider than high is stretched vertically when zoomed far
   * out: all its levels stay visible, and only its width is zoomed.
   */
  get frame() {
    const { x, y, scale } = this.camera;
    const whole = Math.min(FAR, (this.size.height - 2 * MARGIN) / this.scene.height);
    return scale < whole ? { x, y: MARGIN, scale, tall: whole } : { x, y, scale, tall: scale };
  }

  /** Show the whole scene; in a lecture in the middle of the viewport. */
  fit() {
    const { width, height } = this.size, world = this.scene, scale = this.scaleFor(world);
    const y = this.lecturing ? (height - world.height * scale) / 2 : MARGIN;
    this.camera = { scale, x: (width - world.width * scale) / 2, y };
    this.place();
  }

  /** Zoom by a factor around a point of the viewport (default: its centre). */
  zoom(factor, at = { x: this.size.width / 2, y: this.size.height / 2 }) {
    const { x, y, scale, tall } = this.frame;
    const next = Math.min(NEAREST, Math.max(LEAST, scale * factor));
    this.camera = { scale: next, x: at.x - ((at.x - x) / scale) * next, y: at.y - ((at.y - y) / tall) * next };
    this.place();
  }

  pan(dx, dy) {
    this.camera = { ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy };
    this.place();
  }

  /** Pan as little as needed to show a visit and the moves cut off there. */
  reveal(visit) {
    const item = this.scene.items.find((each) => each.visit === visit);
    if (!item) return;
    const { width, height } = this.size, { x, y, scale, tall } = this.frame;
    const cut = this.replay.looks.get(visit)?.cut ? this.scene.items.filter((each) => each.cutAt === visit && each.isCutOff) : [];
    const region = [item, ...cut].reduce((all, { x: at, y: middle, form }) => ({
      left: Math.min(all.left, at - form.width / 2), right: Math.max(all.right, at + form.width / 2),
      top: Math.min(all.top, middle - form.up), bottom: Math.max(all.bottom, middle + form.down),
    }), { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity });
    const dx = shift(region.left * scale + x - this.margin, region.right * scale + x + this.margin, 0, width);
    const dy = shift(region.top * tall + y - this.margin, region.bottom * tall + y, 0, height - this.covered);
    if (dx || dy) this.pan(dx, dy);
  }

  /** Change the scene, but keep a visit at its place in the viewport, unless the whole scene is shown. */
  anchored(visit, change) {
    const place = () => this.scene?.items.find((each) => each.visit === visit);
    const before = place();
    change();
    const after = place();
    const { scale, tall } = this.frame;
    if (before && after && !this.lecturing) this.pan((before.x - after.x) * scale, (before.y - after.y) * tall);
  }

  listen() {
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { left, top } = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * 0.0015), { x: event.clientX - left, y: event.clientY - top });
    }, { passive: false });
    const fingers = new Map();
    let moved = 0;
    this.svg.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      moved = 0;
    });
    this.svg.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      moved += Math.hypot(now.x - before.x, now.y - before.y);
      if (moved > 4) this.svg.setPointerCapture(event.pointerId);
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      fingers.set(event.pointerId, now);
      if (!other) {
        this.pan(now.x - before.x, now.y - before.y);
        return;
      }
      const { left, top } = this.svg.getBoundingClientRect();
      const distance = (point) => Math.hypot(point.x - other.x, point.y - other.y);
      const middle = { x: (now.x + other.x) / 2 - left, y: (now.y + other.y) / 2 - top };
      this.zoom(distance(now) / Math.max(1, distance(before)), middle);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      this.svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
    }
    const visitOf = (event) => {
      const visit = event.target.closest("[data-visit]")?.dataset.visit;
      return visit === undefined || moved > 4 ? null : Number(visit);
    };
    this.svg.addEventListener("click", (event) => {
      const visit = visitOf(event);
      if (visit === null) return;
      // The first click redraws and replaces the clicked element, so no dblclick event arrives here.
      const mark = event.target.closest(".pw-hidden");
      if (mark?.dataset.level) this.deepen(Number(mark.dataset.level));
      else if (event.detail === 2 || mark) this.toggle(visit);
      else this.pick(visit);
    });
    this.observer = new ResizeObserver(() => {
      if (this.scene && this.lecturing) this.refit();
      else if (this.scene) this.redraw();
    });
    this.observer.observe(this.box);
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  redraw() {
    this.drawn = null;
    this.place();
  }

  /** Apply the camera, and draw what has come into view. */
  place() {
    if (!this.scene) return;
    const { x, y, scale, tall } = this.frame, { width, height } = this.size;
    this.layer.setAttribute("transform", `translate(${x} ${y}) scale(${scale} ${tall})`);
    const far = scale < FAR;
    const view = (reach) => ({
      left: -x / scale - reach, right: (width - x) / scale + reach,
      top: -y / scale - reach, bottom: (height - y) / scale + reach,
    });
    const needed = view(LABELS), drawn = this.drawn;
    if (drawn && drawn.far === far && (far || holds(drawn.view, needed))) return;
    this.drawn = { far, view: view(LABELS + 400) };
    this.layer.replaceChildren(...(far ? this.fromAfar() : this.fromNear(this.drawn.view)));
  }

  /** The SVG elements for a region, or for everything. */
  fromNear(view = null) {
    const seen = ({ x, y, form }) => !view || (
      x + form.width / 2 > view.left && x - form.width / 2 < view.right && y > view.top && y < view.bottom);
    const touches = ({ above, x, y }) => above && (!view || (
      Math.max(above.x, x) > view.left && Math.min(above.x, x) < view.right && y > view.top && above.y < view.bottom));
    const shown = this.scene.items.filter((item) => this.isShown(item)), led = shown.filter(touches);
    const cut = led.filter((item) => item.isCutOff && this.isLeftOut(item));
    return [
      ...led.map((item) => make("path", { class: `pw-edge ${this.edgeKind(item)}`, d: path(touching(item)) })),
      ...cut.map((item) => this.strokes(item)),
      ...shown.filter(seen).map((item) => this.node(item)),
      ...led.flatMap((item) => this.edgeTexts(item)),
      ...(this.reasons ? this.why(cut.filter(({ isFirst }) => isFirst)) : []),
    ];
  }

  /** Everything in a few paths; details would be unreadable. */
  fromAfar() {
    const paths = new Map(KINDS.map((kind) => [kind, []]));
    for (const item of this.scene.items.filter((each) => this.isShown(each))) {
      if (item.above) paths.get(`pw-edge ${this.edgeKind(item)}`).push(path(item.points));
      const kind = item.visit === this.replay.current ? "pw-current" : this.isThere(item) ? "" : "pw-ahead";
      paths.get(`pw-shape ${kind}`).push(outline(item));
    }
    return [...paths].map(([kind, parts]) => make("path", { class: `${kind} pw-far`, d: parts.join("") }));
  }

  /** Whether the search has visited a node. */
  isThere(item) {
    return item.visit !== undefined && this.replay.looks.has(item.visit);
  }

  /** Whether a cut has skipped a node so far. */
  isLeftOut(item) {
    return item.visit === undefined && this.replay.looks.get(item.cutAt)?.cut !== undefined;
  }

  /** Whether a node is drawn.  What comes next is drawn only in a tree that is there as a whole: else one would see the cuts coming. */
  isShown(item) {
    return this.replay.story.whole || !item.above || this.isThere(item) || this.isLeftOut(item);
  }

  /** The labels of a node now. */
  labelsAt(item) {
    return this.isThere(item) ? labelsOf(item.facts, this.replay.looks.get(item.visit), this.notation) : {};
  }

  /** The kind of the edge to an item. */
  edgeKind(item) {
    if (this.isLeftOut(item)) return item.isCutOff ? "pw-cut" : "pw-ghostly";
    if (!this.isThere(item)) return "pw-ahead";
    if (this.line.has(item.above.visit) && this.line.has(item.visit)) return "pw-line";
    return item.facts.way ? `pw-${item.facts.way}` : "";
  }

  /** The double stroke across a cut edge. */
  strokes(item) {
    const { x, y, angle } = along(item, this.measures.stroke_at);
    return make("path", {
      class: "pw-strokes", d: "M-2.5 -7V7M2.5 -7V7", transform: `translate(${round(x)} ${round(y)}) rotate(${round(angle)})`,
    });
  }

  edgeTexts(item) {
    const { visit, facts } = item;
    const gone = this.isLeftOut(item), kind = gone ? " pw-gone" : this.isThere(item) ? "" : " pw-ahead";
    const { bound } = labelsOf(facts, {}, this.notation), { label_at: at, lines: heights } = this.measures;
    const lines = [
      [facts.move && (gone || this.replay.isAsked(visit)) ? [facts.move, facts.way].filter(Boolean).join(" ") : facts.move, "move"],
      [bound, "bound"],
    ].filter(([text]) => text);
    const { x, y } = along(item, at);
    let baseline = y - lines.reduce((sum, [, style]) => sum + heights[style], 0) / 2;
    return lines.flatMap(([text, style]) => {
      baseline += heights[style];
      if (style === "bound" && !this.isThere(item)) return [];
      return [write(text, x, baseline - 3, `pw-${style}${kind}`, style === "move" ? facts.full : undefined)];
    });
  }

  /** The reasons for cuts: in full where the selected one has room, the others in brief. */
  why(cut) {
    const full = cut.filter(({ cutAt }) => cutAt === this.selected).flatMap((item) => this.reason(item) ?? []);
    return [...cut.filter(({ cutAt }) => !full.length || cutAt !== this.selected).map((item) => this.brief(item)), ...full];
  }

  /** What was compared at a cut, beside the double stroke. */
  brief(item) {
    const text = item.above.facts.brief.replace("alpha", "α").replace("beta", "β");
    return write(text, Math.max(...this.strokesAt(item.cutAt)) + 12, along(item, this.measures.stroke_at).y + 4, "pw-brief");
  }

  /** Where the double strokes of a cut are, from left to right. */
  strokesAt(visit) {
    return this.scene.items.filter(({ isCutOff, cutAt }) => isCutOff && cutAt === visit)
      .map((item) => along(item, this.measures.stroke_at).x);
  }

  /** The reason for a cut, in a box between two rows, beside the double strokes; null if there is no room. */
  reason(item) {
    const lines = item.above.facts.reason, { frame, size } = this;
    const width = Math.max(...lines.map(({ length }) => length)) * REASON_LETTER + 16, height = lines.length * REASON_LINE + 8;
    const strokes = this.strokesAt(item.cutAt), y = item.above.y + item.above.form.down + 2;
    const left = 4 - frame.x / frame.scale, right = (size.width - frame.x) / frame.scale - 4 - width;
    const places = [Math.max(...strokes) + 16, Math.min(...strokes) - 16 - width];
    const x = places.find((each) => each >= left && each <= right && this.isFree(each, y, width, height));
    if (x === undefined) return null;
    const group = make("g", { class: "pw-why" });
    group.append(make("rect", { x: round(x), y: round(y), width: round(width), height, rx: 5 }));
    lines.forEach((line, i) => group.append(write(line, x + 8, y + 14 + i * REASON_LINE, "pw-reason")));
    return group;
  }

  /** Whether no node and no label of a node is within a rectangle. */
  isFree(left, top, width, height) {
    const meets = (x, wide, upper, lower) => Math.abs(x - left - width / 2) < (width + wide) / 2 && lower > top && upper < top + height;
    return this.scene.items.every((item) => {
      const { x, y, form } = item, { above, below } = this.labelsAt(item);
      const meetsText = (text, line) => text && meets(x, text.length * REASON_LETTER, y + line - LABEL_HEIGHT, y + line);
      return !(this.isShown(item) && meets(x, form.least, y - form.half, y + form.half)) && !meetsText(above, form.above) && !meetsText(below, form.below);
    });
  }

  node(item) {
    const { visit, facts, form } = item, { replay } = this;
    const look = visit === undefined ? undefined : replay.looks.get(visit), gone = this.isLeftOut(item);
    const states = [
      `pw-${facts.shape}`, gone ? "pw-gone" : !look && "pw-ahead", visit !== undefined && this.line.has(visit) && "pw-line",
      visit !== undefined && visit === replay.current && "pw-current",
    ].filter(Boolean).join(" ");
    const group = make("g", { class: `pw-node ${states}`, "data-visit": visit ?? item.cutAt, "data-place": item.place });
    if (visit !== undefined && visit === this.selected && visit !== replay.current) {
      group.append(make("path", { class: "pw-ring", d: outline(item) }));
    }
    if (visit !== undefined && visit === replay.current) group.append(make("path", { class: "pw-halo", d: outline(item) }));
    group.append(make("path", { class: "pw-shape", d: outline(item) }));
    if (this.boards && (facts.cells ?? facts.board)) group.append(...this.board(item));
    const labels = this.labelsAt(item), isLeaf = facts.shape === "box" || facts.shape === "estimate";
    const known = this.leaves && isLeaf ? item.value ?? "" : "", open = isLeaf ? known : "value" in labels ? "…" : "";
    const value = look ? labels.value ?? open : gone ? item.value : known;
    if (value) group.append(write(value, item.x, item.y + form.value, value.length > SHORT ? "pw-value pw-long" : "pw-value"));
    if (labels.above) group.append(write(labels.above, item.x, item.y + form.above, `pw-${labels.style ?? "entry"}`));
    if (labels.below) group.append(write(labels.below, item.x, item.y + form.below, "pw-now"));
    if (item.hidden) group.append(this.hidden(item));
    if (!look && item.place === this.skipped) {
      group.classList.add("pw-skipped");
      group.append(write("skipped", item.x, item.y + form.half + 13, "pw-skip"));
    }
    return group;
  }

  board({ facts, form, x, y }) {
    const left = x + form.board[0], upper = y + form.board[1];
    if (facts.cells) return [miniature(this.replay.story.board, facts.cells, left, upper, facts.last)];
    return facts.board.map((row, i) => write(row, left, upper + i * this.measures.lines.board, "pw-board"));
  }

  /** A mark like a button for collapsed visits. */
  hidden(item) {
    const y = item.y + item.form.down;
    const skipped = item.visit === undefined ? { "data-level": item.level } : {};
    const group = make("g", { class: "pw-hidden", "data-visit": item.visit ?? item.cutAt, ...skipped });
    const text = `+ ${item.hidden.toLocaleString("en")}`;
    const width = text.length * 7 + 12;
    group.append(
      make("rect", { x: round(item.x - width / 2), y: round(y + 4), width, height: 19, rx: 9.5 }),
      write(text, item.x, y + 18, "pw-count"),
    );
    return group;
  }

  /** The whole scene as the text of an SVG file, in the colours of the page. */
  export() {
    const before = [...this.layer.childNodes], transform = this.layer.getAttribute("transform");
    const { width, height } = this.scene;
    this.layer.replaceChildren(...this.fromNear());
    this.layer.setAttribute("transform", `translate(${MARGIN} ${MARGIN})`);
    const copy = this.svg.cloneNode(true);
    const theirs = copy.querySelectorAll("*");
    this.svg.querySelectorAll("*").forEach((element, i) => {
      const style = getComputedStyle(element);
      for (const name of STYLES) theirs[i].setAttribute(name, style.getPropertyValue(name));
      for (const name of ["class", "data-visit", "data-place", "data-level"]) theirs[i].removeAttribute(name);
    });
    this.layer.replaceChildren(...before);
    this.layer.setAttribute("transform", transform);
    for (const name of ["class", "aria-hidden"]) copy.removeAttribute(name);
    copy.setAttribute("xmlns", NS);
    copy.setAttribute("viewBox", `0 0 ${Math.ceil(width + 2 * MARGIN)} ${Math.ceil(height + 2 * MARGIN)}`);
    const ground = make("rect", { width: "100%", height: "100%", fill: getComputedStyle(this.box).backgroundColor });
    copy.prepend(ground);
    return new XMLSerializer().serializeToString(copy);
  }

  destroy() {
    this.observer.disconnect();
    this.svg.remove();
  }
}

const STYLES = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "paint-order", "font-family", "font-size", "font-style",
  "font-weight", "text-anchor", "white-space", "opacity",
];

/** A point on the sloped part of the edge to an item, a share of the way down, and the angle of that part in degrees. */
function along({ above, points }, share) {
  const [[x, y], [toX, toY]] = points.slice(above.hasStem);
  return { x: x + share * (toX - x), y: y + share * (toY - y), angle: Math.atan2(toY - y, toX - x) * 180 / Math.PI };
}

/** The edge to an item, from shape to shape; labels lie over it. */
function touching({ above, x, y, form, points }) {
  return [[above.x, above.y + above.form.half], ...points.slice(1, -1), [x, y - form.half]];
}

/** The shape of an item as a path. */
function outline({ form, x, y }) {
  return `M${round(x)} ${round(y)}${form.outline}`;
}

function path(points) {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;
}

/** A text; `full` is the tooltip of a shortened text. */
function write(text, x, y, kind, full) {
  const element = make("text", { class: kind, x: round(x), y: round(y) });
  element.textContent = text;
  if (full) element.append(make("title")), element.lastChild.textContent = full;
  return element;
}

function make(name, attributes = {}) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** How far to move an interval so that it lies between two limits; if it is too long, its start counts. */
function shift(from, to, low, high) {
  if (from < low || to - from > high - low) return low - from;
  return to > high ? high - to : 0;
}

function holds(outer, inner) {
  return outer.left <= inner.left && outer.right >= inner.right && outer.top <= inner.top && outer.bottom >= inner.bottom;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
