// What is drawn of a replay, with coordinates, before anything is drawn: visits, ends of moves left out, and edges.
//
// Room is kept for every text that a visit will ever have, so that nothing moves while the search goes on.

import { layout } from "./layout.js";

export const LINE = 15;  // the height of a line of a label
export const SHAPE = 30;  // the height of a triangle or a box
export const ROW = 13;  // the height of a row of a board
const LETTER = 6.9;  // the width of a letter of a label
const SMALL_LETTER = 5.9;  // the width of a letter of a reason
const EDGE = 50;  // between the lowest label of a level and the shapes of the next
const GAP = 16;
const REASON = 25;  // letters in a line of a reason
const MOST_ENDS = 6;  // moves left out that are drawn one by one
const END = 30;  // the distance between them

/** What stays the same for a story: the widths of its nodes and the height of its levels. */
export class Measures {
  constructor(story, { boards, reasons }) {
    this.reasons = reasons;
    this.cuts = new Map();
    const texts = story.visits.map((visit) => [visit.entry ?? "", story.named ? visit.player : ""]);
    for (const { visit, change } of story.steps) {
      if (visit === null) continue;
      if (change.window) texts[visit].push(`→ ${change.window}`);
      if (change.value) texts[visit].push(change.value);
      if (change.cut?.moves.length) this.cuts.set(visit, change.cut);
    }
    this.boards = story.visits.map((visit) => (boards && visit.board ? visit.board.split("\n") : []));
    this.widths = texts.map((each, visit) => Math.max(
      SHAPE + 6,
      LETTER * each.reduce((most, text) => Math.max(most, text.length), 0),
      LETTER * this.boards[visit].reduce((most, row) => Math.max(most, row.length), 0),
    ));
    const rows = this.boards.reduce((most, board) => Math.max(most, board.length), 0);
    const lines = 1 + story.named + 2 * story.visits.some((visit) => visit.entry);
    this.below = rows * ROW + lines * LINE;
    this.level = SHAPE + this.below + EDGE;
  }
}

/**
 * The drawing of one pass: {items, edges, width, height}.  An item is a visit {visit, hidden, x, y} or the end of moves
 * that were left out {parent, cut, ends, lines, x, y}; `x` is its middle, `y` the top of its shape.  Of a visit that is
 * collapsed only what leads to the current one is there; `hidden` says how many visits are not.
 */
export function scene(replay, measures, root, collapsed) {
  const onPath = new Set(replay.current === null ? [] : replay.path(replay.current));
  const items = [], children = [], widths = [];
  const add = (item, width, above) => {
    items.push(item);
    children.push([]);
    widths.push(width);
    if (above !== null) children[above].push(items.length - 1);
  };
  const waiting = [[root, null]];
  while (waiting.length) {
    const [visit, above] = waiting.pop();
    const all = replay.children[visit];
    const shown = collapsed.has(visit) ? all.filter((child) => onPath.has(child)) : all;
    const drawn = shown.reduce((sum, child) => sum + replay.sizes[child], 1);
    const here = items.length;
    add({ visit, hidden: replay.sizes[visit] - drawn, board: measures.boards[visit] }, measures.widths[visit], above);
    for (let i = shown.length - 1; i >= 0; i--) waiting.push([shown[i], here]);
  }
  for (let here = 0, visits = items.length; here < visits; here++) {  // what is left out comes last
    const parent = items[here].visit, cut = measures.cuts.get(parent);
    if (!cut || collapsed.has(parent)) continue;
    const ends = cut.moves.length > MOST_ENDS ? [`${cut.moves.length} moves`] : cut.moves;
    const lines = measures.reasons ? wrapped(cutText(cut), REASON) : [];
    const longest = (texts) => texts.reduce((most, text) => Math.max(most, text.length), 0);
    const width = Math.max(ends.length * END, longest(ends) * LETTER, longest(lines) * SMALL_LETTER);
    add({ parent, cut, ends, lines }, width, here);
  }
  const { x, y } = layout(children, widths, GAP);
  let width = 0, height = 0;
  items.forEach((item, i) => {
    Object.assign(item, { x: x[i], y: y[i] * measures.level, width: widths[i] });
    width = Math.max(width, item.x + item.width / 2);
    height = Math.max(height, item.y + SHAPE + Math.max(measures.below, (item.lines?.length ?? 0) * LINE));
  });
  const edges = children.flatMap((below, i) => below.map((child) => [items[i], items[child]]));
  return { items, edges, width, height };
}

/** Why moves were left out, and what would have been there. */
export function cutText(cut) {
  return cut.reason + (cut.unseen?.length ? `; never seen: ${cut.unseen.join(", ")}` : "");
}

/** Where the edges to moves left out end: one place for each. */
export function endsOf(item) {
  return item.ends.map((text, i) => ({ text, x: item.x + (i - (item.ends.length - 1) / 2) * END, y: item.y + 6 }));
}

/** A text in lines of at most so many letters, if its words allow that. */
function wrapped(text, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

/** Which visits to collapse at first, so that a large tree begins with about `most` of them. */
export function collapsedAtFirst(replay, most = 120) {
  const plies = [], levels = [];
  replay.story.visits.forEach(({ parent }, visit) => {
    plies[visit] = parent === null ? 0 : plies[parent] + 1;
    levels[plies[visit]] = (levels[plies[visit]] ?? 0) + 1;
  });
  let open = 0, sum = 0;  // so many levels are seen
  while (open < levels.length && (open < 2 || sum + levels[open] <= most)) sum += levels[open++];
  return new Set(plies.flatMap((ply, visit) => (ply >= open - 1 && replay.children[visit].length ? [visit] : [])));
}
