// Draws a score sheet (plywise.layers.Sheet): dice above a table of boxes, with numbers or pieces in them.  Numbers are
// encoded as -1 minus the number.

import { playAt } from "./choosing.js";
import { h } from "./dom.js";
import { die, faceOf } from "./dice.js";
import { classes, roving } from "./grid.js";

export function sheet(view, { legal, last, hint, legend, selecting, rolling, play, say }) {
  const { columns: width, rows, cells: on, pieces, left, top, bottom } = view;
  const names = top.length ? top : bottom;
  const table = h("div", { class: "sheet", role: "group", "aria-label": legend });
  const grid = h("div", { class: "boxes", style: `grid-template-columns: minmax(0, max-content) repeat(${width}, minmax(0, 1fr))` },
    names.length > 0 && [h("span"), ...names.map((name) => h("span", { class: "heading" }, name))]);
  let reached = false; // whether Tab reaches one of the boxes
  for (let row = 0; row < rows; row++) {
    grid.append(h("span", { class: "heading row-name" }, left[row] ?? ""));
    for (let column = 0; column < width; column++) {
      const place = row * width + column;
      const moves = legal.filter(({ places }) => (places.to ?? places.from) === place);
      const name = [left[row], names[column]].filter(Boolean).join(", ") || String(place + 1);
      const tab = moves.length > 0 && !reached;
      reached ||= tab;
      const said = moves.length && on[place] < 0 ? `${written(on[place], pieces)} to score` : on[place] ? written(on[place], pieces, true) : "empty";
      grid.append(h("button", {
        type: "button", "data-at": name, "data-place": place, "data-row": row, "data-column": column, tabindex: tab ? 0 : -1,
        "aria-label": `${name}: ${said}`, "aria-disabled": moves.length ? false : "true", onclick: () => playAt(table, place, moves, view, { legal, play, say }),
        class: classes("box", moves.length && "free", on[place] > 0 && "used", last.to === place && "last", hint.to === place && "hint",
          view.marked.includes(place) && "marked"),
      }, written(on[place], pieces)));
    }
  }
  table.append(...[view.dice > 0 && diceRow(view, selecting, rolling), roving(grid)].filter(Boolean));
  return table;
}

function written(cell, pieces, spoken) {
  return cell < 0 ? String(-1 - cell) : cell > 0 ? pieces[cell - 1][spoken ? "name" : "symbol"] : "";
}

/** The dice beside the sheet: buttons where they can be selected. */
function diceRow(view, selecting, rolling) {
  const first = view.columns * view.rows;
  return h("div", { class: "dice-row", role: "group", "aria-label": "Dice" }, Array.from({ length: view.dice }, (_, index) => {
    const place = first + index, piece = view.cells[place] > 0 ? view.pieces[view.cells[place] - 1] : null;
    const drawn = piece && (faceOf(piece) ? die(faceOf(piece), rolling.has(place)) : piece.symbol);
    if (!piece || !selecting?.takes(place)) {
      return h("span", { class: piece ? "slot" : "slot none", role: "img", "aria-label": piece?.name ?? "no die", "data-place": place }, drawn);
    }
    const button = h("button", {
      type: "button", class: selecting.hints(place) ? "slot hint" : "slot", "data-at": `die ${index + 1}`, "data-place": place,
      "aria-label": piece.name, "aria-pressed": "false", onclick: () => selecting.toggle(place, button),
    }, drawn);
    return button;
  }), selecting?.button);
}
