// Moves that are made by selecting any number of places, such as the dice to keep: clicks select and deselect, and a
// button plays the move that means what is selected.  Dice with the same face may stand for each other.

import { h } from "./dom.js";
import { faceAt } from "./dice.js";

export class Selecting {
  constructor(view, { legal, hint, play }) {
    this.view = view;
    this.moves = legal.filter(({ selection }) => selection);
    this.play = play;
    this.hinted = this.moves.find(({ text }) => text === hint);
    this.selected = new Set();
    this.button = h("button", { type: "button", class: "primary", "data-at": "selected", onclick: () => this.play(this.meant().text) });
    this.looks = new Set(this.moves.flatMap(({ selection }) => selection.map((place) => this.look(place))));
    this.show();
  }

  /** What a place is for the choice of a move: a face, or the place itself. */
  look(place) {
    const face = faceAt(this.view, place);
    return face ? `face ${face}` : `place ${place}`;
  }

  /** Whether a click on a place selects it. */
  takes(place) {
    return this.looks.has(this.look(place));
  }

  hints(place) {
    return Boolean(this.hinted?.selection.includes(place));
  }

  /** Select a place, or deselect it, and show that on its button. */
  toggle(place, button) {
    if (!this.selected.delete(place)) this.selected.add(place);
    button.classList.toggle("selected", this.selected.has(place));
    button.setAttribute("aria-pressed", String(this.selected.has(place)));
    this.show();
  }

  /** The move that the selected places mean, if there is one. */
  meant() {
    const asked = this.looksOf([...this.selected]);
    return this.moves.find(({ selection }) => this.looksOf(selection) === asked);
  }

  looksOf(places) {
    return places.map((place) => this.look(place)).sort().join();
  }

  show() {
    const move = this.meant();
    this.button.textContent = move ? `Play ${move.name}` : "No move selects these";
    this.button.disabled = !move;
    this.button.classList.toggle("hint", Boolean(move) && move === this.hinted);
  }
}
