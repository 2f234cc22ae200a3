// Draws boards from the data of plywise.web.views: a layout of places, an integer for the piece on each place, and the
// places of each move.  Boards consist of buttons, so they work with keyboards and screen readers; the buttons show SVG.
// A click calls `play(text)` with a legal move.  Each kind of board has its own module.

import { Arrows } from "./arrows.js";
import { cells } from "./cells.js";
import { rolledPlaces } from "./dice.js";
import { h } from "./dom.js";
import { columns } from "./drop.js";
import { rove } from "./grid.js";
import { changes, comparable, move } from "./motion.js";
import { heaps, pits } from "./pits.js";
import { Selecting } from "./selecting.js";
import { sheet } from "./sheet.js";

const KINDS = { cells, columns, heaps, pits, sheet };
const drawnOn = new WeakMap(); // by element: what was drawn there last

/**
 * Draw a position.  What differs from the position drawn there before is seen to move; the next `draw` cuts that short.
 * options:
 *   legal (the moves, as [{text, name, places, routes, selection, piece}]; empty if it is not the user's turn),
 *   last (the places of the last move), route (its places in order), hint (the text of a move), flipped, legend (the name of the board),
 *   rolled (the faces of dice that roll now), named (whether to keep room for moves without a place on the board), play(text), say(text),
 *   arrows ([{from, to, kind}], see arrows.js), mine (the arrows of the reader), ondraw(mine) (called when the reader has drawn; without it nobody can).
 * play may return a promise; false takes back a piece that the user has dropped.
 * Returns "capture" or "move" if something moved on the board, null if not.
 */
export function draw(element, view, options) {
  const before = drawnOn.get(element), follows = before && comparable(before.view, view);
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.at ?? "" : undefined;
  const roved = follows ? element.querySelector('[data-row][tabindex="0"]')?.dataset.at : undefined;
  const now = { view, last: options.last, carried: null };
  const board = drawBoard(view, options, (carried) => { now.carried = carried; });
  const surface = h("div", { class: "surface" }, board.element);
  before?.arrows.stop();
  element.replaceChildren(h("div", { class: "board" }, surface, board.buttons));
  now.arrows = new Arrows(surface, options);
  drawnOn.set(element, now);
  keepFocus(element, focused, roved);
  if (!follows) return null;
  const changed = changes(before, now);
  move(surface, before, now, changed, options.route ?? []);
  return changed.kind;
}

/** Show other arrows over a board, without drawing it again. */
export function point(element, arrows) {
  drawnOn.get(element)?.arrows.show(arrows);
}

/** Whether a move has no place on the board, such as a pass. */
export function isElsewhere({ kind }, { places, selection }) {
  return !selection && (kind === "text" || !("from" in places || "to" in places));
}

/** The board, and the buttons below it. */
function drawBoard(view, options, carry) {
  const selecting = options.legal.some(({ selection }) => selection) ? new Selecting(view, options) : null;
  const rolling = rolledPlaces(view, options.rolled ?? []);
  const element = view.kind === "text" ? picture(view, options) : KINDS[kindOf(view)](view, { ...withHint(options), selecting, rolling, carry });
  const elsewhere = options.legal.filter((each) => isElsewhere(view, each));
  return { element, buttons: moveButtons(elsewhere, element.contains(selecting?.button ?? null) ? null : selecting, options) };
}

/** Give the focus back to the button that had it, and let Tab reach the one that it reached before. */
function keepFocus(element, focused, roved) {
  const named = (name) => (name ? element.querySelector(`[data-at="${CSS.escape(name)}"]`) : null);
  const reached = named(roved);
  if (reached?.matches("[data-row]")) rove(element, reached);
  if (focused === undefined) return;
  const same = named(focused) ?? element.querySelector('[tabindex="0"]') ?? element.querySelector("button, [tabindex]");
  same?.focus({ preventScroll: true });
}

function kindOf({ kind, falling, columns: width, stores }) {
  if (kind === "sheet") return "sheet";
  if (kind === "pits") return width === 1 && !stores ? "heaps" : "pits";
  return falling ? "columns" : "cells";
}

function withHint(options) {
  return { ...options, hint: options.legal.find(({ text }) => text === options.hint)?.places ?? {} };
}

/** Buttons for moves without a place on the board, and for the move that is selected there. */
function moveButtons(moves, selecting, { hint, named, play }) {
  if (!moves.length && !selecting) return named ? h("div", { class: "row moves-by-name" }) : null;
  return h("div", { class: "row moves-by-name", role: "group", "aria-label": "Moves" }, selecting?.button, moves.map((each) => h("button", {
    type: "button", class: each.text === hint ? "hint" : null, "data-at": each.text, onclick: () => play(each.text),
  }, each.name)));
}

/** Any other game, as text. */
function picture({ text }, { legend }) {
  const lines = text.split("\n");
  const longest = Math.max(...lines.map((line) => line.length));
  const size = longest <= 24 && lines.length <= 12 ? " large" : "";
  return h("pre", { class: `picture${size}`, tabindex: 0, role: "img", "aria-label": `${legend} ${text}` }, text);
}
