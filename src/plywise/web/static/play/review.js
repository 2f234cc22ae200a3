// A review of a game: the search looks at every position of a line, judges the moves, and says what was better.

import { counted, h } from "../dom.js";
import { events, sentence } from "../server.js";
import { VERDICTS } from "./movelist.js";
import { CHANCE } from "./tree.js";

const SECONDS = 0.5; // for each position
const BEST = "Best was "; // in verdicts, before the name of the move
const EARLIER = new RegExp(`(${Object.keys(VERDICTS).join("|")}): [^:]*?${BEST}.*?\\([^()]*\\)\\. ?`, "i"); // a verdict in the comment of a file

export class Review {
  /** onchange(): called when the verdict on another move, or the summary, is in the game. */
  constructor({ onchange }) {
    this.onchange = onchange;
    this.running = null;
    this.progress = ""; // how far it is
  }

  stop() {
    this.running?.abort();
    this.running = null;
    this.progress = "";
  }

  /** Review a game up to a node whose position is known. */
  async run(game, tip, session) {
    this.stop();
    const running = this.running = new AbortController();
    const order = { ...game.order(tip.texts()), seconds: SECONDS, session }, total = tip.position.moves.length + 1;
    const strayed = tip.path().find((node) => node.sibling(-1));
    const doing = strayed ? `Reviewing the variation with ${strayed.name}` : "Reviewing";
    let count = 0;
    tip.summary = "";
    this.progress = `${doing}: 0 of ${total} positions`;
    try {
      for await (const { name, data } of events("/api/play/review", order, running.signal)) {
        if (this.running !== running) return;
        if (name === "wrong") throw new Error(sentence(data.detail));
        if (name === "ply") {
          this.progress = `${doing}: ${++count} of ${total} positions`;
          judge(tip, data);
          this.onchange();
        }
        if (name === "done") {
          tip.summary = [...(strayed ? [`Variation with ${strayed.name}.`] : []), ...data.players.map(inWords)].join(" ");
          return;
        }
      }
      throw new Error("The review ended early.");
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    } finally {
      if (this.running === running) {
        this.stop();
        this.onchange();
      }
    }
  }
}

/** Note what the review says about a position of the line to `tip`; plies count rolls too. */
function judge(tip, { ply, value, text, verdict, comment, best }) {
  const nodes = [tip.root(), ...tip.path()], { movers } = tip.position;
  const before = movers.slice(0, ply).filter((mover) => mover !== CHANCE).length;
  if (value !== null) nodes[before].found = { value, text }; // a weak opponent may have thought otherwise
  if (ply >= movers.length || movers[ply] === CHANCE) return;
  const better = verdict && { text: best.text, name: best.name, places: best.places };
  const node = nodes[before + 1];
  forget(node);
  Object.assign(node, { verdict, judgement: comment, better });
}

/** Take the verdicts of an earlier review, and their marks, out of the remarks of a file. */
function forget(node) {
  for (let found; (found = EARLIER.exec(node.comment));) {
    const mark = VERDICTS[found[1].toLowerCase()];
    node.comment = node.comment.replace(found[0], "").trim();
    node.nags = node.nags.filter((nag) => nag !== mark);
  }
}

/** Write the verdict on a move, unless it is there already; a click on the better move calls `follow`, if that is given. */
export function drawRemark(element, { judgement, better }, follow) {
  const at = judgement.lastIndexOf(BEST) + BEST.length;
  const linked = Boolean(better && follow) && judgement.startsWith(better.name, at);
  if (element.textContent === judgement && Boolean(element.querySelector("button")) === linked) return;
  if (linked) {
    const button = h("button", { type: "button", class: "better", title: "Show it as a variation", onclick: follow }, better.name);
    element.replaceChildren(judgement.slice(0, at), button, judgement.slice(at + better.name.length));
  } else element.textContent = judgement;
}

/** How a player did, as a sentence. */
function inWords({ player, moves, best, verdicts }) {
  const faults = Object.entries(verdicts).map(([verdict, count]) => counted(count, verdict));
  return `${player}: ${faults.join(", ") || "no mistakes"}; ${best} of ${counted(moves, "move")} ${best === 1 || moves === 1 ? "was" : "were"} the best.`;
}
