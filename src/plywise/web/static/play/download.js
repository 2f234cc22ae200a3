// A game as a file: the whole tree of moves, with comments, annotations, the verdicts of a review, and what is known about the game.

import { save } from "../dom.js";
import { GLYPHS, VERDICTS } from "./movelist.js";

const MARKS = Object.fromEntries(Object.entries(GLYPHS).map(([nag, glyph]) => [glyph, Number(nag)]));

/** Save a game; `order` is its start as in requests, and `names` are those of the players, unless a file tells them. */
export async function download(api, order, tree, names) {
  const file = await api("/api/play/record", { ...order, moves: lineFrom(tree), comment: tree.comment, names, ...tree.told });
  save(file.text, file.type, file.name);
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

/** A move with what is said about it.  As in the list of moves, a verdict replaces the marks of the file. */
function remarked({ text, comment, nags, verdict, judgement }) {
  const judged = MARKS[VERDICTS[verdict]], said = comment.includes(judgement) ? comment : `${judgement} ${comment}`.trim();
  return { text, comment: said, nags: judged ? [judged, ...nags.filter((nag) => !GLYPHS[nag])] : nags };
}
