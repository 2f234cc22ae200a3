// A game as a file: the whole tree of moves, with comments, annotations, the verdicts of a review, and what is known about the game.

import { save } from "../dom.js";
import { nagsOf } from "./movelist.js";

const ENDINGS = ["Result", "RE", "Termination"]; // the tags that say how a game ended

/** Save a game; `order` is its start as in requests, and `names` are those of the players, unless a file tells them. */
export async function download(api, order, tree, names) {
  const file = await api("/api/play/record", { ...order, moves: lineFrom(tree), comment: tree.comment, names, ...knownOf(tree) });
  save(file.text, file.type, file.name);
}

/** The tags and the result of a game.  What a file says of the end counts only while the main line is still that of the file. */
function knownOf(tree) {
  const { told } = tree, tip = tree.tip();
  if (told && !tip.result && told.line === tip.texts().join(" ")) return { tags: told.tags, result: told.result };
  const tags = told && Object.fromEntries(Object.entries(told.tags).filter(([name]) => !ENDINGS.includes(name)));
  return { tags, winner: tip.winner, reason: tip.reason };
}

/** The main line from a node, with the variations of its moves, as the server takes it. */
function lineFrom(node) {
  const line = [];
  while (node.children.length) {
    const [main, ...others] = node.children;
    line.push({ ...remarked(main), variations: others.map((other) => [remarked(other), ...lineFrom(other)]) });
    node = main;
  }
  return line;
}

/** A move with what is said about it. */
function remarked(node) {
  const { text, comment, judgement } = node;
  return { text, comment: `${judgement} ${comment}`.trim(), nags: nagsOf(node) };
}
