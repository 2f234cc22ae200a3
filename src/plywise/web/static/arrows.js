// Arrows between the places of any board, and rings around them, drawn over it: `{ from, to, kind }`, or a ring where one
// of the places is missing.  The kind says how strong it is: "best", "second", "third", or whose: "better" for a move that
// a review would have played, "mine" for the reader's own.
// The reader draws with the right button: a drag makes an arrow, a click a ring, and doing it again removes it.

import { s } from "./dom.js";
import { elementAt, placeAt } from "./grid.js";

const WIDTHS = { third: 0.1, second: 0.13, best: 0.17, better: 0.17, mine: 0.14 }; // of an arrow, in squares; drawn in this order
const RING = 0.42; // the radius of a ring, in squares
const THICKEST = 36; // pixels that a ring of width 1 would have at most, so that it never looks like a piece
const RIGHT = 2; // the button

/** The arrow or ring for the `places` of a move, in a list; the list is empty if the move is not on the board. */
export function arrowsFor(places, kind) {
  return places && ("from" in places || "to" in places) ? [{ from: places.from, to: places.to, kind }] : [];
}

export class Arrows {
  /** `surface` holds the board; see `draw` in boards.js for the options. */
  constructor(surface, { arrows = [], mine = [], ondraw }) {
    Object.assign(this, { surface, arrows, mine, ondraw });
    this.pending = null; // the arrow being drawn
    this.drawing = s("svg", { class: "arrows", "aria-hidden": "true" });
    surface.append(this.drawing);
    this.observer = new ResizeObserver(() => this.render());
    this.observer.observe(surface);
    if (ondraw) this.listen();
    this.render();
  }

  /** Show other arrows than before; the reader's stay. */
  show(arrows) {
    this.arrows = arrows;
    this.render();
  }

  stop() {
    this.observer.disconnect();
  }

  listen() {
    const { surface } = this;
    surface.addEventListener("contextmenu", (event) => event.preventDefault());
    surface.addEventListener("pointerdown", (event) => {
      const place = event.button === RIGHT ? placeAt(surface, event.clientX, event.clientY) : undefined;
      if (place === undefined) return;
      event.preventDefault();
      surface.setPointerCapture(event.pointerId);
      this.preview(place, place);
    });
    surface.addEventListener("pointermove", (event) => {
      if (this.pending) this.preview(this.pending.from, placeAt(surface, event.clientX, event.clientY));
    });
    surface.addEventListener("pointerup", (event) => { if (event.button === RIGHT) this.finish(); });
    surface.addEventListener("pointercancel", () => this.preview());
  }

  /** Show the arrow that the reader is drawing; to its own place it is a ring. */
  preview(from, to) {
    this.pending = from === undefined ? null : { from, to, kind: "mine" };
    this.render();
  }

  /** Add what the reader has drawn, or remove it if it is there. */
  finish() {
    const { from, to } = this.pending ?? {};
    this.pending = null;
    if (to !== undefined) {
      const made = from === to ? { to, kind: "mine" } : { from, to, kind: "mine" };
      const others = this.mine.filter((each) => each.from !== made.from || each.to !== made.to);
      this.mine = others.length < this.mine.length ? others : [...others, made];
      this.ondraw(this.mine);
    }
    this.render();
  }

  render() {
    const shown = [...this.arrows, ...this.mine, ...(this.pending ? [this.pending] : [])];
    const frame = this.surface.getBoundingClientRect();
    const spot = (place) => {
      const box = elementAt(this.surface, place)?.getBoundingClientRect();
      return box && { x: box.left + box.width / 2 - frame.left, y: box.top + box.height / 2 - frame.top, side: Math.min(box.width, box.height) };
    };
    this.drawing.replaceChildren(...Object.keys(WIDTHS).flatMap((kind) => shown.filter((each) => each.kind === kind)).flatMap(({ from, to, kind }) => {
      const start = spot(from), end = spot(to);
      if (!start && !end) return [];
      const ends = { "data-from": from, "data-to": to };
      if (!start || !end || from === to) return [ring(end ?? start, kind, ends)];
      return [s("path", { class: `arrow ${kind}`, d: outline(start, end, WIDTHS[kind] * Math.min(start.side, end.side)), ...ends })];
    }));
  }
}

function ring({ x, y, side }, kind, ends) {
  const width = WIDTHS[kind] * Math.min(0.6 * side, THICKEST);
  return s("g", { class: `ring ${kind}`, ...ends },
    s("circle", { class: "edge", cx: x, cy: y, r: RING * side, "stroke-width": width + 2 }), s("circle", { cx: x, cy: y, r: RING * side, "stroke-width": width }));
}

/** The outline of an arrow: a shaft of this width, and a head that points to the middle of the target. */
function outline(start, end, width) {
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const along = [(end.x - start.x) / length, (end.y - start.y) / length], head = Math.min(2.6 * width, 0.6 * length);
  const at = (far, aside) => `${(start.x + along[0] * far - along[1] * aside).toFixed(1)} ${(start.y + along[1] * far + along[0] * aside).toFixed(1)}`;
  const from = Math.min(0.3 * start.side, 0.3 * length), neck = length - head, half = width / 2, wide = 1.4 * width;
  return `M${[at(from, half), at(neck, half), at(neck, wide), at(length, 0), at(neck, -wide), at(neck, -half), at(from, -half)].join("L")}Z`;
}
