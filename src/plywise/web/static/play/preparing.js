// While a game is compiled: asks the server for its fast code, for as long as the game is on the board, and says how far that is.

import { h, say } from "../dom.js";
import { events } from "../server.js";

const MADE_FOR = 5000; // milliseconds for which the line stays when the fast code is ready

export class Preparing {
  constructor() {
    this.running = null;
    this.said = h("span");
    this.share = h("span", { "aria-hidden": "true" }); // it changes too often to be heard
    this.bar = h("progress", { max: 1, "aria-label": "Fast code" });
    this.element = h("div", { class: "making small soft", role: "status", hidden: true }, h("span", {}, this.said, this.share), this.bar);
  }

  /** Have a game compiled, and show how far that is. */
  async begin(chosen) {
    if (this.running) return;
    const running = this.running = new AbortController();
    try {
      for await (const { name, data } of events("/api/play/prepare", chosen, running.signal)) {
        if (this.running !== running) return;
        if (name === "progress") this.show(data);
        else if (name === "done") this.showDone();
        else this.element.hidden = true;
      }
    } catch {
      if (this.running === running) this.element.hidden = true; // the search will report the error
    }
  }

  /** Stop waiting for the compilation.  It goes on if another client wants it. */
  stop() {
    this.running?.abort();
    this.running = null;
    this.element.hidden = true;
  }

  /** Say that the fast code is being made, and how far that is; `share` is null if others come first. */
  show({ share, left }) {
    const wait = share === null ? "other games come first" : `${Math.floor(100 * share)} %, about ${Math.max(1, Math.round(left))} s left`;
    this.element.hidden = false;
    say(this.said, "The fast code is being made");
    this.share.textContent = `: ${wait}.`;
    this.bar.hidden = share === null;
    this.bar.value = share ?? 0;
  }

  /** Say that the fast code is ready, for a while, if anyone had to wait for it. */
  showDone() {
    const { running } = this;
    if (this.element.hidden) return;
    say(this.said, "The fast code is ready.");
    this.share.textContent = "";
    this.bar.hidden = true;
    setTimeout(() => {
      if (this.running === running) this.element.hidden = true;
    }, MADE_FOR);
  }
}
