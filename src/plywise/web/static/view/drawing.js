// A scene as SVG in a window that pans and zooms.  Only what the window shows is drawn; from afar, without texts.

import { cutText, endsOf, LINE, ROW, SHAPE } from "./scene.js";

const NS = "http://www.w3.org/2000/svg";
const HALF = SHAPE / 2 + 3;  // of a triangle's width
const FAR = 0.3;  // a scale at which texts cannot be read
const NEAREST = 3;
const NATURAL = 1.25;  // as large as a small tree becomes by itself
const LEAST = 0.0005;
const MARGIN = 24;
const TOOLS = 40;  // the height of what covers the lower edge of the window
const BELOW = 3;  // between a shape and its labels
const BOARD_LETTER = 6.62;
const LABELS = 150;  // how far labels reach out of their nodes
const KINDS = [
  "pw-edge", "pw-edge pw-ahead", "pw-edge pw-cut", "pw-edge pw-line", "pw-shape", "pw-shape pw-ahead", "pw-shape pw-current",
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

  /** Draw a scene as a replay has it now. */
  show(scene, replay, selected) {
    Object.assign(this, { scene, replay, selected });
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

  /** Move the window, as little as needed, so that a visit is well inside. */
  reveal(visit) {
    const item = this.scene.items.find((each) => each.visit === visit);
    if (!item) return;
    const { width, height } = this.size, { x, y, scale, tall } = this.frame;
    const half = (item.width / 2) * scale + MARGIN;
    const at = { left: item.x * scale + x - half, top: item.y * tall + y - MARGIN };
    const room = (this.foot(item) - item.y) * tall + MARGIN + TOOLS;
    const inside = (value, limit) => Math.min(Math.max(value, 0), Math.max(0, limit));
    const dx = inside(at.left, width - 2 * half) - at.left, dy = inside(at.top, height - room) - at.top;
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
    const seen = ({ x: at, y: top, width }) => !view || (
      at + width / 2 > view.left && at - width / 2 < view.right && top > view.top && top < view.bottom);
    const touches = ([from, to]) => !view || (
      Math.max(from.x, to.x) > view.left && Math.min(from.x, to.x) < view.right && to.y > view.top && from.y < view.bottom);
    const edges = this.scene.edges.filter(touches);
    return [
      ...edges.flatMap(([from, to]) => (to.cut ? this.cutEdges(from, to) : this.edge(from, to))),
      ...this.scene.items.filter(seen).map((item) => (item.cut ? this.leftOut(item) : this.node(item))),
    ];
  }

  /** Everything in a few paths: nobody could read more. */
  fromAfar() {
    const paths = Object.fromEntries(KINDS.map((kind) => [kind, []]));
    for (const [from, to] of this.scene.edges) {
      const kind = to.cut ? (this.isCut(to) ? "pw-edge pw-cut" : "pw-edge pw-ahead")
        : this.isLine(from, to) ? "pw-edge pw-line" : this.isThere(to) ? "pw-edge" : "pw-edge pw-ahead";
      paths[kind].push(`M${round(from.x)} ${from.y + SHAPE}L${round(to.x)} ${to.y}`);
    }
    for (const item of this.scene.items) {
      if (item.cut) continue;
      const kind = item.visit === this.replay.current ? "pw-shape pw-current"
        : this.isThere(item) ? "pw-shape" : "pw-shape pw-ahead";
      paths[kind].push(outline(this.replay.story.visits[item.visit], item));
    }
    return Object.entries(paths).map(([kind, parts]) => make("path", { class: `${kind} pw-far`, d: parts.join("") }));
  }

  isThere(item) {
    return this.replay.looks.has(item.visit);
  }

  isLine(from, to) {
    return this.line.has(from.visit) && this.line.has(to.visit);
  }

  /** Where edges leave a node: below its labels. */
  foot(item) {
    const labels = this.labels(item);
    return item.y + SHAPE + labels.reduce((sum, label) => sum + label.height, labels.length ? BELOW + 3 : 0);
  }

  edge(from, to) {
    const facts = this.replay.story.visits[to.visit];
    const kind = this.isLine(from, to) ? " pw-line" : this.isThere(to) ? "" : " pw-ahead";
    const top = this.foot(from), end = to.y - (this.isLow(to) ? 0 : 1);
    const text = facts.way ? `${facts.move} · ${facts.way}` : facts.move;
    return [
      make("path", { class: `pw-edge${kind}`, d: `M${round(from.x)} ${top}L${round(to.x)} ${end}` }),
      write(text, from.x + (to.x - from.x) * 0.55, top + (end - top) * 0.55 + 4, `pw-move${kind}`),
    ];
  }

  /** Edges to moves that were left out: dashed, with a double stroke across, once it is so. */
  cutEdges(from, item) {
    const done = this.isCut(item), top = this.foot(from);
    return endsOf(item).flatMap((end) => {
      const dx = end.x - from.x, dy = end.y - top, length = Math.hypot(dx, dy);
      const across = { x: (-dy / length) * 7, y: (dx / length) * 7 }, along = { x: (dx / length) * 2.5, y: (dy / length) * 2.5 };
      const at = { x: from.x + dx * 0.34, y: top + dy * 0.34 };
      const stroke = (way) => `M${round(at.x + along.x * way - across.x)} ${round(at.y + along.y * way - across.y)}`
        + `L${round(at.x + along.x * way + across.x)} ${round(at.y + along.y * way + across.y)}`;
      return [
        make("path", { class: `pw-edge ${done ? "pw-cut" : "pw-ahead"}`, d: `M${round(from.x)} ${top}L${round(end.x)} ${end.y}` }),
        ...(done ? [make("path", { class: "pw-strokes", d: stroke(-1) + stroke(1) })] : []),
        write(end.text, from.x + dx * 0.72, top + dy * 0.72 + 4, `pw-move${done ? " pw-gone" : " pw-ahead"}`),
      ];
    });
  }

  isCut(item) {
    return this.replay.looks.get(item.parent)?.cut !== undefined;
  }

  leftOut(item) {
    const done = this.isCut(item);
    const group = make("g", { class: "pw-left-out", "data-visit": item.parent });
    for (const end of endsOf(item)) group.append(make("circle", { class: `pw-end${done ? "" : " pw-ahead"}`, cx: round(end.x), cy: end.y, r: 4 }));
    if (!done) return group;
    const title = make("title");
    title.textContent = cutText(item.cut);
    group.append(title);
    item.lines.forEach((line, i) => group.append(write(line, item.x, item.y + 26 + i * 13, "pw-reason")));
    return group;
  }

  node(item) {
    const { visit } = item, facts = this.replay.story.visits[visit], look = this.replay.looks.get(visit);
    const states = [
      look ? "" : "pw-ahead", visit === this.replay.current && "pw-current", visit === this.selected && "pw-selected",
      this.line.has(visit) && "pw-line", look && look.value === undefined && "pw-open",
    ].filter(Boolean).join(" ");
    const group = make("g", { class: `pw-node ${states}`, "data-visit": visit });
    if (visit === this.selected || visit === this.replay.current) {
      const half = halfWidth(facts, item);
      group.append(make("rect", { class: "pw-ring", x: round(item.x - half - 5), y: item.y - 5, width: round(2 * half + 10), height: SHAPE + 10, rx: 7 }));
    }
    group.append(make("path", { class: "pw-shape", d: outline(facts, item) }));
    if (isLeaf(facts) && look?.value !== undefined) group.append(write(look.value, item.x, item.y + SHAPE / 2 + 5, "pw-value"));
    let y = item.y + SHAPE + BELOW;
    for (const label of this.labels(item)) {
      y += label.height;
      group.append(write(label.text, item.x - (label.left ?? 0), y - 2, label.kind));
    }
    if (item.hidden) group.append(this.hidden(item, y));
    return group;
  }

  /** The texts below a shape: a board, who moves, what came out, the window on entry and the window now. */
  labels(item) {
    if (item.cut) return [];
    const { story, looks } = this.replay, facts = story.visits[item.visit], look = looks.get(item.visit);
    const left = item.board.reduce((most, row) => Math.max(most, row.length), 0) * BOARD_LETTER / 2;
    const lines = item.board.map((text) => ({ text, kind: "pw-board", height: ROW, left }));
    if (isLeaf(facts)) return lines;
    const add = (text, kind) => lines.push({ text, kind, height: LINE });
    if (story.named) add(facts.player, "pw-player");
    if (!look) return lines;
    add(look.value ?? "…", "pw-value");
    if (facts.entry) add(facts.entry, "pw-entry");
    if (look.window && look.value === undefined) add(`→ ${look.window}`, "pw-now");
    return lines;
  }

  isLow(item) {
    const facts = this.replay.story.visits[item.visit];
    return facts.kind === "inner" && !facts.up;
  }

  /** A button-like mark for what is collapsed. */
  hidden(item, y) {
    const group = make("g", { class: "pw-hidden", "data-visit": item.visit });
    const text = `+ ${item.hidden.toLocaleString("en")}`;
    const width = text.length * 7 + 12;
    group.append(
      make("rect", { x: round(item.x - width / 2), y: y + 5, width, height: 19, rx: 9.5 }),
      write(text, item.x, y + 19, "pw-count"),
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

function isLeaf(facts) {
  return facts.kind === "terminal" || facts.kind === "horizon";
}

function halfWidth(facts, { width }) {
  return isLeaf(facts) ? Math.max(HALF, width / 2 + 4) : HALF;
}

/** The shape of a visit: a triangle up for Max, one down for Min, a box for a leaf, a diamond for what a memo knew. */
function outline(facts, { x, y, width }) {
  const half = halfWidth(facts, { width });
  const left = round(x - half), right = round(x + half), middle = round(x), bottom = y + SHAPE;
  if (isLeaf(facts)) return `M${left} ${y + 2}H${right}V${bottom - 2}H${left}Z`;
  if (facts.kind === "recalled") return `M${middle} ${y}L${right} ${y + SHAPE / 2}L${middle} ${bottom}L${left} ${y + SHAPE / 2}Z`;
  if (facts.up) return `M${middle} ${y}L${right} ${bottom}H${left}Z`;
  return `M${left} ${y}H${right}L${middle} ${bottom}Z`;
}

function write(text, x, y, kind) {
  const element = make("text", { class: kind, x: round(x), y: round(y) });
  element.textContent = text;
  return element;
}

function make(name, attributes = {}) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function holds(outer, inner) {
  return outer.left <= inner.left && outer.right >= inner.right && outer.top <= inner.top && outer.bottom >= inner.bottom;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
