// Draws heaps of things, and rows of pits with stones.

import { playAt } from "./choosing.js";
import { counted, h, s } from "./dom.js";
import { classes, nameOf, roving } from "./grid.js";

const MOST_SEEDS = 12; // drawn in a pit

/** One heap per row, with its objects side by side: a click takes an object and all to its right. */
export function heaps(view, { legal, hint, play, say, legend }) {
  const board = h("div", { class: "heaps", role: "group", "aria-label": legend });
  const first = view.cells.findIndex((size) => size > 0);
  view.cells.forEach((size, heap) => {
    const name = nameOf(view, heap);
    const things = Array.from({ length: size }, (_, index) => {
      const count = size - index;
      const moves = legal.filter(({ places }) => places.from === heap && places.taken === count);
      return h("button", {
        type: "button", class: classes("thing", hint.from === heap && count <= hint.taken && "hint"), "data-at": `${name}${count}`,
        "data-row": heap, "data-column": index, tabindex: heap === first && index === 0 ? 0 : -1,
        "aria-label": `Take ${count} from heap ${name}`, "aria-disabled": moves.length ? false : "true", onclick: () => playAt(board, heap, moves, view, { legal, play, say }),
      }, thing());
    });
    board.append(h("div", { class: "heap", "data-place": heap }, h("span", { class: "name" }, name), things,
      size === 0 && h("span", { class: "soft small" }, "empty")));
  });
  return roving(board);
}

/** One of the objects of a heap. */
export function thing() {
  return s("svg", { viewBox: "0 0 12 40", "aria-hidden": "true" }, s("rect", { x: 3, y: 3, width: 6, height: 34, rx: 3 }));
}

/** Rows of pits with their names at the outer ends, and a store on each side. */
export function pits(view, { legal, last, hint, play, say, legend }) {
  const { columns: width, rows, stores, cells: on } = view;
  const named = [view.numbers, view.left, view.right, view.top, view.bottom].some((names) => names.length > 0);
  const board = h("div", { class: "pits", role: "group", "aria-label": legend });
  board.style.gridTemplateColumns = `repeat(${width + (stores ? 2 : 0)}, minmax(0, 1fr))`;
  const pit = (place, properties, called, name) => {
    const moves = legal.filter(({ places }) => (places.from ?? places.to) === place);
    const ends = (places) => places.from === place || places.to === place;
    return h("button", {
      type: "button", "data-at": called, "data-place": place, "aria-label": `${called}: ${counted(on[place], "stone")}`,
      "aria-disabled": moves.length ? false : "true", onclick: () => playAt(board, place, moves, view, { legal, play, say }), ...properties,
      class: classes("pit", properties.class, moves.length && "free", ends(last) && "last", ends(hint) && "hint", view.marked.includes(place) && "marked"),
    }, name && h("span", { class: "name" }, name), seeds(on[place]), h("span", { class: "count" }, on[place]));
  };
  const store = (side) => stores && pit(width * rows + side, { class: "store", style: `grid-row: 1 / span ${rows}`, tabindex: -1 }, side ? "Right store" : "Left store");
  const all = on.slice(0, width * rows).map((_, place) => {
    const row = Math.floor(place / width), column = place % width;
    const style = `grid-row: ${row + 1}; grid-column: ${column + 1 + (stores ? 1 : 0)}`;
    const name = nameOf(view, place);
    return pit(place, {
      style, class: 2 * row < rows ? "upper" : "lower", "data-row": row, "data-column": column, tabindex: row === rows - 1 && column === 0 ? 0 : -1,
    }, `Pit ${name}`, named && name);
  });
  board.append(...[store(0), ...all, store(1)].filter(Boolean));
  return roving(board);
}

/** Show another number of stones in a pit. */
export function fill(pit, count) {
  pit.querySelector(".seeds").replaceWith(seeds(count));
  pit.querySelector(".count").textContent = count;
}

/** Up to twelve stones, as dots in two rings; the number shows the rest. */
function seeds(count) {
  const shown = Math.min(count, MOST_SEEDS);
  const dots = Array.from({ length: shown }, (_, i) => {
    const inner = i < 4, angle = (2 * Math.PI * (inner ? i : i - 4)) / (inner ? Math.min(shown, 4) : shown - 4);
    const far = shown === 1 ? 0 : inner ? 3.2 : 7.4;
    return s("circle", { cx: 12 + far * Math.sin(angle), cy: 12 - far * Math.cos(angle), r: 1.9 });
  });
  return s("svg", { viewBox: "0 0 24 24", class: "seeds", "aria-hidden": "true" }, dots);
}
