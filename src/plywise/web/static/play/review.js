// A review of a game: the search looks at every position of a line, judges the moves, and says what was better.

import { events, sentence } from "../server.js";

export class Review {
  /** onply(found): called for every position, with the verdict on the move that was played there; say(text): how far it is. */
  constructor({ onply, say }) {
    Object.assign(this, { onply, say });
    this.running = null;
  }

  stop() {
    this.running?.abort();
    this.running = null;
    this.say("");
  }

  /** Review the game of an order; `total` is its number of positions.  Returns how the players did, or null if it was stopped. */
  async run(order, total) {
    this.stop();
    const running = this.running = new AbortController();
    let count = 0;
    this.say(`Reviewing: 0 of ${total} positions`);
    try {
      for await (const { name, data } of events("/api/play/review", order, running.signal)) {
        if (this.running !== running) return null;
        if (name === "wrong") throw new Error(sentence(data.detail));
        if (name === "ply") {
          this.say(`Reviewing: ${++count} of ${total} positions`);
          this.onply(data);
        }
        if (name === "done") {
          this.say(data.players.map(inWords).join(" "));
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

/** How a player did, as a sentence. */
function inWords({ player, moves, best, verdicts }) {
  const faults = Object.entries(verdicts).map(([verdict, count]) => `${count} ${count === 1 ? verdict : plural(verdict)}`);
  return `${player}: ${faults.join(", ") || "no mistakes"}; ${best} of ${moves} moves were the best.`;
}

function plural(verdict) {
  return verdict.endsWith("y") ? `${verdict.slice(0, -1)}ies` : `${verdict}s`;
}
