// The Play room: the user plays against the search, watches it play itself, or analyses.
//
// This module opens the room, puts games into it and shows them; play/game.js plays them, play/setup.js is the form for a new game, and
// play/stage.js the board with what is around it.  The tab stores the game, so that it survives a visit to another room and a reload.
// The address always names what is on the board.

import { arrowsFor } from "../arrows.js";
import { point } from "../boards.js";
import { chart } from "../chart.js";
import { h, noSuch, say } from "../dom.js";
import { editBoard } from "../editor.js";
import { AddressBar, addressOf, keptAt, readMoves, readSeed } from "../play/address.js";
import { Analysis } from "../play/analysis.js";
import { download } from "../play/download.js";
import { Game, orderOf } from "../play/game.js";
import { Keys } from "../play/keys.js";
import { drawMoves } from "../play/movelist.js";
import { Preparing } from "../play/preparing.js";
import { drawRemark, Review } from "../play/review.js";
import { SetupForm, USUAL } from "../play/setup.js";
import { Stage } from "../play/stage.js";
import { Thinking } from "../play/thinking.js";
import { treeOf, unpackTree } from "../play/tree.js";
import { forcedText, heardText, refusalText } from "../play/wording.js";
import { readGames, takeDrops } from "../reading.js";

const FIRST = "connect-four";

export class Room {
  constructor(element, context) {
    Object.assign(this, { element, context });
    const { params, tab, settings } = context;
    const setup = { ...USUAL, ...(settings.play ?? {}) };
    this.kept = keptAt(tab.play, params, context.reloaded);
    if (params.get("game")) Object.assign(setup, { game: params.get("game"), parameters: params.get("parameters") ?? "" });
    this.asked = { setup, start: params.get("position") || null, seed: readSeed(params.get("seed") ?? "") }; // without a seed the server chooses one
    if (this.kept) {
      const { game, parameters, side, start, seed } = this.kept;
      this.asked = { setup: Object.assign(setup, { game, parameters, side }), start, seed };
    }
    this.game = null; // the one on the board
    this.begun = 0; // games that were begun: only the latest counts
    this.session = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  }

  // Opening and closing ----------------------------------------------------------------------------------------------

  async open() {
    this.build();
    const { context: { api, params }, form } = this, { setup } = this.asked;
    try {
      const [games, levels] = await Promise.all([api("/api/play/games"), api("/api/play/levels")]);
      const own = games.find((game) => game.first), first = own ?? games.find((game) => game.name === FIRST) ?? games[0];
      if (!setup.game || (own && !this.kept && !params.get("game"))) Object.assign(setup, { game: first.name, parameters: "" });
      const isHere = games.some((game) => game.name === setup.game), notice = isHere ? "" : noSuch("game", setup.game, first.title);
      if (!isHere) {
        Object.assign(setup, { game: first.name, parameters: "" });
        this.asked = { setup, start: null, seed: null };
        this.kept = null;
      }
      form.furnish(games, levels, { ...this.asked, seed: this.kept ? null : this.asked.seed });
      const ways = [() => this.resumed(), () => this.newGame(this.asked, isHere ? readMoves(params) : [], notice), () => this.usualGame()];
      for (const way of ways) if (await way() !== false) break;
    } catch (error) {
      this.complain(error);
    }
  }

  close() {
    this.closed = true;
    this.address.close();
    this.keep(); // with the clock as it stands
    this.game?.stopThinking();
    this.game?.clock?.stop();
    this.preparing.stop();
    this.analysis.close();
    this.review.stop();
    this.keys.close();
    window.removeEventListener("pagehide", this.leaving);
    this.leaveDrops();
  }

  build() {
    const { context, element } = this;
    const button = (name, onclick, properties = {}) => h("button", { type: "button", onclick, ...properties }, name);
    this.ui = {
      move: h("input", { name: "move", autocomplete: "off", spellcheck: "false", autocapitalize: "none" }),
      chart: h("div"),
      caption: h("p", { class: "small soft remark" }),
      moves: h("div", { class: "moves", tabindex: 0, role: "region", "aria-label": "Moves of this game" }),
      reviewing: h("p", { class: "small soft remark", role: "status" }),
      undo: button("Undo", () => this.game.undo()),
      hint: button("Hint", () => this.game.giveHint()),
      flip: button("Flip", () => this.flip()),
      now: button("Move now", () => this.game.moveNow(), { hidden: true }),
      pause: button("Pause", () => this.game.pause(), { hidden: true }),
      resign: button("Resign", () => this.game.resign(), { hidden: true }),
      rematch: button("Rematch", () => this.rematch(), { hidden: true }),
      analyse: button("Analyse", () => this.analyse(!this.game.analysing), { title: "Let the search run while you look" }),
      why: button("Why?", () => this.explain(), { title: "See the search of this position in Explain" }),
      openGame: button("Open", () => this.openGame(), { class: "quiet", title: "Paste or open a game or a position" }),
      download: button("Download", () => this.download(), { class: "quiet" }),
      judge: button("Review", () => this.judge(), { class: "quiet", title: "Find the mistakes of this game" }),
      edit: button("Edit board", () => this.edit(), { class: "quiet", hidden: true }),
    };
    const ui = this.ui;
    this.address = new AddressBar(this.context.rename);
    this.preparing = new Preparing();
    this.thinking = new Thinking({ onchange: () => this.showButtons() });
    this.analysis = new Analysis({
      order: () => (this.game?.analysing && !this.game.position.over ? this.game.order() : null), session: this.session,
      play: (texts) => this.game.playAll(texts), onfound: (found) => this.analysed(found), complain: (error) => this.complain(error),
    });
    this.review = new Review({ onchange: () => this.judged() });
    this.form = new SetupForm(this.asked.setup, {
      onsubmit: (wanted) => this.newGame(wanted), onchange: (setup, other) => this.changed(setup, other),
    });
    this.stage = new Stage({
      meter: this.analysis.meter, making: this.preparing.element, play: (text) => this.game.play(text), say: (text) => this.say(text),
      buttons: [
        ui.undo, h("span", { class: "either" }, ui.hint, ui.now, ui.pause), ui.flip, ui.analyse, ui.why,
        h("span", { class: "either" }, ui.resign, ui.rematch),
      ],
    });
    ui.analysed = h("section", { class: "card stack analysis", "aria-labelledby": "analysis-title" },
      h("h2", { id: "analysis-title" }, "Analysis"), this.analysis.list, this.analysis.facts, this.analysis.status);
    ui.valued = h("section", { class: "card", "aria-label": "The value over the game" }, ui.chart);
    ui.typed = h("form", { class: "row typed", onsubmit: (event) => { event.preventDefault(); this.typed(); } },
      h("label", { class: "inline" }, "Type a move", ui.move), h("button", {}, "Play"));
    ui.record = h("section", { class: "card stack record", "aria-labelledby": "moves-title", inert: true }, // until there is a position
      h("div", { class: "row" }, h("h2", { id: "moves-title" }, "Moves"), ui.openGame, ui.download, ui.judge, ui.edit),
      ui.caption, ui.moves, ui.reviewing, ui.typed);
    ui.panels = h("div", { class: "stack" });
    element.append(h("h1", { class: "unseen" }, "Play"), h("div", { class: "play" }, this.stage.element, ui.panels));
    this.arrange(false);
    this.keys = new Keys({ element, board: this.stage.board, drawing: () => this.stage.drawing, game: () => this.game });
    this.leaving = () => this.keep(); // with the clock as it stands
    window.addEventListener("pagehide", this.leaving);
    this.leaveDrops = takeDrops(element, (file) => this.openGame({ file }));
  }

  /** Show the panels for analysis, or for a game.  They are not moved without need, for that takes the focus from them. */
  arrange(analysing) {
    const { ui, form, thinking } = this;
    if (ui.analyse.getAttribute("aria-pressed") === String(analysing)) return;
    ui.analyse.setAttribute("aria-pressed", String(analysing));
    ui.panels.replaceChildren(...(analysing ? [ui.analysed, ui.record, ui.valued, form.element] : [form.element, ui.record, thinking.element, ui.valued]));
  }

  // Beginning a game ---------------------------------------------------------------------------------------------------

  /** Go on with the game that the tab has kept; returns what `begin` does, or false if there is none. */
  async resumed() {
    if (!this.kept?.tree) return false;
    const { tree, at, ...rest } = this.kept, worked = await this.begin(this.asked, unpackTree(tree), at, rest);
    if (worked) this.form.seed.value = ""; // the next game has other dice
    return worked;
  }

  /** Start a game with these moves; returns what `begin` does. */
  newGame(wanted, moves = [], notice = "") {
    const analysing = this.game ? this.game.analysing : this.context.params.get("analyse") === "on";
    if (moves === null) {
      this.say("The moves in this address cannot be read.", this.form.refusal);
      return false;
    }
    const paused = moves.length > 0, clock = paused ? null : { form: wanted.setup.clock };
    return this.begin(wanted, treeOf(moves.map((text) => ({ text, name: text }))), moves, { clock, analysing, paused, notice });
  }

  /** Start the game as usual where the address asks for something wrong, and say what that is. */
  usualGame() {
    const usual = { setup: { ...this.asked.setup, parameters: "" }, start: null, seed: null };
    return this.newGame(usual, [], `${this.form.refusal.textContent} Showing the usual start instead.`);
  }

  /**
   * Put a game on the board, at the position after some of its moves; returns whether that worked, or null if something else has been
   * chosen meanwhile.  If not, everything stays as it is.
   * wanted: its setup, start and seed; rest: its clock, if it has one, what to say about it, its caption, and whether it is paused or
   * analysed.
   */
  async begin({ setup, start, seed }, tree, moves, { clock = null, notice = "", ...rest } = {}) {
    this.game?.stopThinking();
    const mine = ++this.begun, node = moves.reduce((each, text) => each.child(text), tree);
    const isPast = () => this.closed || mine !== this.begun;
    let position;
    try {
      position = await this.context.api("/api/play/position", orderOf({ setup, start, seed }, moves));
    } catch (error) {
      if (isPast()) return null;
      this.complain(error, this.form.refusal);
      this.game?.goOn();
      return false;
    }
    if (isPast()) return null;
    this.preparing.stop();
    this.review.stop();
    this.game?.clock?.stop();
    node.learn(position);
    const game = this.game = new Game(this, { ...rest, setup, start, seed: position.seed, tree, at: node });
    this.context.settings.play = setup;
    this.form.show({ setup, start, seed }, position.players);
    this.stage.reset();
    this.stage.seat(setup, position);
    this.stage.notice.textContent = notice;
    if (clock?.form && !game.analysing) game.wind(clock.form, clock.left);
    this.analysis.forget();
    this.arrange(game.analysing);
    this.show(node, true);
    if (setup.side !== "both" || game.analysing) this.prepare();
    game.goOn();
    return true;
  }

  /** Play the same game again, with the next side, and other dice. */
  rematch() {
    const { setup, start, position } = this.game;
    const side = String((Number(setup.side) + 1) % position.players.length);
    this.newGame({ setup: { ...setup, side }, start, seed: null });
  }

  /** Have the search compiled for as long as this game is on the board. */
  prepare() {
    this.preparing.begin(this.chosen());
  }

  /** Store the game in the tab, and name what is on the board in the address. */
  keep() {
    if (!this.game) return;
    this.address.show(addressOf(this.game, this.game.at));
    this.context.tab.play = { ...this.game.pack(), shown: this.address.shown };
  }

  /** The game and its parameters, as in requests. */
  chosen() {
    const { game, parameters } = this.form.setup;
    return { game, parameters };
  }

  // What the user does -------------------------------------------------------------------------------------------------

  /** The user has changed something in the form; `other` if it was the side. */
  changed(setup, other) {
    const { game } = this;
    this.context.settings.play = setup;
    if (!other || !game) return;
    this.stage.seat(setup, game.position);
    game.changeSide();
  }

  async typed() {
    const { ui: { move }, game } = this, text = move.value.trim();
    if (text && !game.mayMove) this.say(refusalText(game));
    else if (text && await game.play(text)) move.value = "";
  }

  analyse(on) {
    const { game } = this;
    game.analyse(on);
    this.analysis.forget();
    this.arrange(on);
    this.show(game.at);
    if (on) this.prepare();
    game.goOn();
  }

  /** The analysis has found something about the position on the board. */
  analysed(found) {
    this.game.at.found = { value: found.value, text: found.text };
    this.showMeter();
    this.drawChart();
    point(this.stage.board, this.arrows());
  }

  /** Review the line on the board: find the mistakes. */
  async judge() {
    const { review, game } = this;
    if (review.running) {
      review.stop();
      this.judged();
      return;
    }
    this.prepare();
    try {
      const tip = game.at.tip();
      await game.look(tip);
      if (game.isGone) return;
      const running = review.run(game, tip, this.session);
      this.showButtons();
      await running;
    } catch (error) {
      this.complain(error);
    }
  }

  /** The review has said something. */
  judged() {
    this.drawMoves();
    this.drawChart();
    this.showRemark();
    point(this.stage.board, this.arrows());
    this.showButtons();
    this.keep();
  }

  /** Say what the review thinks of the move on the board. */
  showRemark() {
    const { game, stage: { remark } } = this, { at } = game;
    remark.hidden = !(this.review.running || game.tree.isReviewed); // else it keeps its room, so that nothing moves
    drawRemark(remark, at, !game.isTimed && (() => this.showBetter()));
  }

  /** Show the better move that the review speaks of. */
  async showBetter() {
    await this.game.showBetter();
    this.ui.moves.querySelector("[aria-current]")?.focus({ preventScroll: true });
  }

  flip() {
    this.stage.flipped = !this.stage.flipped;
    this.drawBoard();
    this.showMeter();
  }

  explain() {
    const address = addressOf(this.game, this.game.at), played = address.split("?")[1];
    const words = new URLSearchParams({ ...this.chosen(), position: this.game.position.text, search: "engine", session: this.session, played });
    this.address.write(address); // for the way back
    this.context.navigate(`#explain?${words}`);
  }

  // Games in and out ---------------------------------------------------------------------------------------------------

  /** Ask for a game, or read a file, and put the game on the board. */
  async openGame(given = {}) {
    const found = await readGames(this.context, this.chosen(), given);
    if (!found || this.closed) return;
    const { game, parameters, start, seed, line, problem, title, tags, result, comment } = found;
    const tree = Object.assign(treeOf(line), { comment, told: { tags, result } });
    tree.told.line = tree.tip().texts().join(" ");
    const caption = [title, result !== "*" && result, comment].filter(Boolean).join(". ");
    const wanted = { setup: { ...this.form.setup, game, parameters }, start, seed };
    const analysing = Boolean(this.game?.analysing);
    if (!await this.begin(wanted, tree, tree.tip().texts(), { caption, analysing, paused: true, notice: problem ?? "" })) return;
    this.nameAll(this.game).catch((error) => this.complain(error));
  }

  /** The labels of moves come with positions: ask for the end of every line. */
  async nameAll(game) {
    for (const end of game.tree.leaves().filter((node) => !node.position)) {
      await game.look(end);
      if (game.isGone) return;
      this.drawMoves();
    }
  }

  async edit() {
    const start = await editBoard(this.context, this.chosen(), this.game.position);
    if (start === null || this.closed) return;
    this.newGame({ setup: this.form.setup, start, seed: null });
  }

  async download() {
    const { game } = this, { setup: { level }, position } = game;
    const names = !game.isMatch || game.caption ? [] : position.players.map((_, player) => (game.persons(player) ? "Person" : `plywise, ${level.toLowerCase()}`));
    try {
      await download(this.context.api, game.order([]), game.tree, names);
    } catch (error) {
      this.complain(error);
    }
  }

  // Display ----------------------------------------------------------------------------------------------------------

  /** Show an error where the user is looking: in the form for a new game, or below the board. */
  complain(error, where = this.stage.message) {
    this.say(error.message, where);
  }

  say(text, where = this.stage.message) {
    this.stage.message.textContent = this.form.refusal.textContent = "";
    where.textContent = text;
  }

  /** Put a node on the board; `moved` if its move was just made. */
  show(node, moved = false) {
    const { game, ui, stage } = this, { position } = node;
    if (node !== game.at) {
      stage.forget();
      this.analysis.forget();
    }
    game.at = node;
    this.keep();
    this.say(forcedText(game));
    this.thinking.say("");
    this.form.now.textContent = position.text || "(empty)";
    ui.record.inert = false;
    ui.caption.textContent = game.caption;
    if (position.over) this.analysis.say("The game is over.");
    this.showRemark();
    stage.show(game, this.arrows(), moved && position.just_rolled);
    this.drawMoves();
    this.drawChart();
    this.thinking.show(foundFor(node));
    this.showMeter();
    this.showButtons();
    this.context.announce(heardText(game));
  }

  drawBoard() {
    this.stage.drawBoard(this.game, this.arrows());
  }

  /** The arrows over the board. */
  arrows() {
    const { at, position } = this.game;
    return [...this.analysis.arrows(position.legal), ...arrowsFor(at.better?.places, "better")];
  }

  drawMoves() {
    const { game } = this;
    drawMoves(this.ui.moves, game.tree, game.at, { go: (node) => game.go(node), address: (node) => addressOf(game, node) });
  }

  drawChart() {
    const { game, ui } = this, { zero_sum: zeroSum, scale, players } = game.position;
    ui.valued.hidden = !zeroSum;
    if (!zeroSum) return;
    const nodes = [game.tree, ...game.at.line()];
    const points = nodes.flatMap(({ found, verdict, judgement }, ply) => (found && found.value !== null ? [{ ply, value: found.value, text: found.text, verdict, judgement }] : []));
    chart(ui.chart, { points, scale, names: players, plies: nodes.length - 1, at: game.at.ply, go: (ply) => game.go(nodes[ply]) });
  }

  showMeter() {
    const { at, position, analysing } = this.game, { zero_sum: zeroSum, scale, over, score } = position;
    this.analysis.meter.classList.toggle("off", !analysing || !zeroSum);
    this.analysis.show(over ? { value: score[0], text: over } : at.found, scale, this.stage.isFlipped);
  }

  showButtons() {
    const { ui, game, stage } = this;
    if (!game) return;
    const { at, position, mayMove, isTimed } = game;
    const over = Boolean(game.over);
    const thinking = Boolean(this.thinking.running) && !mayMove && !game.isWatched;
    ui.undo.disabled = !game.undoTo();
    ui.pause.hidden = over || game.analysing || !(game.isWatched || (game.paused && !mayMove && !at.children.length));
    ui.pause.textContent = game.paused ? "Resume" : "Pause";
    ui.now.hidden = !thinking;
    ui.hint.hidden = thinking || !ui.pause.hidden;
    ui.hint.disabled = !mayMove || isTimed || Boolean(this.thinking.running);
    ui.flip.hidden = !stage.turnable;
    ui.resign.hidden = over || !game.isMatch;
    ui.resign.textContent = game.asking ? "Really?" : "Resign";
    ui.analyse.disabled = isTimed;
    ui.resign.disabled = !at.parent || game.paused || at.children.length > 0;
    ui.rematch.hidden = !over || !game.isMatch;
    ui.why.disabled = isTimed || Boolean(position.over);
    ui.judge.disabled = isTimed || !game.tree.children.length || !position.zero_sum;
    ui.judge.textContent = this.review.running ? "Stop" : "Review";
    say(ui.reviewing, this.review.progress || at.tip().summary);
    ui.edit.hidden = !position.view.editable;
    stage.showTurn(game);
    ui.typed.hidden = game.isWatched;
  }
}

/** What a search found about a position, or about the one before if it chose the move. */
function foundFor({ found, parent, text }) {
  return found ?? (parent?.found?.move === text ? parent.found : null);
}
