// A review of a game: the search looks at every position of a line, judges the moves, and says what was better.

import { events, sentence } from "../server.js";
import { CHANCE } from "./tree.js";

const SECONDS = 0.5; // for each position

export class Review {
  /** onply(): called when the verdict on another move is in the tree; say(text): how far it is. */
  constructor({ onply, say }) {
    Object.assign(this, { onply, say });
    this.running = null;
  }

  stop() {
    this.running?.abort();
    this.running = null;
    this.say("");
  }

  /** Review a game up to a node whose position is known.  Returns how the players did, or null if it was stopped. */
  async run(game, tip, session) {
    this.stop();
    const running = this.running = new AbortController();
    const order = { ...game.order(tip.texts()), seconds: SECONDS, session }, total = tip.position.moves.length + 1;
    let count = 0;
    this.say(`Reviewing: 0 of ${total} positions`);
    try {
      for await (const { name, data } of events("/api/play/review", order, running.signal)) {
        if (this.running !== running) return null;
        if (name === "wrong") throw new Error(sentence(data.detail));
        if (name === "ply") {
          this.say(`Reviewing: ${++count} of ${total} positions`);
          judge(tip, data);
          this.onply();
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

/** Note what the review says about a position of the line to `tip`; plies count rolls too. */
function judge(tip, { ply, value, text, verdict, comment }) {
  const nodes = [tip.root(), ...tip.path()], { movers } = tip.position;
  const before = movers.slice(0, ply).filter((mover) => mover !== CHANCE).length;
  if (value !== null) nodes[before].found = { value, text }; // a weak opponent may have thought otherwise
  if (ply < movers.length && movers[ply] !== CHANCE) Object.assign(nodes[before + 1], { verdict, judgement: comment });
}

/** How a player did, as a sentence. */
function inWords({ player, moves, best, verdicts }) {
  const faults = Object.entries(verdicts).map(([verdict, count]) => `${count} ${count === 1 ? verdict : plural(verdict)}`);
  return `${player}: ${faults.join(", ") || "no mistakes"}; ${best} of ${moves} moves were the best.`;
}

function plural(verdict) {
  return verdict.endsWith("y") ? `${verdict.slice(0, -1)}ies` : `${verdict}s`;
}
