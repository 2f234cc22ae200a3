// What the Play room says about the game on the board.

import { isElsewhere } from "../boards.js";
import { CHANCE } from "./tree.js";

/** Whose turn it is, or how the game ended. */
export function turnText(game) {
  const { position } = game;
  if (game.over) return position.over ? overText(game) : game.over;
  const name = position.players[position.to_move];
  if (!game.isMatch || game.at.children.length) return `${name} to move`;
  if (game.paused) return game.mayMove ? `${name} to move` : `${name} to move: Resume lets the search play`;
  return game.persons(position.to_move) ? `Your move: you are ${name}` : `${name} is thinking`;
}

/** How the game ended, from the user's side: “You won by 12 discs.” */
function overText(game) {
  const { over, players, score } = game.position;
  if (!game.isMatch || game.paused || players.length !== 2 || score === null || !score.some((each) => each > 0)) return over;
  const winner = players[score.findIndex((each) => each > 0)];
  const outcome = players[Number(game.setup.side)] === winner ? "You won" : "You lost";
  return over.replace(`${winner} wins`, outcome);
}

/** Names the user's only move if it cannot be made on the board, such as a pass; else empty. */
export function forcedText(game) {
  const { legal, view } = game.position;
  const forced = legal.length === 1 && view.kind !== "text" && game.mayMove && isElsewhere(view, legal[0]);
  return forced ? `Your only move is ${legal[0].name}.` : "";
}

/** Why the user cannot move now. */
export function refusalText(game) {
  if (game.over) return "The game is over.";
  const { players, to_move: player } = game.position;
  return game.persons(player) ? "With a clock, moves are made only at the end of the game." : `It is not your turn: ${players[player]} is to move.`;
}

/** How the players stand, and a last move that the board does not show. */
export function tallyText(position) {
  const { moves, movers, players, view } = position, last = lastMove(position);
  const seen = last < 0 || view.kind === "text" || Object.keys(position.last_places).length > 0;
  return [position.tally, !seen && `${players[movers[last]]} played ${moves[last]}`].filter(Boolean).join(" · ");
}

/** What screen readers announce: the last move, the rolls after it, and whose turn it is. */
export function heardText(game) {
  const { position } = game, { moves, movers } = position;
  const made = moves.slice(Math.max(0, lastMove(position)));
  const heard = made.map((name, index) => (movers.at(index - made.length) === CHANCE ? `Rolled ${name}` : name));
  return [...heard, position.tally, turnText(game)].filter(Boolean).join(". ");
}

/** The index of the last move that a player made; -1 if there is none. */
function lastMove({ movers }) {
  return movers.findLastIndex((mover) => mover !== CHANCE);
}
