// The game on the board: its moves, whose turn it is, its clock and its end.  All moves are made here, the user's and the search's.
//
// The server stores no games.  A game is its start position and a tree of moves (tree.js), in a game with dice without the rolls, but
// with their seed.

import { rollTime } from "../dice.js";
import { sound } from "../sounds.js";
import { Clock } from "./clock.js";

const HINT_SECONDS = 2;
const SEEN_FOR = 500; // the fewest milliseconds between moves when the search plays itself
const ASKED_FOR = 4000; // milliseconds for which a second click on Resign counts

/** A game as requests describe it: its setup, start and seed, and its moves. */
export function orderOf({ setup: { game, parameters }, start, seed }, moves) {
  return { game, parameters, start, seed, moves };
}

export class Game {
  /**
   * room: where it is played; it has
   *   context, session          as requests need them
   *   form                      its setup form, for the level
   *   thinking, analysis        the searches
   *   stage                     the board, for hints
   *   prepare()                 asks for fast code
   *   show(node, moved)         puts a node on the board; `moved` if its move was just made
   *   showButtons(), drawChart()
   *   say(text), complain(error)
   *   game, closed              which game is on the board, and whether the room was left
   * setup: {game, parameters, side, level, seconds, clock}; side is a player's number, "both" or "none"; at: the node on the board.
   */
  constructor(room, { setup, start, seed, tree, at, caption = "", analysing = false, paused = false }) {
    Object.assign(this, { room, setup, start, seed, tree, at });
    this.caption = caption; // what a file says about it
    this.analysing = analysing;
    this.paused = paused;
    this.clock = null;
  }

  /** Start a clock, perhaps from what was left. */
  wind(form, left) {
    const { players } = this.position;
    this.clock = new Clock(form, players, {
      onflag: (player) => this.end(!this.isMatch ? `${players[player]} lost on time.` : this.persons(player) ? "You lost on time." : "You won on time.", player, "time"),
      onlow: (player) => { if (this.persons(player)) sound("low"); },
    });
    if (left) this.clock.set(left);
    this.tree.clock ??= [...this.clock.left];
  }

  /** The game as plain data, for the tab. */
  pack() {
    const { setup: { game, parameters, side }, start, seed, caption, paused, analysing, tree, at, clock } = this;
    return {
      game, parameters, side, start, seed, caption, paused, analysing, tree: tree.pack(), at: at.texts(),
      clock: clock && { form: clock.form, left: clock.left.map((_, player) => clock.of(player)) },
    };
  }

  // What is on the board -----------------------------------------------------------------------------------------------

  get position() {
    return this.at.position;
  }

  /** The game up to some move, as in requests. */
  order(moves = this.at.texts()) {
    return orderOf(this, moves);
  }

  /** Ask for the position of a node, if it is not known yet. */
  async look(node) {
    if (!node.position) node.learn(await this.room.context.api("/api/play/position", this.order(node.texts())));
  }

  /** Whether the user plays this side. */
  persons(player) {
    return this.analysing || this.setup.side === "both" || String(player) === this.setup.side;
  }

  /** Whether the user plays one side against the search. */
  get isMatch() {
    return !this.analysing && !["both", "none"].includes(this.setup.side);
  }

  /** Whether the search plays all sides. */
  get isWatched() {
    return this.setup.side === "none" && !this.analysing;
  }

  /** How the game on the board ended; empty if it is not over. */
  get over() {
    return this.position.over || (this.analysing || this.at.children.length ? "" : this.at.result);
  }

  get mayMove() {
    return !this.over && this.persons(this.position.to_move) && !(this.clock && this.at.children.length);
  }

  /** Whether another game is on the board now, or the room was left. */
  get isGone() {
    return this.room.closed || this.room.game !== this;
  }

  // Moving ---------------------------------------------------------------------------------------------------------------

  /** Make a move; returns whether it was legal. */
  play(text) {
    return this.playAll([text]);
  }

  /** Make some moves from the position on the board; returns whether they were legal. */
  async playAll(texts) {
    this.stopThinking();
    const { room, at } = this, mover = this.position.to_move;
    const isPast = () => this.isGone || at !== this.at || this.over; // or the game has ended
    let position;
    try {
      position = await room.context.api("/api/play/position", this.order([...at.texts(), ...texts]));
    } catch (error) {
      if (!isPast()) this.fail(error);
      return false;
    }
    if (isPast()) return false;
    const canonical = [...texts.slice(0, -1), position.last]; // the user may have typed it another way
    const node = canonical.reduce((each, text) => each.child(text), at);
    node.learn(position);
    if (this.clock) node.clock = this.clock.press(mover);
    this.paused &&= !this.persons(mover); // the user goes on with the game
    room.show(node, true);
    this.goOn();
    return true;
  }

  /** Say what went wrong.  If the search is to move, the game pauses, and the user can resume it. */
  fail(error) {
    const { room } = this;
    room.complain(error);
    this.paused ||= !this.mayMove;
    if (this.paused) this.clock?.stop();
    room.showButtons();
  }

  /** Let the game go on: the clock runs, and the search starts if it is its turn, at the end of a line. */
  async goOn() {
    const { room, at, position, setup } = this, player = position.to_move;
    if (this.analysing) room.analysis.begin();
    const goesOn = !(this.over || this.paused || at.children.length);
    if (this.over) this.clock?.stop();
    if (goesOn) this.clock?.start(player);
    room.showButtons(); // some wait for the clock
    if (!goesOn || this.persons(player)) return;
    const begun = performance.now();
    const found = await this.think({ level: room.form.level, seconds: this.clock ? this.clock.budget(player) : setup.seconds });
    if (!found || at !== this.at) return;
    const seen = Math.max(setup.side === "none" ? SEEN_FOR : 0, position.just_rolled ? rollTime() : 0);
    const turn = this.turn = {}; // until something else happens
    await new Promise((done) => setTimeout(done, seen - (performance.now() - begun)));
    if (turn === this.turn && at === this.at && !this.isGone) this.play(found.move);
  }

  /** Search the position on the board; returns the result, or null if the search failed or was stopped. */
  async think(limits) {
    this.stopThinking();
    const { room, at } = this;
    room.prepare();
    try {
      const found = await room.thinking.search({ ...this.order(), ...limits, session: room.session }, (best) => {
        if (best.value !== null && best.value !== undefined) at.found = best;
        if (this.hurried) this.moveNow();
      });
      if (found) room.drawChart();
      return found;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  stopThinking() {
    this.turn = null;
    this.hurried = false; // whether to move as soon as the search has found a move
    this.room.thinking.stop();
  }

  /** Play the best move so far; if there is none yet, as soon as there is. */
  moveNow() {
    const { thinking } = this.room, move = thinking.best?.move;
    this.hurried = !move;
    if (move) this.play(move);
    else thinking.say("Moving as soon as there is a move");
  }

  async giveHint() {
    const { room, at } = this;
    const found = await this.think({ seconds: HINT_SECONDS });
    if (!found || this.isGone || at !== this.at) return;
    room.stage.hint = found.move;
    room.drawBoard();
    const text = `Hint: ${found.name} (${found.text})`;
    room.thinking.say(text);
    room.context.announce(text);
  }

  pause() {
    const { room } = this;
    this.paused = !this.paused;
    if (this.paused) {
      this.stopThinking();
      this.clock?.stop();
    }
    room.say("");
    room.thinking.say("");
    room.showButtons();
    if (!this.paused) this.goOn();
  }

  // Going back, and ending -------------------------------------------------------------------------------------------------

  /** Show another position of the game, and pause the game there or let it go on, if that is given; returns whether that worked. */
  async go(node, paused = null) {
    const { room, at } = this;
    if (node === at) return true;
    if (this.isTimed && !this.persons(this.position.to_move)) {
      room.say("Wait for the search to move: its clock is running.");
      return false;
    }
    this.stopThinking();
    try {
      await this.look(node);
    } catch (error) {
      room.complain(error);
      if (!this.isGone && at === this.at) this.goOn(); // with the search that was stopped
      return false;
    }
    if (this.isGone || at !== this.at) return false;
    this.paused = paused ?? this.paused;
    room.show(node);
    this.goOn();
    return true;
  }

  /** Whether a clock is running: then nothing helps the user. */
  get isTimed() {
    return this.clock !== null && this.clock.running !== null;
  }

  /** Show the move that a review found better than the last one, as a variation.  The search replies only if the user goes on. */
  async showBetter() {
    const { parent, better } = this.at;
    if (!better || this.isTimed) return;
    const count = parent.children.length, node = parent.child(better.text), isNew = parent.children.length > count;
    if (!await this.go(node, this.isMatch || this.isWatched) && isNew && !node.position) node.remove();
  }

  /** Take back moves at the end of the game: they leave the tree.  Elsewhere, in analysis and if variations would go too, only go back. */
  async undo() {
    const back = this.undoTo();
    if (!back) return;
    const gone = this.at.path()[back.ply];
    if (this.analysing || this.at.children.length || gone.leaves().length > 1) {
      this.go(back);
      return;
    }
    this.paused = this.isWatched;
    if (this.clock && back.clock) this.clock.set(back.clock);
    if (!await this.go(back)) return;
    gone.remove();
    this.room.show(back);
    this.goOn();
  }

  /** The node that an undo leads to: the user's last turn, or one move back; null if there is none. */
  undoTo() {
    const path = [this.tree, ...this.at.path()];
    if (path.length < 2) return null;
    if (!this.isMatch) return path.at(-2);
    const turn = path.findLastIndex((node) => String(node.mover) === this.setup.side);
    return turn < 1 ? null : path[turn - 1];
  }

  /** The first click asks, the second resigns. */
  resign() {
    const { room } = this;
    clearTimeout(this.asking);
    if (!this.asking) {
      this.asking = setTimeout(() => { this.asking = null; room.showButtons(); }, ASKED_FOR);
      room.showButtons();
      return;
    }
    this.asking = null;
    const others = this.position.players.filter((_, player) => String(player) !== this.setup.side);
    this.end(others.length === 1 ? `You resigned: ${others[0]} wins.` : "You resigned.", Number(this.setup.side), "resignation");
  }

  /** End the game other than by its rules: this player has lost, by resignation or on time. */
  end(text, loser, reason) {
    this.stopThinking();
    this.clock?.stop();
    const tip = this.at.tip();
    tip.result = text;
    if (this.position.players.length === 2) Object.assign(tip, { winner: 1 - loser, reason });
    sound("end");
    this.room.show(this.at);
    this.go(tip);
  }

  /** The user has taken another side. */
  changeSide() {
    this.stopThinking();
    this.paused = false;
    this.room.show(this.at);
    this.goOn();
  }

  /** Turn analysis on or off. */
  analyse(on) {
    this.stopThinking();
    this.clock?.stop();
    this.clock = null;
    this.analysing = on;
    this.paused = this.isMatch; // until the user moves, or resumes the game
  }
}
