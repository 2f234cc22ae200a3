// Arrow keys in the Play room: they walk through the moves of the game, except where they move between the squares of the board,
// after Tab, or within a field.

export class Keys {
  /** element: the room; board; drawing(): whether the board is being drawn; game(): the game on it, or null. */
  constructor({ element, board, drawing, game }) {
    Object.assign(this, { board, game });
    this.byPointer = false; // whether the square that has the focus was clicked
    this.pressed = false; // while a pointer goes down
    board.addEventListener("pointerdown", () => { this.byPointer = true; });
    board.addEventListener("focusin", () => { if (!drawing() && !this.pressed) this.byPointer = false; });
    element.addEventListener("pointerdown", () => { this.pressed = true; setTimeout(() => { this.pressed = false; }); }, true);
    this.walk = (event) => this.walked(event);
    document.addEventListener("keydown", this.walk, true);
  }

  close() {
    document.removeEventListener("keydown", this.walk, true);
  }

  walked(event) {
    const { target, key } = event, game = this.game();
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !game || document.querySelector("dialog[open]")) return;
    if (target.closest("input, select, textarea, .pw-view")) return;
    if (this.board.contains(target) && !this.byPointer) return; // the keys move between squares
    const { tree, at } = game;
    const next = {
      ArrowLeft: () => at.parent, ArrowRight: () => at.children[0], Home: () => tree, End: () => at.tip(),
      ArrowUp: () => at.sibling(-1), ArrowDown: () => at.sibling(1),
    }[key]?.();
    if (!next || next === at) return;
    event.preventDefault();
    event.stopPropagation();
    game.go(next);
  }
}
