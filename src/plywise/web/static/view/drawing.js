// A scene as SVG in a window that pans and zooms.  Only what the window shows is drawn; from afar, without texts.

import { cornersOf, isLeaf, LABEL_AT, lineHeight, ROOF, SIZES, slopeOf, TEXT_GAP, textWidth, TRIANGLE_HEIGHT } from "./scene.js";
import { miniature, miniatureSize } from "./miniature.js";
import { labelsOf } from "./story.js";

const NS = "http://www.w3.org/2000/svg";
const FAR = 0.3;  // a scale at which texts cannot be read
const NEAREST = 3;
const NATURAL = 1.25;  // as large as a small tree becomes by itself
const LEAST = 0.0005;
const MARGIN = 24;
const TOOLS = 52;  // the height of what covers the lower edge of the window
const STROKE_AT = 0.22;  // where on an edge the double stroke is that marks a cut
const LABELS = 150;  // how far labels reach out of their nodes
const LOWER = { up: 0.31, down: -0.05 };  // how far below the middle of a shape its value stands, in heights
const KINDS = [  // in the order of drawing
  ...["pw-ahead", "pw-ghostly", "", "pw-way", "pw-cut", "pw-line"].map((kind) => `pw-edge ${kind}`),
  ...["pw-ahead", "", "pw-current"].map((kind) => `pw-shape ${kind}`),
];

export class Drawing {
  /** `pick(visit)` and `toggle(visit)` are called when a visit is clicked, and clicked twice. */
  constructor(box, { pick, toggle }) {
    this.box = box;
    this.svg = box.appendChild(make("svg", { class: "pw-svg", "aria-hidden": "true" }));
    this.layer = this.svg.appendChild(make("g"));
    this.camera = { x: 0, y: 0, scale: 1 };  // of the world's corner in the window
    this.pick = pick;
    this.toggle = toggle;
    this.listen();
  }

  /** Draw a scene as a replay has it now, in a notation. */
  show(scene, replay, selected, notation) {
    Object.assign(this, { scene, replay, selected, notation });
    this.line = new Set(replay.line);
    this.redraw();
  }

  // The window -------------------------------------------------------------------------------------------------------

  get size() {
    return { width: this.box.clientWidth || 600, height: this.box.clientHeight || 400 };
  }

  /**
   * From the world to the window.  A tree that is far wider than high is stretched upwards when it is seen from afar:
   * then all of its levels are in the window, and only its width is zoomed.
   */
  get frame() {
    const { x, y, scale } = this.camera;
    const whole = Math.min(FAR, (this.size.height - 2 * MARGIN) / this.scene.height);
    return scale < whole ? { x, y: MARGIN, scale, tall: whole } : { x, y, scale, tall: scale };
  }

  /** Show all of the scene, or, if that would be smaller than `least`, its top. */
  fit(least = 0) {
    const { width, height } = this.size, world = this.scene;
    const wide = (width - 2 * MARGIN) / world.width, high = (height - MARGIN - TOOLS) / world.height;
    const scale = Math.max(Math.min(NATURAL, wide, high), least);
    const spare = width - world.width * scale;
    this.camera = { scale, x: spare > 0 ? spare / 2 : width / 2 - world.items[0].x * scale, y: MARGIN };
    this.place();
  }

  /** Zoom by a factor, keeping a point of the window (default: its middle) where it is. */
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

  /** Move the window, as little as needed, so that a visit is well inside, and what was cut off there, too. */
  reveal(visit) {
    const item = this.scene.items.find((each) => each.visit === visit);
    if (!item) return;
    const { width, height } = this.size, { x, y, scale, tall } = this.frame;
    const cut = this.replay.looks.get(visit)?.cut ? this.scene.items.filter((each) => each.cutAt === visit && each.isCutOff) : [];
    const region = [item, ...cut].reduce((all, { x: at, y: middle, form }) => ({
      left: Math.min(all.left, at - form.room / 2), right: Math.max(all.right, at + form.room / 2),
      top: Math.min(all.top, middle - form.height / 2 - form.above), bottom: Math.max(all.bottom, middle + form.height / 2 + form.below),
    }), { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity });
    const dx = shift(region.left * scale + x - MARGIN, region.right * scale + x + MARGIN, 0, width);
    const dy = shift(region.top * tall + y - MARGIN, region.bottom * tall + y, 0, height - TOOLS);
    if (dx || dy) this.pan(dx, dy);
  }

  /** Keep a visit where it is in the window when the scene changes. */
  anchored(visit, change) {
    const place = () => this.scene?.items.find((each) => each.visit === visit);
    const before = place();
    change();
    const after = place();
    const { scale, tall } = this.frame;
    if (before && after) this.pan((before.x - after.x) * scale, (before.y - after.y) * tall);
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
      if (event.target.closest(".pw-hidden")) this.toggle(visit);
      else this.pick(visit);
    });
    this.svg.addEventListener("dblclick", (event) => {
      const visit = visitOf(event);
      if (visit !== null) this.toggle(visit);
    });
    this.observer = new ResizeObserver(() => this.scene && this.redraw());
    this.observer.observe(this.box);
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  redraw() {
    this.drawn = null;
    this.place();
  }

  /** Put the window where the camera is, and draw what was out of sight before. */
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
      x + form.room / 2 > view.left && x - form.room / 2 < view.right && y > view.top && y < view.bottom);
    const touches = ({ from, to }) => !view || (
      Math.max(from.x, to.x) > view.left && Math.min(from.x, to.x) < view.right && to.y > view.top && from.y < view.bottom);
    const edges = this.scene.edges.filter(touches);
    return [
      ...edges.map((edge) => make("path", { class: `pw-edge ${this.edgeKind(edge)}`, d: path(this.pointsOf(edge)) })),
      ...edges.flatMap((edge) => this.strokes(edge)),
      ...this.scene.items.filter(seen).map((item) => this.node(item)),
      ...edges.flatMap((edge) => this.edgeTexts(edge)),
    ];
  }

  /** Everything in a few paths: nobody could read more. */
  fromAfar() {
    const paths = new Map(KINDS.map((kind) => [kind, []]));
    for (const edge of this.scene.edges) paths.get(`pw-edge ${this.edgeKind(edge)}`).push(path(edge.points));
    for (const item of this.scene.items) {
      const kind = item.visit === this.replay.current ? "pw-current" : this.isThere(item) ? "" : "pw-ahead";
      paths.get(`pw-shape ${kind}`).push(`${path(cornersOf(item))}Z`);
    }
    return [...paths].map(([kind, parts]) => make("path", { class: `${kind} pw-far`, d: parts.join("") }));
  }

  /** Whether the search has been at a node. */
  isThere(item) {
    return item.visit !== undefined && this.replay.looks.has(item.visit);
  }

  /** Whether a node has been left out, so far. */
  isLeftOut(item) {
    return item.visit === undefined && this.replay.looks.get(item.cutAt)?.cut !== undefined;
  }

  /** What is written at a node now. */
  labelsAt(item) {
    return this.isThere(item) ? labelsOf(item.facts, this.replay.looks.get(item.visit), this.notation) : {};
  }

  edgeKind({ from, to }) {
    if (this.isLeftOut(to)) return to.isCutOff ? "pw-cut" : "pw-ghostly";
    if (!this.isThere(to)) return "pw-ahead";
    if (this.line.has(from.visit) && this.line.has(to.visit)) return "pw-line";
    return to.facts.way ? "pw-way" : "";
  }

  /** An edge as it is now: up to the shapes, where labels are not there yet. */
  pointsOf({ from, to, points }) {
    const begins = this.labelsAt(from).below ? [] : [[from.x, from.y + from.form.height / 2]];
    const ends = this.isThere(to) ? [] : [[to.x, to.y - to.form.height / 2]];
    return [...begins, ...points.slice(begins.length, points.length - ends.length), ...ends];
  }

  /** The double stroke across an edge that was cut. */
  strokes({ to, points }) {
    if (!to.isCutOff || !this.isLeftOut(to)) return [];
    const [[x, y], [toX, toY]] = slopeOf(points), length = Math.hypot(toX - x, toY - y);
    const along = [(toX - x) / length, (toY - y) / length];
    return [-2.5, 2.5].map((offset) => {
      const at = STROKE_AT * length + offset, middle = [x + at * along[0], y + at * along[1]];
      const end = (way) => [middle[0] - way * 7 * along[1], middle[1] + way * 7 * along[0]];
      return make("path", { class: "pw-strokes", d: path([end(1), end(-1)]) });
    });
  }

  edgeTexts({ to, points }) {
    const [[x, y], [toX, toY]] = slopeOf(points);
    const gone = this.isLeftOut(to), kind = gone ? " pw-gone" : this.isThere(to) ? "" : " pw-ahead";
    const { lines } = to.form;
    let baseline = y + LABEL_AT * (toY - y) - lines.reduce((sum, [, style]) => sum + lineHeight(style), 0) / 2;
    return lines.flatMap(([text, style]) => {
      baseline += lineHeight(style);
      if ((style === "reason" && !gone) || (style === "bound" && !this.isThere(to))) return [];
      const words = style === "move" && !gone && !this.replay.isAsked(to.visit) ? to.facts.move : text;
      const full = style === "move" ? to.facts.full : undefined;
      return [write(words, x + LABEL_AT * (toX - x), baseline - 3, `pw-${style}${kind}`, full)];
    });
  }

  node(item) {
    const { visit, facts, form } = item, { replay } = this;
    const look = visit === undefined ? undefined : replay.looks.get(visit), gone = this.isLeftOut(item);
    const states = [
      `pw-${facts.shape}`, gone ? "pw-gone" : !look && "pw-ahead", visit !== undefined && this.line.has(visit) && "pw-line",
      visit !== undefined && visit === replay.current && "pw-current", look && look.value === undefined && "pw-open",
    ].filter(Boolean).join(" ");
    const group = make("g", { class: `pw-node ${states}`, "data-visit": visit ?? item.cutAt });
    const top = item.y - form.height / 2, bottom = item.y + form.height / 2;
    if (visit !== undefined && visit === this.selected && visit !== replay.current) {
      group.append(make("path", { class: "pw-ring", d: `${path(cornersOf(item))}Z` }));
    }
    group.append(make("path", { class: "pw-shape", d: `${path(cornersOf(item))}Z` }));
    const labels = this.labelsAt(item), open = isLeaf(facts) ? item.known : "value" in labels ? "…" : "";
    const value = look ? labels.value ?? open : gone ? facts.value ?? "" : item.known;
    if (item.board?.length) group.append(...this.board(item, value, top));
    else if (value) group.append(write(value, item.x, item.y + (LOWER[facts.shape] ?? 0.13) * TRIANGLE_HEIGHT, "pw-value"));
    if (labels.above) group.append(write(labels.above, item.x, top - TEXT_GAP - 1, `pw-${labels.style ?? "entry"}`));
    if (labels.below) group.append(write(labels.below, item.x, bottom + SIZES.now + TEXT_GAP - 1, "pw-now"));
    if (item.hidden) group.append(this.hidden(item, bottom + form.below));
    return group;
  }

  board({ facts, board, x }, value, top) {
    const upper = top + 6 + (facts.shape === "up" || facts.shape === "memo" ? ROOF : 0);
    if (facts.cells) {
      const layout = this.replay.story.board, [width, height] = miniatureSize(layout);
      const drawn = miniature(layout, board, x - width / 2, upper);
      return value ? [drawn, write(value, x, upper + height + SIZES.board + 3, "pw-value")] : [drawn];
    }
    let baseline = upper + SIZES.board;
    const left = x - board.reduce((most, row) => Math.max(most, textWidth(row, "board")), 0) / 2;
    const rows = board.map((row) => {
      baseline += lineHeight("board");
      return write(row, left, baseline - lineHeight("board"), "pw-board");
    });
    return value ? [...rows, write(value, x, baseline + 3, "pw-value")] : rows;
  }

  /** A button-like mark for what is collapsed. */
  hidden(item, y) {
    const group = make("g", { class: "pw-hidden", "data-visit": item.visit });
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
      for (const name of ["class", "data-visit"]) theirs[i].removeAttribute(name);
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

function path(points) {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;
}

/** A text; `full`, if it was shortened, is what a pointer on it is told. */
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

/** How far to move what reaches from `from` to `to`, so that it is between two limits; its beginning is what counts. */
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
