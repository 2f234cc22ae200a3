// Moves that are made by clicking their places one after the other, from the origin to the target: the squares where a
// piece lands that jumps several times, or just these two.  The target alone is enough, unless a longer
// route goes there next.

export class Walking {
  /** `same(place, other)` says whether clicks on two places mean the same. */
  constructor(legal, same) {
    this.same = same;
    this.path = []; // the places clicked so far
    this.routes = legal.flatMap((move) => move.routes.map((route) => ({ move, route }))).filter(({ route }) => route.length > 1);
  }

  /** The routes that begin with these places. */
  begun(path = this.path) {
    return this.routes.filter(({ route }) => path.every((place, index) => this.same(place, route[index])));
  }

  /** Whether a move begins on a place. */
  leaves(place) {
    return this.begun([place]).length > 0;
  }

  /** The places to click next. */
  next() {
    return new Set(this.path.length ? this.begun().map(({ route }) => route[this.path.length]) : []);
  }

  /** The places where a move that has begun may end. */
  ends() {
    return new Set(this.path.length ? this.begun().map(({ route }) => route.at(-1)) : []);
  }

  /** Go to a place; returns the moves that this completes, none if there is more to click, or null if no move goes there. */
  step(place) {
    const path = [...this.path, place], on = this.begun(path);
    if (on.some(({ route }) => route.length > path.length)) {
      this.path = path;
      return [];
    }
    const ending = on.length || !this.path.length ? on : this.begun().filter(({ route }) => this.same(place, route.at(-1)));
    return ending.length ? [...new Set(ending.map(({ move }) => move))] : null;
  }
}
