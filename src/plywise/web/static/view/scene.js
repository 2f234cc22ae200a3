// The nodes and edges of a replay with their places.  The story has the places for the whole tree (see
// plywise/explain/arrangement.py); when a branch is collapsed, its neighbours move together.

const COUNT = 24;  // the height of the mark for collapsed visits

/**
 * The drawing of one pass: {items, width, height}, parents before their children.  An item has `facts`, a `form`, the
 * middle of its shape, `x` and `y`, and `points`, the edge from the item `above`.  It is either a `visit` or a ghost: a
 * node that the cut at the visit `cutAt` skipped.  Below a collapsed visit only the path to the current visit is shown;
 * `hidden` is the number of visits that are not.
 */
export function scene(replay, drawing, root, collapsed) {
  const rows = drawing.rows[replay.roots.indexOf(root)].map(([top, shapes, bottom]) => ({ top, shapes, bottom }));
  const items = itemsOf(replay, drawing, root, collapsed);
  const isPart = items.some(({ isClosed }) => isClosed);
  if (isPart) moveTogether(items, replay.story.measures.gap);
  for (const item of items) item.y = rows[item.level].shapes + item.form.half;
  for (const item of items) if (item.above) item.points = pointsOf(item, rows);
  const bottom = rows[Math.max(...new Set(items.map(({ level }) => level)))].bottom;
  const width = isPart ? items.reduce((most, { x, form }) => Math.max(most, x + form.width / 2), 0) : drawing.width;
  return { items, width, height: bottom + (items.some(({ hidden }) => hidden) ? COUNT : 0) };
}

function itemsOf(replay, drawing, root, collapsed) {
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
      for (const child of (ghost.children ?? []).toReversed()) waiting.push({ ghost: child, cutAt: item.cutAt, above: item });
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

/** Which visits to collapse at first, so that about `most` visits of a large tree are shown. */
export function collapsedAtFirst(replay, most = 120) {
  const plies = [], levels = [];
  replay.story.visits.forEach(({ parent }, visit) => {
    plies[visit] = parent === null ? 0 : plies[parent] + 1;
    levels[plies[visit]] = (levels[plies[visit]] ?? 0) + 1;
  });
  let open = 0, sum = 0;  // the number of open levels
  while (open < levels.length && (open < 2 || sum + levels[open] <= most)) sum += levels[open++];
  return new Set(plies.flatMap((ply, visit) => (ply >= open - 1 && replay.children[visit].length ? [visit] : [])));
}
