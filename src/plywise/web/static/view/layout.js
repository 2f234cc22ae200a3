// Where the nodes of a tree go.  The twin of plywise/explain/layout.py, which says how and why: the same sums in the
// same order, so that both give the same numbers.

const NOBODY = -1;

/**
 * Place a tree: `children` of each node from left to right, node 0 being the root; `widths` of each node; `gap` between
 * neighbours.  Returns the middle `x` of each node, the leftmost edge of all being 0, and its level `y`.
 */
export function layout(children, widths, gap = 0) {
  const order = fromTheRoot(children);
  const walk = new Walk(children, widths.map((width) => (width + gap) / 2));
  for (let i = order.length - 1; i >= 0; i--) walk.placeChildren(order[i]);
  const shifts = children.map(() => 0), y = children.map(() => 0);
  for (const node of order) {
    for (const child of children[node]) {
      shifts[child] = shifts[node] + walk.modifier[node];
      y[child] = y[node] + 1;
    }
  }
  const middles = walk.place.map((place, node) => place + shifts[node]);
  const edge = middles.reduce((least, middle, node) => Math.min(least, middle - widths[node] / 2), Infinity);
  return { x: middles.map((middle) => middle - edge), y };
}

/** All nodes, parents before children, those on the right first. */
function fromTheRoot(children) {
  const order = [], waiting = [0];
  while (waiting.length) {
    const node = waiting.pop();
    order.push(node);
    for (const child of children[node]) waiting.push(child);
  }
  return order;
}

/** The first walk of Buchheim, Jünger and Leipert. */
class Walk {
  constructor(children, halves) {
    this.children = children;
    this.halves = halves;
    this.place = children.map(() => 0);
    this.modifier = children.map(() => 0);
    this.thread = children.map(() => NOBODY);
    this.ancestor = children.map((_, node) => node);
    this.parent = children.map(() => NOBODY);
    this.number = children.map(() => 0);
    this.shift = children.map(() => 0);
    this.change = children.map(() => 0);
  }

  placeChildren(node) {
    const below = this.children[node];
    if (!below.length) return;
    let rightmost = below[0], before = NOBODY;
    below.forEach((child, number) => {
      this.parent[child] = node;
      this.number[child] = number;
      if (before !== NOBODY) {
        this.standBeside(before, child);
        rightmost = this.clear(before, child, below[0], rightmost);
      }
      before = child;
    });
    this.spread(below);
    this.place[node] = (this.place[below[0]] + this.place[below.at(-1)]) / 2;
    this.modifier[node] = 0;
  }

  standBeside(before, node) {
    const own = this.place[node];
    this.place[node] = this.place[before] + this.halves[before] + this.halves[node];
    this.modifier[node] = this.place[node] - own;
  }

  leftBelow(node) {
    return this.children[node].length ? this.children[node][0] : this.thread[node];
  }

  rightBelow(node) {
    return this.children[node].length ? this.children[node].at(-1) : this.thread[node];
  }

  clear(before, node, first, rightmost) {
    const { place, modifier, thread, children, halves } = this;
    let innerLeft = before, innerRight = node, outerLeft = first, outerRight = node;
    let shiftInnerLeft = modifier[innerLeft], shiftInnerRight = modifier[innerRight];
    let shiftOuterLeft = modifier[outerLeft], shiftOuterRight = modifier[outerRight];
    let nextLeft, nextRight;
    for (;;) {
      nextLeft = this.rightBelow(innerLeft);
      nextRight = this.leftBelow(innerRight);
      if (nextLeft === NOBODY || nextRight === NOBODY) break;
      innerLeft = nextLeft;
      innerRight = nextRight;
      outerLeft = this.leftBelow(outerLeft);
      outerRight = this.rightBelow(outerRight);
      this.ancestor[outerRight] = node;
      const overlap = (place[innerLeft] + shiftInnerLeft + halves[innerLeft])
        - (place[innerRight] + shiftInnerRight - halves[innerRight]);
      if (overlap > 0) {
        const owner = this.ancestor[innerLeft];
        this.move(this.parent[owner] === this.parent[node] ? owner : rightmost, node, overlap);
        shiftInnerRight += overlap;
        shiftOuterRight += overlap;
      }
      shiftInnerLeft += modifier[innerLeft];
      shiftInnerRight += modifier[innerRight];
      shiftOuterLeft += modifier[outerLeft];
      shiftOuterRight += modifier[outerRight];
    }
    if (nextLeft !== NOBODY && !children[outerRight].length && thread[outerRight] === NOBODY) {
      thread[outerRight] = nextLeft;
      modifier[outerRight] += shiftInnerLeft - shiftOuterRight;
    }
    if (nextRight !== NOBODY && !children[outerLeft].length && thread[outerLeft] === NOBODY) {
      thread[outerLeft] = nextRight;
      modifier[outerLeft] += shiftInnerRight - shiftOuterLeft;
      rightmost = node;
    }
    return rightmost;
  }

  move(left, right, distance) {
    const step = distance / (this.number[right] - this.number[left]);
    this.change[right] -= step;
    this.shift[right] += distance;
    this.change[left] += step;
    this.place[right] += distance;
    this.modifier[right] += distance;
  }

  spread(siblings) {
    let shift = 0, change = 0;
    for (const node of [...siblings].reverse()) {
      this.place[node] += shift;
      this.modifier[node] += shift;
      change += this.change[node];
      shift += this.shift[node] + change;
    }
  }
}
