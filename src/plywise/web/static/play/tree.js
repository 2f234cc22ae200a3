// A game with its variations: a tree of moves.  The first child of a node is the main line, the others are variations.

export const CHANCE = -1; // the mover of a roll

/** A move, and what is known about the position after it.  The root has no move. */
class Node {
  constructor(text = null, parent = null) {
    this.text = text; // as in requests
    this.parent = parent;
    this.children = [];
    this.name = text; // in the game's usual notation
    this.label = ""; // before it in a list of moves
    this.mover = null;
    this.rolls = []; // the names of what chance did after it
    this.position = null; // the server's answer, once it was asked
    this.found = null; // what a search found here: {value, text, ...}
    this.verdict = null; // what a review says of the move, in a word
    this.judgement = ""; // and in a sentence
    this.better = null; // the move that it found better, if there is a verdict: {text, name, places}
    this.summary = ""; // at the end of a line: what it says of the whole line
    this.result = ""; // how the game ended here, if not by its rules
    this.winner = null; // and which of two players won,
    this.reason = ""; // by resignation or on time
    this.comment = ""; // of whoever wrote the file
    this.nags = []; // numeric annotation glyphs, as in PGN
    this.clock = null; // the milliseconds that each player has left
    this.told = null; // at the root of a game from a file: its tags, its result and its main line there
  }

  get ply() {
    return this.path().length;
  }

  /** The nodes from the first move to this one. */
  path() {
    const found = [];
    for (let node = this; node.parent; node = node.parent) found.unshift(node);
    return found;
  }

  /** The moves that lead here, as in requests. */
  texts() {
    return this.path().map(({ text }) => text);
  }

  /** The child with this move; it is made if there is none. */
  child(text) {
    const known = this.children.find((child) => child.text === text);
    if (known) return known;
    const child = new Node(text, this);
    this.children.push(child);
    return child;
  }

  /** The last node of the main line from here. */
  tip() {
    let node = this;
    while (node.children.length) node = node.children[0];
    return node;
  }

  /** All nodes of the line that this node is on: the moves that lead here, and the main line from here. */
  line() {
    return this.tip().path();
  }

  /** The ends of all lines from here. */
  leaves() {
    return this.children.length ? this.children.flatMap((child) => child.leaves()) : [this];
  }

  /** Whether a review has said something of a line from here. */
  get isReviewed() {
    return Boolean(this.judgement || this.summary) || this.children.some((child) => child.isReviewed);
  }

  /** The sibling `step` places after this node, or before it if `step` is negative; undefined if there is none. */
  sibling(step) {
    return this.parent?.children[this.parent.children.indexOf(this) + step];
  }

  /** Take names from the server's view of this position. */
  learn(position) {
    this.position = position;
    const { moves, movers, labels } = position;
    let nodes = this.path(), node = this.root();
    node.rolls = [];
    for (const [ply, name] of moves.entries()) {
      if (movers[ply] === CHANCE) node.rolls.push(name);
      else {
        node = nodes.shift();
        Object.assign(node, { name, mover: movers[ply], label: labels[ply], rolls: [] });
      }
    }
  }

  root() {
    return this.parent ? this.parent.root() : this;
  }

  /** Take the node, and all that follows it, out of its tree. */
  remove() {
    const { children } = this.parent;
    children.splice(children.indexOf(this), 1);
  }

  /** The node as plain data, with its children. */
  pack() {
    const { text, name, label, mover, rolls, verdict, judgement, better, summary, result, winner, reason, comment, nags, clock, told, children } = this;
    const found = this.found && { value: this.found.value, text: this.found.text };
    return {
      text, name, label, mover, rolls, verdict, judgement, better, summary, result, winner, reason, comment, nags, clock, told, found,
      children: children.map((child) => child.pack()),
    };
  }
}

/** A game without moves. */
function emptyTree() {
  return new Node();
}

/** The tree that `pack` gave. */
export function unpackTree({ children, ...own }, parent = null) {
  const node = Object.assign(new Node(own.text, parent), own);
  node.children = children.map((child) => unpackTree(child, node));
  return node;
}

/**
 * A tree from the moves of a file, as /api/play/read gives them: a variation replaces the move that it hangs on.  If lines begin alike,
 * the moves that they share have the remarks of all.
 */
export function treeOf(line, parent = emptyTree()) {
  const before = []; // the node before each move
  let node = parent;
  for (const { text, name, comment = "", nags = [] } of line) {
    before.push(node);
    node = node.child(text);
    const said = node.comment.includes(comment) ? node.comment : `${node.comment} ${comment}`.trim();
    Object.assign(node, { name, comment: said, nags: [...new Set([...node.nags, ...nags])] });
  }
  line.forEach(({ variations = [] }, ply) => { for (const variation of variations) treeOf(variation, before[ply]); });
  return parent;
}
