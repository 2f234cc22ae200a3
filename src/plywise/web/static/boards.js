// Boards: one function a kind of view that the server sends (plywise.web.views).  Each draws into an element and calls
// `play(text)` with a legal move.  Boards are made of buttons, so that a keyboard and a screen reader get them for free;
// what is on the buttons is SVG.

import { h, s } from "./dom.js";
import { piece, pieceName } from "./pieces.js";

/**
 * Draw a position.
 * options: legal (the moves, as [{text, name}]; none if it is not the person's turn), last and hint (texts of moves),
 * flipped, names (of the players), play(text).
 */
export function draw(element, view, options) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.at ?? "" : undefined;
  element.replaceChildren(KINDS[view.kind](view, options));
  if (focused === undefined) return;
  const same = element.querySelector(`[data-at="${CSS.escape(focused)}"]`) ?? element.querySelector("button, [tabindex]");
  same?.focus({ preventScroll: true });
}

const KINDS = { chess, drop, marks, heaps, text };

/** Let the arrow keys move the focus about a grid of buttons, of which one is in the order of Tab. */
function roving(grid, rows, columns, at) {
  const go = (row, column) => {
    const next = at(row, column);
    if (!next) return;
    grid.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  };
  grid.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const cell = event.target.closest("[data-row]");
    if (!step || !cell) return;
    event.preventDefault();
    const row = Number(cell.dataset.row) + step[0];
    const column = Number(cell.dataset.column) + step[1];
    if (row >= 0 && row < rows && column >= 0 && column < columns) go(row, column);
  });
  return grid;
}

// Chess --------------------------------------------------------------------------------------------------------------

const FILES = "abcdefgh";
const DRAGGED_AFTER = 5; // pixels

function chess({ squares, check }, { legal, last, hint, flipped, play, legend }) {
  let chosen = null;
  const buttons = new Map();
  const targets = (from) => legal.filter((move) => move.text.slice(0, 2) === from);
  const grid = h("div", { class: "board chess", role: "group", "aria-label": legend });

  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const index = flipped ? 63 - (8 * row + column) : 8 * row + column;
      const square = FILES[index % 8] + (8 - Math.floor(index / 8));
      const letter = squares[index];
      const classes = [
        "square", (Math.floor(index / 8) + index) % 2 ? "dark" : "light",
        last && (last.slice(0, 2) === square || last.slice(2, 4) === square) && "last",
        hint && (hint.slice(0, 2) === square || hint.slice(2, 4) === square) && "hint",
        index === check && "check", targets(square).length && "movable",
      ].filter(Boolean).join(" ");
      const button = h("button", {
        type: "button", class: classes, "data-at": square, "data-piece": letter, "data-row": row, "data-column": column,
        tabindex: row === 7 && column === 0 ? 0 : -1,
        "aria-label": square + (letter === "." ? "" : `, ${pieceName(letter)}`) + (index === check ? ", in check" : ""),
      },
      row === 7 && h("span", { class: "file", "aria-hidden": "true" }, square[0]),
      column === 0 && h("span", { class: "rank", "aria-hidden": "true" }, square[1]),
      letter !== "." && piece(letter));
      buttons.set(square, button);
      grid.append(button);
    }
  }

  function choose(square) {
    chosen = square;
    for (const [name, button] of buttons) {
      const reached = square !== null && targets(square).some((move) => move.text.slice(2, 4) === name);
      button.classList.toggle("target", reached);
      button.classList.toggle("chosen", name === square);
      if (name === square) button.setAttribute("aria-pressed", "true");
      else button.removeAttribute("aria-pressed");
    }
  }

  async function move(from, to) {
    const found = targets(from).filter((each) => each.text.slice(2, 4) === to);
    if (!found.length) return false;
    choose(null);
    if (found.length === 1) play(found[0].text);
    else {
      const kind = await promotion(grid, buttons.get(from).dataset.piece === "P", found.map((each) => each.text.slice(4)));
      if (kind) play(from + to + kind);
    }
    return true;
  }

  let drag = null;
  grid.addEventListener("pointerdown", (event) => {
    const square = event.target.closest(".square")?.dataset.at;
    if (event.button === 0 && square && targets(square).length) {
      drag = { from: square, x: event.clientX, y: event.clientY, ghost: null };
    }
  });
  grid.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAGGED_AFTER) {
      const origin = buttons.get(drag.from);
      grid.setPointerCapture(event.pointerId);
      drag.ghost = origin.querySelector(".piece").cloneNode(true);
      drag.ghost.classList.add("ghost");
      drag.ghost.style.width = `${origin.offsetWidth}px`;
      origin.classList.add("lifted");
      grid.append(drag.ghost);
      choose(drag.from);
    }
    if (drag.ghost) {
      drag.ghost.style.left = `${event.clientX}px`;
      drag.ghost.style.top = `${event.clientY}px`;
    }
  });
  const release = (event) => {
    if (!drag) return;
    const { from, ghost } = drag;
    drag = null;
    if (!ghost) return; // a click, which comes as such
    ghost.remove();
    buttons.get(from).classList.remove("lifted");
    const below = document.elementFromPoint(event.clientX, event.clientY)?.closest(".square")?.dataset.at;
    choose(null);
    if (event.type === "pointerup" && below && below !== from) move(from, below);
  };
  grid.addEventListener("pointerup", release);
  grid.addEventListener("pointercancel", release);
  grid.addEventListener("click", async (event) => {
    const square = event.target.closest?.(".square")?.dataset.at;
    if (!square) return;
    if (chosen && chosen !== square && await move(chosen, square)) return;
    choose(square !== chosen && targets(square).length ? square : null);
  });
  grid.addEventListener("keydown", (event) => { if (event.key === "Escape") choose(null); });
  return roving(grid, 8, 8, (row, column) => grid.querySelector(`[data-row="${row}"][data-column="${column}"]`));
}

/** Ask what a pawn becomes; returns a letter of `kinds`, or null. */
function promotion(near, white, kinds) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "promotion", "aria-label": "Promote to" },
      kinds.map((kind) => h("button", {
        type: "button", value: kind, "aria-label": pieceName(kind).split(" ")[1], onclick: () => dialog.close(kind),
      }, piece(white ? kind.toUpperCase() : kind))));
    dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue || null); });
    near.parentElement.append(dialog);
    dialog.showModal();
  });
}

// Stones that are dropped into columns -------------------------------------------------------------------------------

function drop({ rows, columns, line }, { legal, last, hint, play, legend }) {
  const inLine = new Set(line.map(([row, column]) => `${row},${column}`));
  const grid = h("div", { class: "board drop", role: "group", "aria-label": legend });
  grid.style.gridTemplateColumns = `repeat(${columns.length}, 1fr)`;
  [...columns].forEach((name, column) => {
    const cells = rows.map((row) => row[column]);
    const top = cells.findIndex((cell) => cell !== ".");
    const drawn = cells.map((cell, row) => disc(cell, row, {
      last: name === last && row === top, line: inLine.has(`${row},${column}`),
      next: row === (top === -1 ? rows.length : top) - 1,
    }));
    const stones = cells.filter((cell) => cell !== ".").reverse();
    const heard = stones.length ? `: ${stones.join(" ")} from below` : ": empty";
    grid.append(h("button", {
      type: "button", class: `column${name === hint ? " hint" : ""}`, "data-at": name, "data-row": 0, "data-column": column,
      tabindex: column === Math.floor(columns.length / 2) ? 0 : -1, "aria-label": `Column ${name}${heard}`,
      "aria-disabled": legal.some((move) => move.text === name) ? false : "true",
      onclick: () => { if (legal.some((move) => move.text === name)) play(name); },
    }, s("svg", { viewBox: `0 0 10 ${10 * rows.length}`, "aria-hidden": "true" }, drawn), h("span", { class: "label" }, name)));
  });
  return roving(grid, 1, columns.length, (_, column) => grid.children[column]);
}

/** A stone: X's has a cross on it, O's a ring, so that it does not take colours to tell them apart. */
function disc(cell, row, { last, line, next }) {
  const cy = 10 * row + 5;
  const kind = { X: "first", O: "second" }[cell] ?? (next ? "empty next" : "empty");
  return s("g", { class: `disc ${kind}${line ? " line" : ""}${last ? " last" : ""}` },
    s("circle", { cx: 5, cy, r: 4.1 }),
    cell === "X" && s("path", { d: `M3.6 ${cy - 1.4}l2.8 2.8m0-2.8l-2.8 2.8`, class: "mark" }),
    cell === "O" && s("circle", { cx: 5, cy, r: 1.7, class: "mark" }));
}

// Marks on cells -----------------------------------------------------------------------------------------------------

function marks({ rows, line }, { legal, last, hint, play, legend }) {
  const inLine = new Set(line.map(([row, column]) => `${row},${column}`));
  const columns = rows[0].length;
  const grid = h("div", { class: "board marks", role: "group", "aria-label": legend });
  grid.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
  rows.forEach((cells, row) => [...cells].forEach((cell, column) => {
    const name = letters(column) + (rows.length - row);
    const free = legal.some((move) => move.text === name);
    const classes = [
      "cell", free && "free", name === last && "last", name === hint && "hint", inLine.has(`${row},${column}`) && "line",
    ].filter(Boolean).join(" ");
    grid.append(h("button", {
      type: "button", class: classes, "data-at": name, "data-row": row, "data-column": column,
      tabindex: row === 0 && column === 0 ? 0 : -1, "aria-label": `${name}, ${cell === "." ? "empty" : cell}`,
      "aria-disabled": free ? false : "true", onclick: () => { if (free) play(name); },
    }, cell !== "." && mark(cell)));
  }));
  return roving(grid, rows.length, columns, (row, column) => grid.children[row * columns + column]);
}

function mark(letter) {
  const shape = letter === "X" ? s("path", { d: "M6 6 18 18M18 6 6 18" }) : s("circle", { cx: 12, cy: 12, r: 6.6 });
  return s("svg", { viewBox: "0 0 24 24", class: `mark ${letter === "X" ? "first" : "second"}`, "aria-hidden": "true" }, shape);
}

/** The name of a column: a to z, aa, ab, ... */
function letters(column) {
  const first = Math.floor(column / 26);
  return (first ? String.fromCharCode(96 + first) : "") + String.fromCharCode(97 + (column % 26));
}

// Heaps --------------------------------------------------------------------------------------------------------------

function heaps({ heaps: sizes, names }, { legal, hint, play, legend }) {
  const board = h("div", { class: "board heaps", role: "group", "aria-label": legend });
  sizes.forEach((size, heap) => {
    const things = Array.from({ length: size }, (_, index) => {
      const text = `${names[heap]}${size - index}`;
      const free = legal.some((move) => move.text === text);
      return h("button", {
        type: "button", class: `thing${hint && hint[0] === names[heap] && size - index <= Number(hint.slice(1)) ? " hint" : ""}`,
        "data-at": text, "aria-label": `Take ${size - index} from heap ${names[heap]}`, "aria-disabled": free ? false : "true",
        onclick: () => { if (free) play(text); },
      }, s("svg", { viewBox: "0 0 12 40", "aria-hidden": "true" }, s("rect", { x: 3, y: 3, width: 6, height: 34, rx: 3 })));
    });
    board.append(h("div", { class: "heap" }, h("span", { class: "name" }, names[heap]), things,
      size === 0 && h("span", { class: "soft small" }, "empty")));
  });
  return board;
}

// Any other game -----------------------------------------------------------------------------------------------------

function text({ text: picture }, { legal, hint, play, legend }) {
  const lines = picture.split("\n");
  const longest = Math.max(...lines.map((line) => line.length));
  const size = longest <= 24 && lines.length <= 12 ? " large" : "";
  return h("div", { class: "board text" },
    h("pre", { class: `picture${size}`, tabindex: 0, role: "img", "aria-label": `${legend} ${picture}` }, picture),
    h("div", { class: "row", role: "group", "aria-label": "Moves" }, legal.map((move) => h("button", {
      type: "button", class: move.text === hint ? "hint" : null, "data-at": move.text, onclick: () => play(move.text),
    }, move.name))));
}
