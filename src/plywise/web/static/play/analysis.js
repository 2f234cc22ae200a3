// Analysis: the search runs for as long as a position is on the board, and shows its best lines, an evaluation bar and arrows.
// It stops when the tab is hidden, and goes on when it is seen again.

import { arrowsFor } from "../arrows.js";
import { h, say } from "../dom.js";
import { events, sentence } from "../server.js";

const LINES = 3;
const KINDS = ["best", "second", "third"]; // of arrows
const CLICKED_AFTER = 50; // the most milliseconds between a pointer that goes up and its click

export class Analysis {
  /**
   * order(): what to search, as in requests, or null for no search; session: whose engine; play(texts): play some moves
   * from the position on the board; onfound(found): called with what the search has found so far; complain(error).
   */
  constructor({ order, session, play, onfound, complain }) {
    Object.assign(this, { order, session, play, onfound, complain });
    this.lines = [];
    this.drawn = []; // the lines in the list: while a pointer is down on it, they stay as they are
    this.held = false; // whether one is
    this.searching = null;
    this.list = h("ol", { class: "best-lines", "aria-label": "Best lines" });
    this.facts = h("p", { class: "small soft figures" });
    this.status = h("p", { class: "small soft waits" }); // it changes too often to be heard where analyses take turns
    this.bar = h("div", { class: "level" });
    this.meter = h("div", { class: "meter", role: "meter", "aria-label": "Evaluation", "aria-valuemin": -1, "aria-valuemax": 1, "aria-valuenow": 0 }, this.bar);
    this.list.addEventListener("pointerdown", () => this.hold());
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.open = new AbortController();
    const { signal } = this.open;
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => this.release(), { signal });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.stop() : this.begin()), { signal });
  }

  close() {
    this.stop();
    this.open.abort();
  }

  hold() {
    clearTimeout(this.releasing);
    this.held = true;
  }

  /** Show what was found meanwhile, after the click. */
  release() {
    if (!this.held) return;
    this.releasing = setTimeout(() => {
      this.held = false;
      this.drawLines();
    }, CLICKED_AFTER);
  }

  /** Forget the position; `begin` starts with the one that is on the board now. */
  forget() {
    this.stop();
    this.lines = this.drawn = [];
    this.list.replaceChildren();
    this.facts.textContent = this.status.textContent = "";
  }

  stop() {
    this.searching?.abort();
    this.searching = null;
  }

  /** Search the position on the board. */
  async begin() {
    const order = document.hidden ? null : this.order();
    this.stop();
    if (!order) return;
    const searching = this.searching = new AbortController();
    this.say("Searching");
    try {
      for await (const { name, data } of events("/api/play/analyse", { ...order, session: this.session, lines: LINES }, searching.signal)) {
        if (this.searching !== searching) return;
        if (name === "wrong") throw new Error(sentence(data.detail));
        if (name === "status") this.say(data.text || "Searching");
        else this.found(data);
        if (name === "done") this.say("The search is complete.");
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      this.say("");
      this.complain(error);
    } finally {
      if (this.searching === searching) this.searching = null;
    }
  }

  say(text) {
    say(this.status, text);
  }

  found(data) {
    this.say("");
    this.lines = data.lines;
    this.facts.textContent = figures(data);
    if (!this.held) this.drawLines();
    this.onfound(data);
  }

  /** Show the lines.  Buttons are kept and renamed, so that a click or the focus is not lost to an update. */
  drawLines() {
    const { list, lines } = this;
    this.drawn = lines;
    while (list.children.length > lines.length) list.lastChild.remove();
    lines.forEach(({ text, proven, moves }, rank) => {
      const item = list.children[rank] ?? list.appendChild(h("li", {}, h("span", { class: "worth" }), h("span", { class: "way" })));
      const [worth, way] = item.children;
      worth.textContent = text.replace(/^estimate: /, "") + (proven ? " ✓" : "");
      worth.title = proven ? "proven" : "an estimate";
      while (way.children.length > moves.length) way.lastChild.remove();
      moves.forEach(({ name }, index) => {
        const button = way.children[index] ?? way.appendChild(h("button", { type: "button", class: "quiet", "data-rank": rank, "data-index": index }));
        if (button.textContent !== name) button.textContent = name;
      });
    });
  }

  clicked({ target }) {
    const button = target.closest("button");
    const line = button && this.drawn[button.dataset.rank];
    if (line) this.play(line.moves.slice(0, Number(button.dataset.index) + 1).map(({ text }) => text));
  }

  /** Arrows for the first moves of the lines; `legal` says where they are on the board. */
  arrows(legal) {
    const placesOf = (move) => legal.find(({ text }) => text === move?.text)?.places;
    return this.lines.slice(0, KINDS.length).flatMap(({ moves }, rank) => arrowsFor(placesOf(moves[0]), KINDS[rank]));
  }

  /** Show a value on the bar; it is Max's. */
  show(found, scale, flipped) {
    const value = found?.value ?? 0;
    const [low, high] = scale ?? [-Math.max(1, Math.abs(value)), Math.max(1, Math.abs(value))];
    const shown = Math.max(low, Math.min(high, value));
    const { meter, bar } = this;
    meter.setAttribute("aria-valuemin", low);
    meter.setAttribute("aria-valuemax", high);
    meter.setAttribute("aria-valuenow", shown);
    meter.setAttribute("aria-valuetext", found?.text ?? "not known yet");
    meter.title = found?.text ?? "";
    meter.classList.toggle("flipped", flipped);
    bar.style.height = `${100 * (shown - low) / (high - low)}%`;
  }
}

/** How far a search has come. */
function figures({ depth, nodes, speed, compiled }) {
  if (depth === 0) return "at a glance, before the search";
  const far = depth === null ? "to the end" : `depth ${depth}`;
  return `${far}, ${nodes.toLocaleString("en")} positions, ${speed.toLocaleString("en")} per second${compiled ? "" : ", in plain Python"}`;
}
