// The address of the Play room: it names the game, its start, the moves and the seed, so that a link shows the same position.

const WRITES = 50, WRITE_TIME = 30_000; // browsers refuse more than about 100 changes of the address in 30 s, so later ones wait

/** The address of a position of a game. */
export function addressOf({ setup: { game, parameters }, start, seed, analysing }, node) {
  const params = new URLSearchParams({ game });
  if (parameters) params.set("parameters", parameters);
  if (start) params.set("position", start);
  if (seed !== null) params.set("seed", seed);
  if (node.parent) params.set("moves", node.texts().map((text) => text.replace(/[%\s]/g, encodeURIComponent)).join(" "));
  if (analysing) params.set("analyse", "on");
  return `#play?${params}`;
}

/** The moves in an address, with spaces between them; a space within a move is encoded.  Null if they cannot be read. */
export function readMoves(params) {
  try {
    return (params.get("moves") ?? "").split(" ").filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** A seed as the server takes it: null if there is none.  What is not a number is sent as it is, for the server to refuse. */
export function readSeed(text) {
  const seed = text.trim();
  return seed === "" ? null : /^\d+$/.test(seed) ? Number(seed) : seed;
}

/** Writes addresses into the address bar, at a pace that browsers accept. */
export class AddressBar {
  constructor() {
    this.written = []; // when the address was changed lately
    this.closed = false;
  }

  /** Show an address, now or as soon as the browser accepts it. */
  show(address) {
    clearTimeout(this.timer);
    if (this.closed) return;
    this.written = this.written.filter((time) => performance.now() - time < WRITE_TIME);
    if (this.written.length < WRITES) this.write(address);
    else this.timer = setTimeout(() => this.show(address), 1000);
  }

  /** Show an address at once. */
  write(address) {
    clearTimeout(this.timer);
    if (location.hash === address) return;
    this.written.push(performance.now());
    history.replaceState(null, "", address);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }
}
