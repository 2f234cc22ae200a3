// The nodes and edges of a replay with their places.  The story has the places for the whole tree (see
// plywise/explain/arrangement.py); when a branch is collapsed, its neighbours move together.

const COUNT = 24;  // the height of the mark for collapsed visits
const SHORTEST = 16;  // the height of an edge beside its labels, where there is little room

/**
 * The drawing of one pass: {items, width, height}, parents before their children.  An item has `facts`, a `form`, the
 * middle of its shape, `x` and `y`, and `points`, the edge from the item `above`.  It is either a `visit` or a ghost: a
 * node that the cut at the visit `cutAt` skipped.  Below a collapsed visit only the path to the current visit is shown;
 * `hidden` is the number of visits that are not.
 *
 * Skipped nodes are shown on the first `levels` levels.  If the `notation` writes nothing on edges, the drawing is narrower.  With a
 * `room` {width, height, enough}, edges are as short as it takes to fill it at a scale up to `enough`; `least` is the height with
 * the shortest edges.
 */
export function scene(replay, drawing, root, collapsed, { notation, room, levels = Infinity } = {}) {
  const items = itemsOf(replay, drawing, root, collapsed, levels), { measures } = replay.story;
  const isPart = items.some(({ isClosed }) => isClosed);
  if (isPart) moveTogether(items, measures.gap);
  const isNarrow = !isPart && notation && notation !== "edge";
  const whole = isPart ? items.reduce((most, { x, form }) => Math.max(most, x + form.width / 2), 0) : drawing.width;
  const width = isNarrow ? narrowed(items, drawing.narrow) : whole;
  const deepest = items.reduce((most, { level }) => Math.max(most, level), 0);
  const natural = drawing.rows[replay.roots.indexOf(root)].slice(0, deepest + 1);
  const marks = items.some(({ hidden }) => hidden) ? COUNT : 0;
  const needed = SHORTEST + measures.lines.move + (notation === "edge" ? measures.lines.bound : 0);
  const spare = sparedAbove(natural, needed), height = natural[deepest][2] + marks;
  const tooHigh = room ? height - room.height / Math.min(room.enough, room.width / width) : 0;
  const share = Math.min(Math.max(0, tooHigh / spare[deepest]), 1) || 0;
  const rows = natural.map((row, level) => {
    const [top, shapes, bottom] = row.map((y) => y - share * spare[level]);
    return { top, shapes, bottom };
  });
  for (const item of items) item.y = rows[item.level].shapes + item.form.half;
  for (const item of items) if (item.above) item.points = pointsOf(item, rows);
  return { items, width, height: rows[deepest].bottom + marks, least: height - spare[deepest] };
}

/** Bring all items nearer to each other, to a share of their distances; returns the width of the drawing then. */
function narrowed(items, share) {
  const left = items.reduce((least, { x, form }) => Math.min(least, x * share - form.least / 2), Infinity);
  for (const item of items) item.x = item.x * share - left;
  return items.reduce((most, { x, form }) => Math.max(most, x + form.least / 2), 0);
}

/** By level: how far it could move up if every edge were only as high as `needed`. */
function sparedAbove(rows, needed) {
  let sum = 0;
  return rows.map(([top], level) => (sum += level ? Math.max(0, top - rows[level - 1][2] - needed) : 0));
}

function itemsOf(replay, drawing, root, collapsed, levels) {
  const onPath = new Set(replay.current === null ? [] : replay.path(replay.current));
  const items = [], waiting = [{ visit: root, above: null }];
  while (waiting.length) {
    const { visit, ghost, above, ...more } = waiting.pop();
    const node = visit ?? ghost.node, bends = Number(drawing.bends[node]);
    const item = {
      ...more, visit, above, below: [], facts: ghost ?? replay.story.visits[visit], level: above ? above.level + 1 : 0,
      form: drawing.forms[drawing.form[node]], x: drawing.x[node], hasStem: bends & 1, drops: bends & 2,
      value: ghost ? ghost.value : replay.values[visit],  // the final one
      place: replay.story.places[node],
    };
    items.push(item);
    above?.below.push(item);
    if (ghost) {
      item.isClosed = item.level >= levels - 1 && Boolean(ghost.children);
      item.hidden = item.isClosed ? sizeOf(ghost) - 1 : 0;
      const below = item.isClosed ? [] : ghost.children ?? [];
      waiting.push(...below.toReversed().map((child) => ({ ghost: child, cutAt: item.cutAt, above: item })));
      continue;
    }
    item.isClosed = collapsed.has(visit);
    const shown = replay.children[visit].filter((child) => !item.isClosed || onPath.has(child));
    item.hidden = shown.reduce((sum, child) => sum - replay.sizes[child], replay.sizes[visit] - 1);
    const ghosts = item.isClosed ? [] : item.facts.left_out ?? [];
    const cut = ghosts.map((each, i) => ({ ghost: each, cutAt: visit, isCutOff: true, isFirst: i === 0, above: item }));
    waiting.push(...cut.toReversed(), ...shown.toReversed().map((child) => ({ visit: child, above: item })));
  }
  return items;
}

/** How many nodes a skipped node and those below it are. */
function sizeOf({ children = [] }) {
  return children.reduce((sum, child) => sum + sizeOf(child), 1);
}

/** Where visits are hidden, move branches left until they are one gap apart, and centre parents above them. */
function moveTogether(items, gap) {
  for (const item of items.toReversed()) {  // children before their parents
    item.isPart = item.isClosed || item.below.some(({ isPart }) => isPart);
    if (!item.isPart || !item.below.length) continue;
    const ends = [];  // by level: the right edge of the branches so far
    for (const child of item.below) {
      const branch = branchOf(child);
      const room = branch.reduce((least, { x, form, level }) => Math.min(least, x - form.width / 2 - (ends[level] ?? -Infinity)), Infinity);
      for (const each of branch) {
        if (room < Infinity) each.x -= room - gap;
        ends[each.level] = Math.max(ends[each.level] ?? -Infinity, each.x + each.form.width / 2);
      }
    }
    item.x = (item.below[0].x + item.below.at(-1).x) / 2;
  }
  const left = items.reduce((least, { x, form }) => Math.min(least, x - form.width / 2), Infinity);
  for (const item of items) item.x -= left;
}

function branchOf(item) {
  const found = [item];
  for (const each of found) found.push(...each.below);
  return found;
}

/** The corners and ends of the edge to an item. */
function pointsOf({ above, x, y, form, level, drops }, rows) {
  return [
    [above.x, above.y + above.form.down],
    ...(above.hasStem ? [[above.x, rows[above.level].bottom]] : []),
    ...(drops ? [[x, rows[level].top]] : []),
    [x, y - form.up],
  ];
}

/** How many levels of a large tree have about `most` visits, but at least two. */
export function levelsWith(replay, most) {
  const levels = [];
  for (const ply of pliesOf(replay)) levels[ply] = (levels[ply] ?? 0) + 1;
  let open = 0, sum = 0;
  while (open < levels.length && (open < 2 || sum + levels[open] <= most)) sum += levels[open++];
  return open;
}

/** Which visits to collapse so that this many levels are shown. */
export function collapsedBelow(replay, levels) {
  const plies = pliesOf(replay);
  return new Set(plies.flatMap((ply, visit) => (ply >= levels - 1 && replay.children[visit].length ? [visit] : [])));
}

/** By visit: how many moves it is from the root. */
function pliesOf({ story }) {
  const plies = [];
  for (const { parent } of story.visits) plies.push(parent === null ? 0 : plies[parent] + 1);
  return plies;
}
