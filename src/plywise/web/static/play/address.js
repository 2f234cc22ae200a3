// The address of the Play room: it names the game, its start, the moves and the seed, so that a link shows the same position.

const PACE = 350; // milliseconds between changes of the address: browsers refuse more than 100 in 30 s

/** The parameters that name a game without its moves. */
function startOf({ game, parameters, start, seed }) {
  return Object.entries({ game, parameters, position: start, seed }).filter(([, value]) => (value ?? "") !== "");
}

/** The address of a position of a game. */
export function addressOf({ setup, start, seed, analysing }, node) {
  const params = new URLSearchParams(startOf({ ...setup, start, seed }));
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

/**
 * The game that a tab has kept, at the position that an address names; null if that is not in it.  An address that was shown last, or
 * that the browser has reloaded, may be older than the game.
 */
export function keptAt(kept, params, reloaded) {
  if (!kept || !params.size || kept.shown === `#play?${params}`) return kept ?? null;
  const wanted = startOf({ ...Object.fromEntries(params), start: params.get("position"), seed: params.get("seed") });
  if (String(wanted) !== String(startOf(kept))) return null;
  if (reloaded) return kept;
  const at = readMoves(params), analysing = params.get("analyse") === "on";
  const node = at?.reduce((each, text) => each?.children.find((child) => child.text === text), kept.tree);
  return node ? { ...kept, at, analysing } : null;
}

/** A seed as the server takes it: null if there is none.  What is not a number is sent as it is, for the server to refuse. */
export function readSeed(text) {
  const seed = text.trim();
  return seed === "" ? null : /^\d+$/.test(seed) ? Number(seed) : seed;
}

/** Writes addresses into the address bar, at a pace that browsers accept. */
export class AddressBar {
  /** rename(address): change the address of the page. */
  constructor(rename) {
    this.rename = rename;
    this.shown = ""; // the address of this game that was written last,
    this.written = -Infinity; // and when
    this.closed = false;
  }

  /** Show an address, now or in a moment. */
  show(address) {
    clearTimeout(this.timer);
    if (this.closed) return;
    const wait = this.written + PACE - performance.now();
    if (wait > 0) this.timer = setTimeout(() => this.write(address), wait);
    else this.write(address);
  }

  /** Show an address at once. */
  write(address) {
    clearTimeout(this.timer);
    this.shown = address;
    if (location.hash === address) return;
    this.written = performance.now();
    this.rename(address);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }
}
