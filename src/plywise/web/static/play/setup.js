// The form for a new game: which game, which side, how strong the search is, its time or a clock, and how the game starts.

import { h } from "../dom.js";
import { setSounds } from "../sounds.js";
import { readSeed } from "./address.js";
import { CLOCKS } from "./clock.js";

const TIMES = [[0.1, "0.1 seconds"], [0.5, "0.5 seconds"], [1, "1 second"], [3, "3 seconds"], [10, "10 seconds"], [30, "30 seconds"]];
const USUAL_LEVEL = "Casual";

/** What a browser that remembers nothing begins with. */
export const USUAL = { game: "", parameters: "", side: "0", level: USUAL_LEVEL, seconds: 1, clock: "", sounds: false };

export class SetupForm {
  /**
   * setup: what was chosen last; onsubmit({setup, start, seed}): the user wants this game; onchange(setup, other): the user has changed
   * something for the game on the board; `other` if it was the side.
   */
  constructor(setup, { onsubmit, onchange }) {
    Object.assign(this, { setup, onsubmit, onchange });
    const change = () => this.change();
    this.game = h("select", { name: "game", onchange: () => this.chooseGame() });
    this.about = h("p", { class: "small soft about" });
    this.parameters = h("input", { name: "parameters", autocomplete: "off", spellcheck: "false" });
    this.side = h("select", { name: "side", onchange: change });
    this.strength = h("select", { name: "level", onchange: change });
    this.seconds = h("select", { name: "seconds", onchange: change }, TIMES.map(([value, name]) => h("option", { value }, name)));
    this.clock = h("select", { name: "clock", onchange: change }, h("option", { value: "" }, "none"), CLOCKS.map((form) => h("option", {}, form)));
    this.sounds = h("input", { name: "sounds", type: "checkbox", onchange: change });
    this.now = h("code", { class: "position", tabindex: 0 });
    this.start = h("input", { name: "start", autocomplete: "off", spellcheck: "false" });
    this.seed = h("input", { name: "seed", autocomplete: "off", inputmode: "numeric", placeholder: "random" });
    this.refusal = h("p", { class: "error", role: "alert", tabindex: 0 }); // it may be long enough to scroll, as may the position
    this.element = this.build();
  }

  build() {
    const field = (label, control) => h("label", {}, label, control);
    this.parametersField = field("Parameters", this.parameters);
    this.secondsField = field("Time per move", this.seconds);
    this.seedField = field("Seed of the dice, to repeat a game", this.seed);
    this.more = h("details", {}, h("summary", {}, "Set up a position, a clock and more"),
      h("div", { class: "stack" },
        field("Position as text", this.start),
        h("p", { class: "small soft" }, "In the game's notation. Now on the board: ", this.now),
        h("div", { class: "three" }, this.parametersField, this.seedField, field("Clock", this.clock))));
    return h("form", { class: "card stack setup", "aria-label": "New game", onsubmit: (event) => { event.preventDefault(); this.submit(); } },
      field("Game", this.game), this.about,
      h("div", { class: "three" }, field("You play", this.side), field("Strength", this.strength), this.secondsField),
      this.more, this.refusal,
      h("div", { class: "row begin" }, h("button", { class: "primary" }, "New game"), h("label", { class: "inline small" }, this.sounds, "Sounds")));
  }

  /** Fill in the games and levels that the server offers, and what was asked for. */
  furnish(games, levels, { start, seed }) {
    const { setup } = this;
    Object.assign(this, { games, levels });
    this.game.append(...games.map((game) => h("option", { value: game.name }, game.title)));
    this.strength.append(...levels.map(({ name }) => h("option", {}, name)));
    if (!levels.some(({ name }) => name === setup.level)) setup.level = USUAL_LEVEL; // the browser remembers one that there was before
    if (!CLOCKS.includes(setup.clock)) setup.clock = "";
    this.strength.value = setup.level;
    this.seconds.value = setup.seconds;
    this.clock.value = setup.clock;
    this.sounds.checked = setup.sounds;
    setSounds(setup.sounds);
    this.fill({ setup, start, seed });
    if (start || seed !== null) this.more.open = true;
    this.showTimes();
  }

  /** Fill in the game that is on the board. */
  show({ setup, start, seed }, players) {
    this.setup = setup;
    this.fill({ setup, start, seed });
    this.offerSides(players);
  }

  fill({ setup: { game, parameters }, start, seed }) {
    this.game.value = game;
    this.parameters.value = parameters;
    this.start.value = start ?? "";
    this.seed.value = seed ?? "";
    this.showGame();
  }

  /** The chosen level as the server counts them. */
  get level() {
    return this.strength.selectedIndex + 1;
  }

  showGame() {
    const card = this.games.find((game) => game.name === this.game.value);
    this.about.textContent = card.about;
    this.parametersField.hidden = !card.parameters;
    this.parameters.placeholder = this.parameters.title = card.parameters;
    this.seedField.hidden = !card.dice;
  }

  /** The time per move counts only for levels that use it, and without a clock. */
  showTimes() {
    const level = this.levels.find(({ name }) => name === this.setup.level);
    this.secondsField.hidden = !level.timed || Boolean(this.setup.clock);
  }

  offerSides(players) {
    const { setup } = this;
    const sides = [...players.map((name, index) => [String(index), name]), ["both", "All sides"], ["none", "None: watch"]];
    if (!sides.some(([value]) => value === setup.side)) setup.side = "0";
    this.side.replaceChildren(...sides.map(([value, name]) => h("option", { value }, name)));
    this.side.value = setup.side;
  }

  /** Start the chosen game at once, so that the board matches the name. */
  chooseGame() {
    this.parameters.value = this.start.value = this.seed.value = "";
    this.showGame();
    this.submit();
  }

  /** What the fields say. */
  wanted() {
    return {
      game: this.game.value, parameters: this.parameters.value.trim(), side: this.side.value || "0", level: this.strength.value,
      seconds: Number(this.seconds.value), clock: this.clock.value, sounds: this.sounds.checked,
    };
  }

  submit() {
    this.onsubmit({ setup: this.wanted(), start: this.start.value.trim() || null, seed: this.seedField.hidden ? null : readSeed(this.seed.value) });
  }

  /** Change the side, the strength, the time or the sounds during a game; a clock is for the next one. */
  change() {
    const { side, level, seconds, clock, sounds } = this.wanted(), other = this.setup.side !== side;
    Object.assign(this.setup, { side, level, seconds, clock, sounds });
    this.showTimes();
    setSounds(sounds);
    this.onchange(this.setup, other);
  }
}
