// The left half of the Play room: the board, with whose turn it is, the clocks and the dice above it, and messages and buttons below it.

import { draw, isElsewhere } from "../boards.js";
import { die, rolledPlaces } from "../dice.js";
import { h } from "../dom.js";
import { sound } from "../sounds.js";
import { tallyText, turnText } from "./wording.js";

export class Stage {
  /**
   * meter: the evaluation bar beside the board; making: the line about the fast code; buttons: those below the board; play(text): make a
   * move; say(text): tell the user why there is none.
   */
  constructor({ meter, making, buttons, play, say }) {
    Object.assign(this, { play, say });
    this.notice = h("p", { class: "notice", role: "alert" });
    this.turn = h("span", { class: "turn" });
    this.tally = h("span", { class: "tally" });
    this.clocks = h("div", { class: "clocked" });
    this.rolled = h("p", { class: "rolled", hidden: true });
    this.board = h("div", { class: "table" });
    this.message = h("p", { class: "error", role: "alert" });
    this.remark = h("p", { class: "small remark", role: "status", hidden: true }); // what a review says of the move
    this.element = h("section", { class: "stack", "aria-label": "Board", inert: true }, // until there is a position
      this.notice, h("p", { class: "head" }, this.turn, this.tally), this.clocks, this.rolled,
      h("div", { class: "beside" }, meter, this.board),
      h("div", { class: "stack controls" }, h("div", { class: "says" }, this.message, making, this.remark), h("div", { class: "row" }, buttons)));
    this.drawing = false; // while the board is drawn
    this.flipped = false;
    this.reset();
  }

  /** Forget the game. */
  reset() {
    this.turnable = false; // whether the board can be flipped
    this.named = false; // whether the board has had moves without a place, whose buttons are below it
    this.forget();
  }

  /** Forget what was drawn over the position. */
  forget() {
    this.hint = null; // the text of a move
    this.mine = []; // the reader's own arrows
  }

  /** Turn the board so that the user sits below it. */
  seat({ side }, { view }) {
    this.flipped = side === String(1 - view.seat);
  }

  get isFlipped() {
    return this.flipped && this.turnable;
  }

  /** Show the position of a game; `rolled` if the dice have just fallen. */
  show(game, arrows, rolled) {
    this.element.inert = false;
    this.clocks.replaceChildren(...(game.clock ? [game.clock.element] : []));
    this.drawBoard(game, arrows, rolled);
    this.drawRolls(game.position, rolled);
    this.tally.textContent = tallyText(game.position);
  }

  showTurn(game) {
    this.turn.textContent = turnText(game);
    this.turn.classList.toggle("over", Boolean(game.over));
  }

  drawBoard(game, arrows, rolled = false) {
    const { position } = game;
    this.turnable ||= position.turnable;
    this.named ||= position.view.kind !== "text" && position.legal.some((move) => isElsewhere(position.view, move));
    this.drawing = true;
    const seen = draw(this.board, position.view, {
      legal: game.mayMove ? position.legal : [], last: position.last_places, route: position.last_route, hint: this.hint, flipped: this.isFlipped,
      legend: `Board. ${turnText(game)}.`, named: this.named, play: this.play, say: this.say,
      rolled: rolled ? position.rolls.at(-1).dice : [], arrows, mine: this.mine, ondraw: (mine) => { this.mine = mine; },
    });
    this.drawing = false;
    if (seen) sound(position.over ? "end" : seen);
  }

  /** Show the latest rolls and the seed.  Dice are drawn here unless the board shows them. */
  drawRolls({ seed, rolls, view, just_rolled: justRolled }, rolled) {
    this.rolled.hidden = seed === null;
    const outcome = ({ name, dice }) => {
      if (!dice.length) return h("span", { class: rolled ? "outcome rolling" : "outcome" }, name);
      if (justRolled && rolledPlaces(view, dice).size) return h("span", {}, name);
      return h("span", { class: "dice", role: "img", "aria-label": name }, dice.map((face) => die(face, rolled)));
    };
    this.rolled.replaceChildren(
      h("span", { class: "outcomes" }, rolls.length ? ["Rolled ", ...rolls.map(outcome)] : "No roll yet"),
      h("span", { class: "seed small soft" }, "Dice from seed ", h("code", {}, String(seed))));
  }
}
