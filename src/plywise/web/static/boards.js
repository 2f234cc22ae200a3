// Draws boards from the data of plywise.web.views: a layout of places, an integer for the piece on each place, and the
// places of each move.  Boards consist of buttons, so they work with keyboards and screen readers; the buttons show SVG.
// A click calls `play(text)` with a legal move.

import { rolledPlaces } from "./dice.js";
import { h, s } from "./dom.js";
import { drawn, parts } from "./pieces.js";
import { Selecting } from "./selecting.js";
import { sheet as scoreSheet } from "./sheet.js";
import { Walking } from "./walking.js";

/**
 * Draw a position.
 * options: legal (the moves, as [{text, name, places, routes, selection}]; empty if it is not the user's turn), last (the places of
 * the last move), hint (the text of a move), flipped, legend (the name of the board), rolled (the faces of dice that roll now),
 * named (whether to keep room for moves without a place on the board), play(text), say(text).
 */
export function draw(element, view, options) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.at ?? "" : undefined;
  const selecting = options.legal.some(({ selection }) => selection) ? new Selecting(view, options) : null;
  const rolling = rolledPlaces(view, options.rolled ?? []);
  const board = view.kind === "text" ? picture(view, options) : KINDS[kindOf(view)](view, { ...withHint(options), selecting, rolling });
  const elsewhere = options.legal.filter((move) => isElsewhere(view, move));
  element.replaceChildren(h("div", { class: "board" }, board, moveButtons(elsewhere, board.contains(selecting?.button ?? null) ? null : selecting, options)));
  if (focused === undefined) return;
  const same = element.querySelector(`[data-at="${CSS.escape(focused)}"]`) ?? element.querySelector("button, [tabindex]");
  same?.focus({ preventScroll: true });
}

/** Whether a move has no place on the board, such as a pass. */
export function isElsewhere({ kind }, { places, selection }) {
  return !selection && (kind === "text" || !("from" in places || "to" in places));
}

const KINDS = { cells, columns, heaps, pits, sheet };

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
  if (!moves.length && !selecting) return named && h("div", { class: "row moves-by-name" });
  return h("div", { class: "row moves-by-name", role: "group", "aria-label": "Moves" }, selecting?.button, moves.map((move) => h("button", {
    type: "button", class: move.text === hint ? "hint" : null, "data-at": move.text, onclick: () => play(move.text),
  }, move.name)));
}

function sheet(view, options) {
  return scoreSheet(view, { ...options, playAt: (near, place, moves) => playAt(near, place, moves, view, options), roving });
}

/** Play a move of a place, or say why it has none. */
function playAt(near, place, moves, view, { legal, play, say }) {
  say(legal.length && !moves.length ? view.why_illegal[place] ?? "" : "");
  playOne(near, moves, play);
}

/** Play the only move, or let the user choose one. */
async function playOne(near, moves, play) {
  if (moves.length === 1) play(moves[0].text);
  else if (moves.length > 1) {
    const text = await choice(near, moves);
    if (text) play(text);
  }
}

/** Ask which of several moves to play; returns its text, or null. */
function choice(near, moves) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "choice", "aria-label": "Which move" },
      moves.map(({ text, name }) => h("button", { type: "button", onclick: () => dialog.close(text) }, name)));
    dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue || null); });
    near.parentElement.append(dialog);
    dialog.showModal();
  });
}

/** Let the arrow keys move the focus in a grid of buttons; Tab reaches only one of them. */
function roving(grid) {
  grid.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const cell = event.target.closest("[data-row]");
    if (!step || !cell) return;
    event.preventDefault();
    const row = Number(cell.dataset.row) + step[0], column = Number(cell.dataset.column) + step[1];
    const next = grid.querySelector(`[data-row="${row}"][data-column="${column}"]`);
    if (!next) return;
    grid.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
  return grid;
}

function classes(...words) {
  return words.filter(Boolean).join(" ");
}

/** Tell the stylesheet how many columns and rows of squares a board has, so that it fits the window. */
function measure(grid, columns, rows) {
  grid.style.setProperty("--columns", columns);
  grid.style.setProperty("--rows", rows);
}

function columnName({ bottom }, column) {
  return bottom[column] ?? String(column + 1);
}

/**
 * The name of a place: what is written on it, or from its column and row if they have names, else its number.  Names along the upper and the lower edge
 * stay there when the board is flipped: both players count from their own side.
 */
function nameOf(view, place, flipped = false) {
  if (view.numbers.length) return view.numbers[place];
  const column = place % view.columns, row = Math.floor(place / view.columns);
  const upper = 2 * (flipped ? view.rows - 1 - row : row) < view.rows;
  const names = view.top.length && (upper || !view.bottom.length) ? view.top : view.bottom;
  return (names[column] ?? "") + (view.left[row] ?? view.right[row] ?? "") || String(place + 1);
}

// Cells, and points where lines cross ----------------------------------------------------------------------------------

const DRAGGED_AFTER = 5; // pixels

function cells(view, { legal, last, hint, flipped, play, say, legend, selecting, rolling }) {
  const { columns: width, rows, cells: on, pieces } = view;
  const same = (place, other) => other !== undefined && stackOf(view, place) === stackOf(view, other);
  const here = (place) => legal.filter(({ routes }) => routes.some((route) => route.length === 1 && same(place, route[0])));
  const isEnd = (places, place) => places.from === place || places.to === place;
  const walking = new Walking(legal, same);
  const origins = new Set(walking.routes.map(({ route }) => route[0]));
  const sparse = view.kind !== "points" && on.some((piece, place) => piece === 0 && !here(place).length); // then mark the free cells
  const grid = h("div", { class: classes("cells", view.chequered && "chequered", view.kind === "points" && "points", view.stacks && "stacks", view.colour && "coloured"), role: "group", "aria-label": legend });
  measure(grid, width, rows);
  if (view.colour) grid.style.setProperty("--colour", view.colour);
  if (view.kind === "points") grid.append(lines(view, flipped));
  const buttons = new Map();
  let walker = null; // the piece that is under way, and its button

  for (let index = 0; index < width * rows; index++) {
    const place = flipped ? width * rows - 1 - index : index;
    const row = Math.floor(index / width), column = index % width, piece = on[place];
    const free = here(place).length > 0, marked = view.marked.includes(place), name = nameOf(view, place, flipped);
    const heard = [name, piece ? pieces[piece - 1].name : "empty", marked && view.mark_name].filter(Boolean).join(", ");
    const reachable = legal.some(({ routes }) => routes.flat().some((each) => same(place, each)));
    const button = h("button", {
      type: "button", "data-at": name, "data-place": place, "data-row": row, "data-column": column, "aria-label": heard,
      class: classes(
        "cell", (Math.floor(place / width) + place % width) % 2 && "dark", free && "free", free && sparse && "dot", marked && "marked",
        isEnd(last, place) && "last", (isEnd(hint, place) || selecting?.hints(place)) && "hint", walking.leaves(place) && "movable",
        view.stacks && origins.has(place) && "origin", stackOf(view, place) !== place && !isNumber(name) && "beside", selecting?.takes(place) && "selectable",
      ),
      tabindex: row === rows - 1 && column === 0 ? 0 : -1, "aria-disabled": reachable || selecting?.takes(place) ? false : "true",
    },
    view.kind === "points" && marked && crossing(row, column, rows, width),
    view.stacks > 0 && slice(view, row, name),
    view.numbers[place] && h("span", { class: "number", "aria-hidden": "true" }, view.numbers[place]),
    row === 0 && h("span", { class: "file above", "aria-hidden": "true" }, view.top[place % width] ?? ""),
    row === rows - 1 && h("span", { class: "file", "aria-hidden": "true" }, view.bottom[place % width] ?? ""),
    column === 0 && !view.numbers.length && h("span", { class: "rank", "aria-hidden": "true" }, (view.left.length ? view.left : view.right)[Math.floor(place / width)] ?? ""),
    piece > 0 && drawn(pieces[piece - 1], piece, rolling.has(place)));
    buttons.set(place, button);
    grid.append(button);
  }

  /** Show the places clicked so far, with the piece on the last of them, and those to click next. */
  function showPath() {
    const { path } = walking, next = walking.next(), ends = walking.ends();
    const passed = new Set(path.length ? walking.begun().flatMap(({ route }) => route.slice(0, path.length)) : []);
    for (const [each, button] of buttons) {
      button.classList.toggle("target", next.has(each));
      button.classList.toggle("end", ends.has(each) && !next.has(each));
      button.classList.toggle("chosen", passed.has(each));
      if (passed.has(each)) button.setAttribute("aria-pressed", "true");
      else button.removeAttribute("aria-pressed");
    }
    if (path.length === 1) walker = { piece: buttons.get(path[0]).querySelector(".piece"), home: buttons.get(path[0]) };
    if (walker?.piece) (buttons.get(path.at(-1)) ?? walker.home).append(walker.piece);
  }

  function forget() {
    walking.path = [];
    showPath();
  }

  /** Go on to a place, and play the move if it is complete; returns whether a move goes there. */
  function step(place) {
    const moves = walking.step(place);
    if (moves?.length) {
      forget();
      playOne(grid, moves, play);
    } else showPath();
    return moves !== null;
  }

  const placeOf = (element) => {
    const cell = element?.closest?.(".cell");
    return cell && grid.contains(cell) ? Number(cell.dataset.place) : undefined;
  };
  dragging(grid, { placeOf, canLeave: (place) => walking.leaves(place), button: (place) => buttons.get(place), forget, step });
  grid.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place === undefined) return;
    if (selecting?.takes(place)) {
      selecting.toggle(place, buttons.get(place));
      return;
    }
    const again = same(place, walking.path[0]);
    say("");
    if (step(place)) return;
    forget();
    if (!again && step(place)) return;
    playAt(grid, place, here(place), view, { legal, play, say });
  });
  grid.addEventListener("keydown", (event) => { if (event.key === "Escape") forget(); });
  return roving(grid);
}

/** All lines of a board of points, with a dot on each star. */
function lines({ columns, rows, stars }, flipped) {
  const across = Array.from({ length: rows }, (_, row) => `M12 ${24 * row + 12}H${24 * columns - 12}`);
  const down = Array.from({ length: columns }, (_, column) => `M${24 * column + 12} 12V${24 * rows - 12}`);
  const dots = stars.map((place) => (flipped ? columns * rows - 1 - place : place)).map((at) => s("circle", { cx: 24 * (at % columns) + 12, cy: 24 * Math.floor(at / columns) + 12, r: 2.2 }));
  return s("svg", { viewBox: `0 0 ${24 * columns} ${24 * rows}`, class: "lines", "aria-hidden": "true" }, s("path", { d: [...across, ...down].join("") }), dots);
}

/** The lines that meet at a marked point; there are fewer at the edge of the board. */
function crossing(row, column, rows, columns) {
  const d = `M${column ? 0 : 12} 12H${column < columns - 1 ? 24 : 12}M12 ${row ? 0 : 12}V${row < rows - 1 ? 24 : 12}`;
  return s("svg", { viewBox: "0 0 24 24", class: "crossing", "aria-hidden": "true" }, s("path", { d }));
}

/** What a click on a place means: the place, or the stack that it belongs to. */
function stackOf({ columns: width, rows, stacks }, place) {
  const row = Math.floor(place / width), column = place % width;
  if (!stacks || (row >= stacks && row < rows - stacks)) return place;
  return `${row < stacks ? "upper" : "lower"} ${column}`;
}

function isNumber(name) {
  return /^\d+$/.test(name);
}

/** A slice of the triangle under a stack, where its column has a number. */
function slice({ rows, stacks }, row, name) {
  const height = row < stacks ? row : row >= rows - stacks ? rows - 1 - row : -1;
  if (height < 0 || !isNumber(name)) return false;
  const wide = 12 * (1 - height / stacks), narrow = 12 * (1 - (height + 1) / stacks);
  const [above, below] = row < stacks ? [wide, narrow] : [narrow, wide];
  const d = `M${12 - above} 0H${12 + above}L${12 + below} 24H${12 - below}Z`;
  return s("svg", { viewBox: "0 0 24 24", class: classes("slice", Number(name) % 2 && "odd"), "aria-hidden": "true", preserveAspectRatio: "none" }, s("path", { d }));
}

/** Let the user drag pieces.  A press that hardly moves counts as a click, which has its own handler. */
function dragging(grid, { placeOf, canLeave, button, forget, step }) {
  let drag = null;
  grid.addEventListener("pointerdown", (event) => {
    const place = placeOf(event.target);
    if (event.button === 0 && place !== undefined && canLeave(place)) drag = { from: place, x: event.clientX, y: event.clientY, ghost: null };
  });
  grid.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAGGED_AFTER) {
      const origin = button(drag.from);
      grid.setPointerCapture(event.pointerId);
      drag.ghost = origin.querySelector(".piece")?.cloneNode(true) ?? h("span");
      drag.ghost.classList.add("ghost");
      drag.ghost.style.width = `${origin.offsetWidth}px`;
      origin.classList.add("lifted");
      grid.append(drag.ghost);
      forget();
      step(drag.from);
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
    if (!ghost) return;
    ghost.remove();
    button(from).classList.remove("lifted");
    const below = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (event.type !== "pointerup" || below === undefined || below === from || !step(below)) forget();
  };
  grid.addEventListener("pointerup", release);
  grid.addEventListener("pointercancel", release);
}

// Columns to drop pieces into ------------------------------------------------------------------------------------------

function columns(view, { legal, last, hint, play, say, legend }) {
  const { columns: width, rows, cells: on, pieces } = view;
  const grid = h("div", { class: "drop", role: "group", "aria-label": legend });
  measure(grid, width, rows);
  for (let column = 0; column < width; column++) {
    const places = Array.from({ length: rows }, (_, row) => row * width + column);
    const moves = legal.filter((move) => places.includes(move.places.to));
    const name = columnName(view, column);
    const stones = places.filter((place) => on[place]).reverse().map((place) => pieces[on[place] - 1].name);
    const drawing = places.map((place, row) => s("g", {
      transform: `translate(0 ${24 * row})`,
      class: classes("hole", view.marked.includes(place) && "marked", last.to === place && "last", moves.some((move) => move.places.to === place) && "next"),
    }, s("circle", { cx: 12, cy: 12, r: 9.8, class: "empty" }), on[place] && parts(pieces[on[place] - 1], on[place])));
    grid.append(h("button", {
      type: "button", class: classes("column", places.includes(hint.to) && "hint"), "data-at": name, "data-row": 0, "data-column": column,
      tabindex: column === Math.floor(width / 2) ? 0 : -1,
      "aria-label": `Column ${name}: ${stones.length ? `${stones.join(" ")} from the bottom up` : "empty"}`,
      "aria-disabled": moves.length ? false : "true", onclick: () => playAt(grid, column, moves, view, { legal, play, say }),
    }, s("svg", { viewBox: `0 0 24 ${24 * rows}`, "aria-hidden": "true" }, drawing), h("span", { class: "label" }, view.bottom[column] ?? "")));
  }
  return roving(grid);
}

// Heaps and pits -------------------------------------------------------------------------------------------------------

/** One heap per row, with its objects side by side: a click takes an object and all to its right. */
function heaps(view, { legal, hint, play, say, legend }) {
  const board = h("div", { class: "heaps", role: "group", "aria-label": legend });
  view.cells.forEach((size, heap) => {
    const name = nameOf(view, heap);
    const things = Array.from({ length: size }, (_, index) => {
      const count = size - index;
      const moves = legal.filter(({ places }) => places.from === heap && places.taken === count);
      return h("button", {
        type: "button", class: classes("thing", hint.from === heap && count <= hint.taken && "hint"), "data-at": `${name}${count}`,
        "aria-label": `Take ${count} from heap ${name}`, "aria-disabled": moves.length ? false : "true", onclick: () => playAt(board, heap, moves, view, { legal, play, say }),
      }, s("svg", { viewBox: "0 0 12 40", "aria-hidden": "true" }, s("rect", { x: 3, y: 3, width: 6, height: 34, rx: 3 })));
    });
    board.append(h("div", { class: "heap" }, h("span", { class: "name" }, name), things,
      size === 0 && h("span", { class: "soft small" }, "empty")));
  });
  return board;
}

/** Rows of pits with their names at the outer ends, and a store on each side. */
function pits(view, { legal, last, hint, play, say, legend }) {
  const { columns: width, rows, stores, cells: on } = view;
  const named = [view.numbers, view.left, view.right, view.top, view.bottom].some((names) => names.length > 0);
  const board = h("div", { class: "pits", role: "group", "aria-label": legend });
  board.style.gridTemplateColumns = `repeat(${width + (stores ? 2 : 0)}, minmax(0, 1fr))`;
  const pit = (place, properties, called, name) => {
    const moves = legal.filter(({ places }) => (places.from ?? places.to) === place);
    const ends = (places) => places.from === place || places.to === place;
    return h("button", {
      type: "button", "data-at": called, "aria-label": `${called}: ${on[place]} ${on[place] === 1 ? "stone" : "stones"}`,
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

/** Up to twelve stones, as dots in two rings; the number shows the rest. */
function seeds(count) {
  const shown = Math.min(count, 12);
  const dots = Array.from({ length: shown }, (_, i) => {
    const inner = i < 4, angle = (2 * Math.PI * (inner ? i : i - 4)) / (inner ? Math.min(shown, 4) : shown - 4);
    const far = shown === 1 ? 0 : inner ? 3.2 : 7.4;
    return s("circle", { cx: 12 + far * Math.sin(angle), cy: 12 - far * Math.cos(angle), r: 1.9 });
  });
  return s("svg", { viewBox: "0 0 24 24", class: "seeds", "aria-hidden": "true" }, dots);
}

// Any other game -------------------------------------------------------------------------------------------------------

function picture({ text }, { legend }) {
  const lines = text.split("\n");
  const longest = Math.max(...lines.map((line) => line.length));
  const size = longest <= 24 && lines.length <= 12 ? " large" : "";
  return h("pre", { class: `picture${size}`, tabindex: 0, role: "img", "aria-label": `${legend} ${text}` }, text);
}
