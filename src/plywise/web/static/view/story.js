// The story of a search (see plywise/explain/story.py), replayed: the tree after the first so many steps.

/** The ways to write what the search knows, with their names; the story says how each is read. */
export const NOTATIONS = { window: "windows at nodes", edge: "bounds on edges", interval: "book intervals" };

/**
 * What a notation writes of a visit: its value, what is above (in which style, if not an entry's) and below it, and the
 * bound on the edge to it.  `look` is what is to be seen of it, of which this only chooses.
 */
export function labelsOf(facts, look, notation) {
  if (notation === "edge") return { value: look.value, above: facts.head, bound: facts.bound };
  if (notation === "interval" && look.interval) return { above: look.interval, style: "interval" };
  return { value: look.value, above: facts.entry, below: look.window };
}

export class Replay {
  constructor(story) {
    this.story = story;
    this.children = story.visits.map(() => []);
    this.roots = [];
    story.visits.forEach((visit, number) => {
      (visit.parent === null ? this.roots : this.children[visit.parent]).push(number);
    });
    this.sizes = story.visits.map(() => 1);
    for (let i = story.visits.length - 1; i >= 0; i--) {
      const { parent } = story.visits[i];
      if (parent !== null) this.sizes[parent] += this.sizes[i];
    }
    this.values = [];  // by visit: what it will return
    for (const { visit, change } of story.steps) if (change.value !== undefined) this.values[visit] = change.value;
    this.begin();
  }

  begin() {
    this.count = 0;
    this.looks = new Map();  // by visit entered so far: what is to be seen of it
  }

  /** Go to the moment after the first `count` steps.  To go back is to begin again. */
  go(count) {
    if (count < this.count) this.begin();
    for (; this.count < count; this.count++) {
      const { visit, change, known = [] } = this.story.steps[this.count];
      if (visit !== null) this.looks.set(visit, { ...this.looks.get(visit), ...change });
      for (const [place, interval] of known) this.looks.set(place, { ...this.looks.get(place), interval });
    }
  }

  get last() {
    return this.story.steps.length;
  }

  /** The step that was last, or null before the first. */
  get step() {
    return this.count === 0 ? null : this.story.steps[this.count - 1];
  }

  /** Where the last step happened; null before the first, and where a pass is announced. */
  get current() {
    return this.step?.visit ?? null;
  }

  /** Whether the search has been at a visit, or has just said how it will go there: test it, or search it again. */
  isAsked(visit) {
    const announced = this.step?.kind === "null window" || this.step?.kind === "re-search";
    return this.looks.has(visit) || (announced && this.story.steps[this.count]?.visit === visit);
  }

  /** The pass that the last step belongs to, by its root. */
  get root() {
    if (this.current !== null) return this.rootOf(this.current);
    return this.roots.find((root) => !this.looks.has(root)) ?? this.roots.at(-1);
  }

  rootOf(visit) {
    return this.path(visit)[0];
  }

  /** The visits from the root to this one. */
  path(visit) {
    const path = [];
    for (let at = visit; at !== null; at = this.story.visits[at].parent) path.unshift(at);
    return path;
  }

  /** The line of best play: at the end that of the result, before it the best moves found so far in this pass. */
  get line() {
    if (this.count === this.last) return this.story.line;
    const found = this.roots.filter((root) => this.looks.has(root)).slice(-1);
    while (found.length) {
      const best = this.looks.get(found.at(-1)).best;
      if (best === undefined) break;
      found.push(best);
    }
    return found.length > 1 ? found : [];
  }

  /** The steps at a visit: the first, and the one with which it returns. */
  span(visit) {
    const { steps } = this.story;
    const first = steps.findIndex((step) => step.visit === visit) + 1;
    const last = steps.findLastIndex((step) => step.visit === visit) + 1;
    return [first, last];
  }
}
