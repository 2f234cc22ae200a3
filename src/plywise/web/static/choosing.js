// Plays the move of a place.  If several moves have the same places, a choice opens over the target: pictures of the
// pieces if these differ, as in a promotion, else the names of the moves, and each shows its way on the board.

import { h } from "./dom.js";
import { classes, elementAt, roving } from "./grid.js";
import { drawn } from "./pieces.js";

const LEAST_SIDE = 44; // pixels: large enough for a finger
const MARGIN = 8; // pixels between the choice and the edge of the window

/** Play a move of a place, or say why it has none. */
export function playAt(board, place, moves, view, { legal, play, say }) {
  say(legal.length && !moves.length ? view.why_illegal[place] ?? "" : "");
  return playOne(board, moves, view, play);
}

/** Play the only move, or let the user choose one; returns what `play` returns, or false if nothing was chosen. */
export async function playOne(board, moves, view, play) {
  if (!moves.length) return false;
  const text = moves.length === 1 ? moves[0].text : await choice(board, moves, view);
  return text ? play(text) : false;
}

/** Ask which of several moves to play; returns its text, or null. */
function choice(board, moves, { pieces }) {
  const near = elementAt(board, moves[0].places.to ?? moves[0].places.from)?.getBoundingClientRect();
  const pictured = near && new Set(moves.map(({ piece }) => piece || null)).size === moves.length && moves.every(({ piece }) => piece);
  const side = pictured && Math.max(LEAST_SIDE, Math.min(near.width, near.height));
  const show = (move) => pictured || showWay(board, move);
  return new Promise((resolve) => {
    const buttons = moves.map((move, row) => h("button", {
      type: "button", "data-row": row, "data-column": 0, "aria-label": pictured ? `${move.name}, ${pieces[move.piece - 1].name}` : null,
      title: pictured ? move.name : null, style: pictured ? `width: ${side}px; height: ${side}px` : "",
      onclick: () => dialog.close(move.text), onfocus: () => show(move), onpointerenter: () => show(move),
    }, pictured ? drawn(pieces[move.piece - 1], move.piece) : move.name));
    const dialog = roving(h("dialog", { class: classes("choice", pictured && "pictured"), "aria-label": "Which move" }, buttons));
    const open = new AbortController();
    dialog.addEventListener("close", () => {
      open.abort();
      showWay(board, null);
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    dialog.addEventListener("click", ({ target }) => { if (target === dialog) dialog.close(); }); // beside the buttons, or outside
    for (const name of ["resize", "scroll"]) window.addEventListener(name, () => dialog.close(), { signal: open.signal });
    board.parentElement.append(dialog);
    dialog.showModal();
    if (near) settle(dialog, near, board.getBoundingClientRect(), pictured);
  });
}

/** Put a choice over a square, towards the middle of the board, with its first button on the square. */
function settle(dialog, near, board, covering) {
  const box = dialog.getBoundingClientRect(), below = near.top + near.bottom < board.top + board.bottom;
  const edge = (box.height - dialog.clientHeight) / 2 + parseFloat(getComputedStyle(dialog).paddingTop);
  const beside = covering ? [near.top - edge, near.bottom - box.height + edge] : [near.bottom + MARGIN, near.top - box.height - MARGIN];
  const within = (wanted, size, most) => Math.max(MARGIN, Math.min(wanted, most - size - MARGIN));
  dialog.classList.toggle("upwards", covering && !below);
  dialog.style.margin = 0;
  dialog.style.left = `${within((near.left + near.right - box.width) / 2, box.width, innerWidth)}px`;
  dialog.style.top = `${within(beside[below ? 0 : 1], box.height, innerHeight)}px`;
}

/** Mark the way of a move on the board; null: of none. */
function showWay(board, move) {
  const way = new Set(move?.routes[0] ?? []);
  for (const element of board.querySelectorAll("[data-place]")) element.classList.toggle("way", way.has(Number(element.dataset.place)));
}
