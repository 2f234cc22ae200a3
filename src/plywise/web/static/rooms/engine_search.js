// The engine's own search in the Explain room: the top of the tree that it searched, read from its table.

import { readMoves, readSeed } from "../play/address.js";

/** What the list of algorithms says about it. */
export const ENGINE = {
  name: "engine", title: "The engine, as in Play", summary: "The engine's own search: its line, other moves and the replies to them",
  many_players: false, takes_chance: false, options: { seconds: 1, nodes: null },
};

/** The position in the room's form, as requests take it: with the moves that led to it if the address tells them. */
function order(room, position) {
  if (!room.wasPlayed) return { position };
  const words = new URLSearchParams(room.played);
  return { position: words.get("position"), moves: readMoves(words) ?? [], seed: readSeed(words.get("seed") ?? "") };
}

/** The story of the engine's search of the position in the room's form. */
export async function engineStory(room, signal) {
  const { options, game, parameters, position } = room.wish(ENGINE.name, "");
  const session = room.session;
  room.session = "";  // only what the address asked for may be known already
  return [await room.context.api("/api/explain/engine", { game, parameters, ...order(room, position), session, ...options }, { signal })];
}
