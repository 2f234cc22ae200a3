// Draws a board whose pieces fall into columns, like the toy: discs behind a plate with holes.  Each column is a button.

import { playAt } from "./choosing.js";
import { h, s } from "./dom.js";
import { classes, columnName, measure, roving } from "./grid.js";
import { parts } from "./pieces.js";

const HOLE = 9.4; // the radius of a hole in a square of 24 by 24

export function columns(view, { legal, last, hint, play, say, legend }) {
  const { columns: width, rows, cells: on, pieces } = view;
  const grid = h("div", { class: "drop", role: "group", "aria-label": legend });
  measure(grid, width, rows);
  if (view.colour) grid.style.setProperty("--plate", view.colour);
  for (let column = 0; column < width; column++) {
    const places = Array.from({ length: rows }, (_, row) => row * width + column);
    const moves = legal.filter((move) => places.includes(move.places.to));
    const name = columnName(view, column);
    const stones = places.filter((place) => on[place]).reverse().map((place) => pieces[on[place] - 1].name);
    const holes = places.map((place, row) => s("g", { transform: `translate(0 ${24 * row})`, "data-place": place, class: "hole" },
      s("rect", { width: 24, height: 24, class: "behind" }), disc(view, on[place]) ?? coming(view, moves, place)));
    const rings = places.map((place, row) => s("circle", {
      class: classes("ring", view.marked.includes(place) && "marked", last.to === place && "last", hint.to === place && "hint"),
      cx: 12, cy: 24 * row + 12, r: HOLE,
    }));
    grid.append(h("button", {
      type: "button", class: classes("column", hint.to !== undefined && places.includes(hint.to) && "hint"), "data-at": name, "data-row": 0, "data-column": column,
      tabindex: column === Math.floor(width / 2) ? 0 : -1,
      "aria-label": `Column ${name}: ${stones.length ? `${stones.join(" ")} from the bottom up` : "empty"}`,
      "aria-disabled": moves.length ? false : "true", onclick: () => playAt(grid, column, moves, view, { legal, play, say }),
    }, s("svg", { viewBox: `0 0 24 ${24 * rows}`, "aria-hidden": "true" }, holes, plate(rows), rings),
    h("span", { class: "label" }, view.bottom[column] ?? "")));
  }
  return roving(grid);
}

/** A disc with a rim; null if there is no piece. */
function disc({ pieces }, piece) {
  if (!piece) return null;
  const { fill } = pieces[piece - 1];
  return s("g", { class: "disc", style: `--fill: ${fill || "var(--ink)"}` }, parts(pieces[piece - 1], piece), s("circle", { cx: 12, cy: 12, r: 7.6, class: "rim" }));
}

/** The disc that a move would bring to a place, to be seen when the pointer is on its column. */
function coming(view, moves, place) {
  const move = moves.find(({ places }) => places.to === place);
  return move?.piece ? s("g", { class: "coming" }, disc(view, move.piece)) : null;
}

/** The front of a column, with its holes. */
function plate(rows) {
  const round = (_, row) => `M${12 - HOLE} ${24 * row + 12}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0`;
  return s("path", { class: "plate", "fill-rule": "evenodd", d: `M-1 -1H25V${24 * rows + 1}H-1Z${Array.from({ length: rows }, round).join("")}` });
}
