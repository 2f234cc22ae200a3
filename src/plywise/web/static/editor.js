// The board editor: pieces are put on the board by clicking, dragging or typing, and the server says whether this is a position.
//
//   const text = await editBoard(context, { game: "chess", parameters: "" }, position);
//
// `position` is what POST /api/play/position returns, of a game whose `view.editable` is true.  The text is that of the position
// that the user has set up; null if the user left the editor.

import { draw } from "./boards.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { drawn } from "./pieces.js";

const CHECKED_AFTER = 120; // milliseconds without a change
const DRAGGED_AFTER = 5; // pixels

/** Let the user set up a position. */
export function editBoard(context, chosen, position) {
  return new Editor(context, chosen, position).closed;
}

class Editor {
  constructor(context, chosen, { view, players, to_move: player }) {
    this.context = context;
    this.chosen = chosen;
    this.view = { ...view, falling: false, marked: [], why_illegal: {} }; // every cell is a button, also in a board of columns
    this.cells = [...view.cells];
    this.players = players;
    this.player = player ?? 0;
    this.sided = false; // whether the user has chosen the side to move
    this.brush = 1; // the piece to put; 0 erases
    this.text = null; // of the position, if it is one
    this.asked = 0; // only the latest answer counts
    this.build();
    this.check(0);
  }

  build() {
    const button = (name, onclick, properties = {}) => h("button", { type: "button", onclick, ...properties }, name);
    this.board = h("div", { class: "edited" });
    this.palette = h("div", { class: "palette", role: "group", "aria-label": "Pieces" }, this.view.pieces.map((piece, index) =>
      h("button", { type: "button", "data-brush": index + 1, "aria-label": piece.name, title: piece.name, onclick: () => this.choose(index + 1) }, drawn(piece, index + 1))),
      h("button", { type: "button", "data-brush": 0, title: "Erase", onclick: () => this.choose(0) }, "Erase"));
    this.sides = this.players.map((name, player) => h("input", { type: "radio", name: "to-move", value: player, onchange: () => this.side(player) }));
    this.status = h("p", { class: "verdict", role: "status" });
    this.use = h("button", { class: "primary" }, "Use this position");
    const dialog = openDialog("Set up a position", { class: "editor" },
      h("form", { class: "bench", onsubmit: (event) => { event.preventDefault(); if (this.text !== null) dialog.close(this.text); } },
        this.board,
        h("div", { class: "stack" }, this.palette,
          h("fieldset", { class: "row" }, h("legend", {}, "To move"), this.players.map((name, player) => h("label", { class: "inline" }, this.sides[player], name))),
          h("div", { class: "row" }, button("Empty board", () => this.fill(this.cells.map(() => 0))), button("Start position", () => this.begin())),
          this.status, this.use,
          h("p", { class: "small soft" }, "Click a square to put the piece there, click again to take it away. You can also drag pieces, erase with the right button or Delete, and type the letter of a piece."))));
    this.closed = dialog.closed.finally(() => { this.asked = Infinity; });
    this.listen(dialog.element);
    this.choose(1);
    this.show();
    this.palette.firstChild.focus();
  }

  listen(element) {
    this.board.addEventListener("click", (event) => { const place = placeOf(event.target); if (place !== null && !this.dragged) this.put(place, this.cells[place] === this.brush ? 0 : this.brush); });
    this.board.addEventListener("contextmenu", (event) => { const place = placeOf(event.target); if (place !== null) { event.preventDefault(); this.put(place, 0); } });
    this.board.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.carry(event));
    element.addEventListener("pointerup", (event) => this.release(event));
    element.addEventListener("pointercancel", () => this.let());
  }

  // Changes ----------------------------------------------------------------------------------------------------------

  choose(brush) {
    this.brush = brush;
    for (const each of this.palette.children) each.setAttribute("aria-pressed", String(Number(each.dataset.brush) === brush));
  }

  put(place, piece) {
    this.fill(this.cells.map((cell, each) => (each === place ? piece : cell)), place);
  }

  fill(cells, focus) {
    this.cells = cells;
    this.show(focus);
    this.check(CHECKED_AFTER);
  }

  side(player) {
    this.player = player;
    this.sided = true;
    this.check(0);
  }

  /** Put the pieces where they are at the start of a game. */
  begin() {
    this.ask(() => this.context.api("/api/play/position", { ...this.chosen, start: null, moves: [] }), ({ view, to_move: player }) => {
      this.player = player ?? 0;
      this.fill([...view.cells]);
    });
  }

  /** Delete erases a piece; typing its letter places one. */
  key(event) {
    const place = placeOf(event.target);
    if (place === null || event.ctrlKey || event.altKey || event.metaKey) return;
    const piece = event.key.length === 1 ? this.view.pieces.findIndex(({ symbol }) => symbol === event.key) + 1 : 0;
    if (!piece && event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    this.put(place, piece);
  }

  // Dragging: a piece of the palette or of the board, which goes away where there is no square -------------------------

  press(event) {
    const from = placeOf(event.target), brush = event.target.closest("[data-brush]");
    this.dragged = false;
    const piece = from !== null ? this.cells[from] : Number(brush?.dataset.brush ?? 0);
    this.held = event.button === 0 && piece > 0 ? { piece, from, x: event.clientX, y: event.clientY, ghost: null } : null;
  }

  carry(event) {
    const { held } = this;
    if (!held) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) > DRAGGED_AFTER) {
      const cell = this.board.querySelector("[data-place]");
      held.ghost = h("div", { class: "carried", "aria-hidden": "true" }, drawn(this.view.pieces[held.piece - 1], held.piece));
      held.ghost.style.width = `${cell.offsetWidth}px`;
      this.board.append(held.ghost);
      this.dragged = true;
      if (held.from !== null) this.board.querySelector(`[data-place="${held.from}"]`)?.classList.add("lifted");
    }
    if (!held.ghost) return;
    event.preventDefault();
    held.ghost.style.left = `${event.clientX}px`;
    held.ghost.style.top = `${event.clientY}px`;
  }

  release(event) {
    const { held } = this;
    if (!held?.ghost) return this.let();
    const to = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    const cells = this.cells.map((cell, place) => (place === to ? held.piece : place === held.from ? 0 : cell));
    this.let();
    this.fill(cells, to ?? undefined);
    setTimeout(() => { this.dragged = false; }); // after the click that follows
  }

  let() {
    this.held?.ghost?.remove();
    this.held = null;
  }

  // Display ----------------------------------------------------------------------------------------------------------

  /** Draw the board anew, so that nothing slides, and keep the focus on a square. */
  show(focus) {
    const inside = this.board.contains(document.activeElement);
    const place = focus ?? placeOf(document.activeElement);
    const drawing = h("div", { class: "table" });
    draw(drawing, { ...this.view, cells: this.cells }, { legal: [], last: {}, hint: null, flipped: false, legend: "Board to set up", named: false, play: () => {}, say: () => {} });
    for (const cell of drawing.querySelectorAll("[aria-disabled]")) cell.removeAttribute("aria-disabled"); // no moves, but they take pieces
    this.board.replaceChildren(drawing);
    const next = place === null || place === undefined ? null : this.board.querySelector(`[data-place="${place}"]`);
    if (!next) return;
    for (const cell of this.board.querySelectorAll('[data-place][tabindex="0"]')) cell.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    if (inside) next.focus({ preventScroll: true });
  }

  /** Ask the server whether this is a position, in a moment. */
  check(wait) {
    this.ask(() => this.position(), (position) => this.judge(position), wait);
  }

  /** Ask the server something, in a moment, and take its answer unless something else was asked meanwhile. */
  ask(question, take, wait = 0) {
    clearTimeout(this.timer);
    const mine = ++this.asked;
    this.text = null;
    this.use.disabled = true;
    this.timer = setTimeout(async () => {
      try {
        const answer = await question();
        if (mine === this.asked) take(answer);
      } catch (error) {
        if (mine === this.asked) this.judge(null, error.message);
      }
    }, wait);
  }

  /** The position that is set up, and who moves there.  Until the user chooses a side, the other one moves where this one cannot. */
  async position() {
    const asked = async (player) => ({ ...await this.context.api("/api/play/set-up", { ...this.chosen, cells: this.cells, player }), player });
    const { player } = this;
    try {
      return await asked(player);
    } catch (error) {
      for (let other = 0; !this.sided && other < this.players.length; other++) {
        const found = other === player ? null : await asked(other).catch(() => null);
        if (found) return found;
      }
      throw error;
    }
  }

  /** Say what the server says about the board. */
  judge(position, wrong = "") {
    this.text = position?.text ?? null;
    this.player = position?.player ?? this.player;
    this.use.disabled = this.text === null;
    this.status.classList.toggle("error", this.text === null);
    this.status.textContent = wrong || (position.over ? `The game is over here. ${position.over}` : `${this.players[position.to_move]} to move.`);
    this.sides.forEach((each, player) => { each.checked = player === this.player; });
  }
}

/** The place of the board that an element is on, or null. */
function placeOf(element) {
  const place = element?.closest?.(".edited [data-place]")?.dataset.place;
  return place === undefined ? null : Number(place);
}
