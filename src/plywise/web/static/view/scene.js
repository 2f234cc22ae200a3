// What is drawn of a replay, with coordinates, before anything is drawn: nodes and edges.  The measures are those of
// plywise/explain/figure.py, so that the page and the files that it exports look alike.
//
// Room is kept for every text that a node will ever have, so that nothing moves while the search goes on.

import { layout } from "./layout.js";
import { miniatureSize } from "./miniature.js";
import { labelsOf } from "./story.js";

export const SIZES = { value: 14, entry: 11, now: 11, interval: 11, board: 11, move: 12, bound: 11, reason: 11 };
export const TEXT_GAP = 3;
export const ROOF = 13;
export const LABEL_AT = 0.6;  // where on an edge its label is
export const TRIANGLE_HEIGHT = 38;
const TRIANGLE = 46;
const BOX = [30, 28];
const GAP = 14;
const EDGE = 40;
const BOLD = new Set(["value", "now"]);
const NARROW = new Set("iljtfrI.,:;'|!()[] ");
const WIDE = new Set("mwMWAOQGC≥≤∞→…+=<>");

/** About how wide a text is, rather more than less. */
export function textWidth(text, style) {
  if (style === "board") return 0.61 * SIZES.board * text.length;
  let ems = 0;
  for (const letter of text) ems += NARROW.has(letter) ? 0.38 : WIDE.has(letter) ? 0.86 : 0.6;
  return ems * SIZES[style] * (BOLD.has(style) ? 1.06 : 1);
}

export function lineHeight(style) {
  return SIZES[style] * 1.2;
}

/** What stands on the edge to a node, line by line: [text, style]. */
export function edgeLines(facts, bound, reason) {
  const move = facts.way ? `${facts.move} ${facts.way}` : facts.move;
  return [...(move ? [[move, "move"]] : []), ...(bound ? [[bound, "bound"]] : []), ...reason.map((line) => [line, "reason"])];
}

/** The sizes of all nodes of a story, whether they are seen or not. */
export class Measures {
  constructor(story, { boards, reasons, leaves, notation }) {
    this.notation = notation;
    this.boards = boards;
    this.leaves = leaves;
    this.reasons = reasons;
    this.visits = story.visits;
    this.layout = story.board;
    this.looks = story.visits.map(() => ({}));  // of each visit all values, windows and intervals that it will have
    const gather = (visit, name, text) => text && (this.looks[visit][name] ??= []).push(text);
    for (const { visit, change, known = [] } of story.steps) {
      for (const name of ["value", "window"]) gather(visit, name, change[name]);
      for (const [place, interval] of known) gather(place, "interval", interval);
    }
    this.forms = story.visits.map((facts, visit) => this.form(facts, this.looks[visit], []));
  }

  /** The value of a leaf, if it is shown before the search knows it. */
  known(facts, value) {
    return this.leaves && isLeaf(facts) ? value ?? "" : "";
  }

  /** The lines of a position's board, or the integers of one that is drawn. */
  board(facts) {
    return (this.boards && (facts.cells ?? facts.board)) || [];
  }

  /** The size of a board. */
  boardSize(facts, board) {
    if (facts.cells) return miniatureSize(this.layout);
    return [board.reduce((most, row) => Math.max(most, textWidth(row, "board")), 0), board.length * lineHeight("board")];
  }

  reason(parent) {
    return (this.reasons && this.visits[parent].reason) || [];
  }

  /** The size of a shape, of what is above and below it, and of all, for all texts of `looks`. */
  form(facts, looks, reason) {
    const widest = (texts, style) => [texts ?? []].flat().reduce((most, text) => Math.max(most, textWidth(text, style)), 0);
    const labels = labelsOf(facts, looks, this.notation);
    const board = this.board(facts), value = widest(labels.value, "value");
    let width, height;
    if (board.length) {
      const roofs = { up: 1, down: 1, memo: 2 }[facts.shape] ?? 0;
      const [wide, high] = this.boardSize(facts, board);
      width = Math.max(wide, value) + 16;
      height = high + lineHeight("value") + 12 + roofs * ROOF;
    } else if (["up", "down", "memo"].includes(facts.shape)) {
      width = Math.max(TRIANGLE, value / 0.55 + 8);
      height = TRIANGLE_HEIGHT;
    } else {
      width = Math.max(BOX[0], value + 12);
      height = BOX[1];
    }
    const above = labels.above ? lineHeight("entry") + TEXT_GAP : 0;
    const below = labels.below ? lineHeight("now") + TEXT_GAP : 0;
    const lines = edgeLines(facts, labels.bound, reason);
    const room = Math.max(
      width, widest(labels.above, "entry"), widest(labels.below, "now"),
      ...lines.map(([text, style]) => textWidth(text, style) / LABEL_AT),
    );
    return { width, height, above, below, room, lines };
  }
}

/**
 * The drawing of one pass: {items, edges, width, height}.  An item has its `facts`, its `form`, and the middle of its
 * shape, `x` and `y`; `known` is what is shown of it in advance; it is a `visit`, or else a ghost, what the cut at the visit `cutAt` left out.  Of a visit that is
 * collapsed only what leads to the current one is there; `hidden` says how many visits are not.  An edge is
 * {from, to, points}.
 */
export function scene(replay, measures, root, collapsed) {
  const onPath = new Set(replay.current === null ? [] : replay.path(replay.current));
  const items = [], children = [];
  const waiting = [{ visit: root, above: null }];
  while (waiting.length) {
    const { visit, ghost, cutAt, first, above } = waiting.pop();
    const here = items.length;
    children.push([]);
    if (above !== null) children[above].push(here);
    if (visit === undefined) {
      const form = measures.form(ghost, { value: ghost.value }, first ? measures.reason(cutAt) : []);
      items.push({ facts: ghost, form, cutAt, known: measures.known(ghost, ghost.value), isCutOff: above !== null && items[above].visit !== undefined });
      const below = ghost.children ?? [];
      for (let i = below.length - 1; i >= 0; i--) waiting.push({ ghost: below[i], cutAt, above: here });
      continue;
    }
    const all = replay.children[visit], closed = collapsed.has(visit);
    const shown = closed ? all.filter((child) => onPath.has(child)) : all;
    const drawn = shown.reduce((sum, child) => sum + replay.sizes[child], 1);
    const facts = measures.visits[visit];
    items.push({
      facts, visit, form: measures.forms[visit], hidden: replay.sizes[visit] - drawn, board: measures.board(facts),
      known: measures.known(facts, measures.looks[visit].value?.[0]),
    });
    const ghosts = closed ? [] : facts.left_out ?? [];
    for (let i = ghosts.length - 1; i >= 0; i--) waiting.push({ ghost: ghosts[i], cutAt: visit, first: i === 0, above: here });
    for (let i = shown.length - 1; i >= 0; i--) waiting.push({ visit: shown[i], above: here });
  }
  const { x, y: levels } = layout(children, items.map(({ form }) => form.room), GAP);
  const rows = rowsOf(items, levels);
  let width = 0;
  items.forEach((item, i) => {
    item.x = x[i];
    item.y = rows[levels[i]].shapes + item.form.height / 2;
    width = Math.max(width, item.x + item.form.room / 2);
  });
  const edges = children.flatMap((below, i) => below.map((child) => ({
    from: items[i], to: items[child], points: pointsOf(items[i], items[child], rows[levels[i]], rows[levels[child]]),
  })));
  return { items, edges, width, height: rows.at(-1).bottom };
}

/** Where each level is: its upper edge, the upper edge of its shapes, its lower edge. */
function rowsOf(items, levels) {
  const sizes = [];
  items.forEach(({ form, hidden }, i) => {
    const size = (sizes[levels[i]] ??= { up: 0, down: 0, labels: 0 });
    size.up = Math.max(size.up, form.above);
    size.down = Math.max(size.down, form.height + form.below + (hidden ? 24 : 0));
    size.labels = Math.max(size.labels, form.lines.reduce((sum, [, style]) => sum + lineHeight(style), 0));
  });
  let top = 0;
  return sizes.map(({ up, down, labels }, level) => {
    if (level) top += EDGE + labels;
    const row = { top, shapes: top + up, bottom: top + up + down };
    top = row.bottom;
    return row;
  });
}

/** An edge goes straight down beside taller neighbours before it bends, so that it never runs into them. */
function pointsOf(from, to, row, next) {
  const start = [from.x, from.y + from.form.height / 2 + from.form.below];
  const end = [to.x, to.y - to.form.height / 2 - to.form.above];
  const leaves = (height, room) => Math.abs(end[0] - start[0]) * height > ((room + GAP) / 2) * (end[1] - start[1]);
  return [
    start,
    ...(leaves(row.bottom - start[1], from.form.room) ? [[from.x, row.bottom]] : []),
    ...(leaves(end[1] - next.top, to.form.room) ? [[to.x, next.top]] : []),
    end,
  ];
}

/** The part of an edge that is not upright, or the longest part. */
export function slopeOf(points) {
  let best = [points[0], points[1]];
  for (let i = 1; i + 1 < points.length; i++) {
    if (Math.abs(points[i + 1][0] - points[i][0]) > Math.abs(best[1][0] - best[0][0])) best = [points[i], points[i + 1]];
  }
  return best;
}

export function isLeaf(facts) {
  return facts.shape === "box" || facts.shape === "estimate";
}

/** The corners of a shape around a point; of a house, if there is a board inside. */
export function cornersOf({ facts, form, x, y, board }) {
  const left = x - form.width / 2, right = x + form.width / 2, top = y - form.height / 2, bottom = y + form.height / 2;
  const house = board?.length > 0;
  const roof = house ? [[left, top + ROOF], [x, top], [right, top + ROOF]] : [[x, top]];
  const keel = house ? [[right, bottom - ROOF], [x, bottom], [left, bottom - ROOF]] : [[x, bottom]];
  const corner = 7;
  switch (facts.shape) {
    case "up": return [...roof, [right, bottom], [left, bottom]];
    case "down": return [[left, top], [right, top], ...keel];
    case "memo": return house ? [...roof, ...keel] : [[x, top], [right, y], [x, bottom], [left, y]];
    case "box": return [[left, top], [right, top], [right, bottom], [left, bottom]];
    default: return [
      [left + corner, top], [right - corner, top], [right, top + corner], [right, bottom - corner],
      [right - corner, bottom], [left + corner, bottom], [left, bottom - corner], [left, top + corner],
    ];
  }
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
