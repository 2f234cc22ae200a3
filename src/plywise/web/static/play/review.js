// A review of a game: the search looks at every position of a line, judges the moves, and says what was better.

import { events, sentence } from "../server.js";

export class Review {
  /** onply(ply, found): called for every position, with the verdict on the move that was played there. */
  constructor({ onply, say }) {
    Object.assign(this, { onply, say });
    this.running = null;
  }

  stop() {
    this.running?.abort();
    this.running = null;
    this.say("");
  }

  /** Review the game of an order, with so many moves; returns the summary, or null if it was stopped. */
  async run(order, seconds) {
    this.stop();
    const running = this.running = new AbortController();
    const total = order.moves.length + 1;
    this.say(`Reviewing: 0 of ${total} positions`);
    try {
      for await (const { name, data } of events("/api/play/review", { ...order, seconds }, running.signal)) {
        if (this.running !== running) return null;
        if (name === "wrong") throw new Error(sentence(data.detail));
        if (name === "ply") {
          this.say(`Reviewing: ${data.ply + 1} of ${total} positions`);
          this.onply(data);
        }
        if (name === "done") {
          this.say("");
          return data;
        }
      }
      throw new Error("The review ended early.");
    } catch (error) {
      this.say("");
      if (error.name === "AbortError") return null;
      throw error;
    } finally {
      if (this.running === running) this.running = null;
    }
  }
}
