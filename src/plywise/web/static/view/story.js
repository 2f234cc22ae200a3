// Replays the story of a search (see plywise/explain/story.py): the tree after a number of steps.

/** The notations for windows and values, with their names; the story has a legend for each. */
export const NOTATIONS = { window: "windows at nodes", edge: "bounds on edges", interval: "book intervals" };

/**
 * The labels of a visit in a notation: its value, the text above it (and its style, if not an entry's), the text below it,
 * and the bound on its edge.  `look` is everything known about the visit at this step.
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
    this.nodes = this.numberNodes();  // by visit: the node; several visits may be to the same
    this.values = [];  // by visit: its final value
    for (const { visit, change } of story.steps) if (change.value !== undefined) this.values[visit] = change.value;
    this.begin();
  }

  numberNodes() {
    const numbers = new Map(), nodes = [];
    this.story.visits.forEach(({ parent, move, full }, visit) => {
      const path = parent === null ? "" : `${nodes[parent]}/${full ?? move}`;
      if (!numbers.has(path)) numbers.set(path, numbers.size);
      nodes[visit] = numbers.get(path);
    });
    return nodes;
  }

  begin() {
    this.count = 0;
    this.looks = new Map();  // by visit entered so far: what is known about it
  }

  /** Go to the state after `count` steps.  Going back replays from the start. */
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

  /** How many of the nodes the search has seen, as a sentence; of a search that is only shown in part, how many are shown. */
  get headline() {
    const { by, size, summary } = this.story;
    if (!by) return summary;
    const seen = new Set([...this.looks.keys()].map((visit) => this.nodes[visit])).size;
    const count = (number) => number.toLocaleString("en"), one = (size ?? seen) === 1 ? "node" : "nodes";
    const again = this.looks.size > seen ? `, in ${count(this.looks.size)} visits` : "";
    return `${by[0].toUpperCase()}${by.slice(1)} ${this.count === this.last ? "saw" : "has seen"} ${count(seen)}${size ? ` of ${count(size)}` : ""} ${one}${again}`;
  }

  /** How far the search has come in the tree, as a number to compare with that of another search of the same tree. */
  get moment() {
    if (this.count === this.last) return Infinity;
    return this.count ? this.story.moments[this.count - 1] : -1;
  }

  /** The number of steps up to a moment. */
  countAt(moment) {
    const later = this.story.moments.findIndex((each) => each > moment);
    return later < 0 ? this.last : later;
  }

  /** The place of the current visit in the joint tree, or null. */
  get place() {
    return this.current === null ? null : this.story.places[this.current];
  }

  /** Whether the search has passed a place of the joint tree without a visit. */
  skips(place) {
    return place !== null && ![...this.looks.keys()].some((visit) => this.story.places[visit] === place);
  }

  /** The last step, or null before the first. */
  get step() {
    return this.count === 0 ? null : this.story.steps[this.count - 1];
  }

  /** The visit of the last step; null before the first step, and when a pass is announced. */
  get current() {
    return this.step?.visit ?? null;
  }

  /** Whether the search has entered a visit, or has just announced a null-window search, a re-search or a probe of it. */
  isAsked(visit) {
    const announced = ["null window", "re-search", "probe"].includes(this.step?.kind);
    return this.looks.has(visit) || (announced && this.story.steps[this.count]?.visit === visit);
  }

  /** The root of the pass of the last step. */
  get root() {
    if (this.current !== null) return this.rootOf(this.current);
    return this.roots.find((root) => !this.looks.has(root)) ?? this.roots.at(-1);
  }

  rootOf(visit) {
    return this.path(visit)[0];
  }

  /** The visits from the root to this visit. */
  path(visit) {
    const path = [];
    for (let at = visit; at !== null; at = this.story.visits[at].parent) path.unshift(at);
    return path;
  }

  /** The line of best play: at the end the result's, before that the best moves found so far in this pass. */
  get line() {
    if (this.count === this.last) return this.story.line;
    const found = this.roots.filter((root) => this.looks.has(root)).slice(-1);
    while (found.length) {
      const best = this.looks.get(found.at(-1)).best;
      if (best === undefined || !this.looks.has(best)) break;
      found.push(best);
    }
    return found.length > 1 ? found : [];
  }

  /** The first and the last step of a visit. */
  span(visit) {
    const { steps } = this.story;
    const first = steps.findIndex((step) => step.visit === visit) + 1;
    const last = steps.findLastIndex((step) => step.visit === visit) + 1;
    return [first, last];
  }
}
