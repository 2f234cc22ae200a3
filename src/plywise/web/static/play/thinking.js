// The search for a move, and the panel that shows it live: the value, the depth, the positions visited and the expected line.

import { h } from "../dom.js";
import { events, sentence } from "../server.js";

export class Thinking {
  /** onchange(): called when a search begins and when it has ended. */
  constructor({ onchange }) {
    this.onchange = onchange;
    this.running = null;
    this.best = null; // what the search under way has found so far
    this.value = h("output", { class: "value" }, "–");
    this.said = h("span", { class: "small soft" });
    this.depth = h("dd");
    this.nodes = h("dd");
    this.speed = h("dd");
    this.line = h("dd", { class: "line" });
    this.element = h("section", { class: "card", "aria-labelledby": "search-title" },
      h("h2", { id: "search-title" }, "The search"),
      h("p", { class: "row" }, this.value, this.said),
      h("dl", { class: "facts" },
        h("div", {}, h("dt", {}, "Depth"), this.depth), h("div", {}, h("dt", {}, "Positions"), this.nodes),
        h("div", {}, h("dt", {}, "Per second"), this.speed), h("div", { class: "wide" }, h("dt", {}, "Line"), this.line)));
  }

  /** Search a position; `onfound(best)` is called with what is found on the way.  Returns the result, or null if it was stopped. */
  async search(order, onfound) {
    this.stop();
    const running = this.running = new AbortController();
    this.onchange();
    this.say("Thinking");
    try {
      for await (const { name, data } of events("/api/play/think", order, running.signal)) {
        if (this.running !== running) return null;
        if (name === "status") this.say(data.text || "Thinking");
        if (name === "wrong") throw new Error(sentence(data.detail));
        if (name === "info" || name === "done") {
          const best = this.best = { ...this.best, ...data };
          this.show(best);
          onfound(best);
          if (name === "done") return best;
        }
      }
      throw new Error("The search ended without a result.");
    } catch (error) {
      if (error.name === "AbortError") return null;
      throw error;
    } finally {
      if (this.running === running) {
        this.running = null;
        this.say("");
        this.onchange();
      }
    }
  }

  /** Stop the search; the server notices the disconnect. */
  stop() {
    const { running } = this;
    this.running = this.best = null;
    if (!running) return;
    running.abort();
    this.say("");
  }

  say(text) {
    this.said.textContent = text;
    this.said.classList.toggle("busy", Boolean(this.running));
  }

  /** Show what a search found, or that there was none. */
  show(found) {
    const notes = [found?.expected && "expected", found?.proven && "proven"].filter(Boolean).join(", ");
    this.value.textContent = found?.text ? found.text + (notes && ` (${notes})`) : "–";
    this.depth.textContent = found?.depth ?? (found?.to_end ? "to the end" : "–");
    this.nodes.textContent = found?.nodes === undefined ? "–" : found.nodes.toLocaleString("en");
    this.speed.textContent = found?.speed === undefined ? "–" : found.speed.toLocaleString("en");
    this.line.textContent = found?.line?.join(" ") || "–";
  }
}
