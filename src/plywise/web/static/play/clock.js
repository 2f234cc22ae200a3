// A clock for two or more players, each with a time for the whole game and an increment for each move.

import { h } from "../dom.js";

const TICK = 100; // milliseconds
const LOW = 10_000; // from here on tenths are shown

/** The clocks to choose from, as minutes and seconds a move: "3+2". */
export const CLOCKS = ["1+0", "3+2", "5+3", "10+5", "15+10"];

export class Clock {
  /** form: such as "3+2"; names: of the players; onflag(player): a player's time is up; onlow(player): it is nearly up. */
  constructor(form, names, { onflag, onlow }) {
    this.form = form;
    const [minutes, seconds] = form.split("+").map(Number);
    this.increment = 1000 * seconds;
    this.left = names.map(() => 60_000 * minutes);
    Object.assign(this, { onflag, onlow });
    this.running = null; // the player whose time runs
    this.since = 0;
    this.times = names.map((name) => h("span", { class: "time", role: "timer", "aria-label": `Time of ${name}` }));
    this.element = h("p", { class: "clocks" }, names.map((name, player) => h("span", { class: "clock" }, h("span", { class: "soft small" }, name), this.times[player])));
    this.draw();
  }

  /** What a player has left, in milliseconds. */
  of(player) {
    return Math.max(0, this.left[player] - (this.running === player ? performance.now() - this.since : 0));
  }

  start(player) {
    this.stop();
    this.running = player;
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), TICK);
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    if (this.running !== null) this.left[this.running] = this.of(this.running);
    this.running = null;
    this.draw();
  }

  /** A player has moved; returns what all have left then. */
  press(player) {
    this.stop();
    this.left[player] += this.increment;
    this.draw();
    return [...this.left];
  }

  /** Go back to what all had left. */
  set(left) {
    this.stop();
    this.left = [...left];
    this.draw();
  }

  /** How many seconds to think about a move: a share of the time, and most of the increment. */
  budget(player) {
    const left = this.of(player);
    return Math.max(0.05, Math.min(60, left / 3000, left / 30_000 + 0.0008 * this.increment));
  }

  tick() {
    const player = this.running, left = this.of(player);
    if (left < LOW && left + TICK >= LOW) this.onlow(player);
    this.draw();
    if (left > 0) return;
    this.stop();
    this.onflag(player);
  }

  draw() {
    this.times.forEach((time, player) => {
      const text = clockText(this.of(player));
      if (time.textContent !== text) time.textContent = text;
      time.classList.toggle("running", this.running === player);
      time.classList.toggle("low", this.of(player) < LOW);
    });
  }
}

/** Milliseconds as minutes and seconds, with tenths when there are few. */
function clockText(left) {
  const seconds = left < LOW ? Math.floor(left / 100) / 10 : Math.ceil(left / 1000);
  const shown = left < LOW ? (seconds % 60).toFixed(1).padStart(4, "0") : String(seconds % 60).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${shown}`;
}
