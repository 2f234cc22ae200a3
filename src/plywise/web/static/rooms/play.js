// The Play room: the user plays against the search, watches it play itself, or analyses.
//
// The server stores no games.  The game is kept here, as its start position and a tree of moves (play/tree.js), in a game with
// dice without the rolls, but with their seed.  The tab stores all that, so a game survives a visit to another room and a reload.
// The address always names what is on the board, so that a link shows the same.

import { chart } from "../chart.js";
import { draw, isElsewhere, point } from "../boards.js";
import { die, rolledPlaces, rollTime } from "../dice.js";
import { h, noSuch } from "../dom.js";
import { editBoard } from "../editor.js";
import { Analysis } from "../play/analysis.js";
import { Clock, CLOCKS } from "../play/clock.js";
import { download } from "../play/download.js";
import { drawMoves } from "../play/movelist.js";
import { Review } from "../play/review.js";
import { CHANCE, emptyTree, treeOf, unpackTree } from "../play/tree.js";
import { readGames, takeDrops } from "../reading.js";
import { events, sentence } from "../server.js";
import { setSounds, sound } from "../sounds.js";

const TIMES = [[0.1, "0.1 seconds"], [0.5, "0.5 seconds"], [1, "1 second"], [3, "3 seconds"], [10, "10 seconds"], [30, "30 seconds"]];
const FIRST = "connect-four";
const USUAL_LEVEL = "Casual";
const HINT_SECONDS = 2;
const REVIEW_SECONDS = 0.5; // for each position
const MADE_FOR = 5000; // milliseconds for which the line about the fast code stays when that is ready
const SEEN_FOR = 500; // the fewest milliseconds between moves when the search plays itself
const ASKED_FOR = 4000; // milliseconds for which a second click on Resign counts
const ADDRESSES = 50, ADDRESS_TIME = 30_000; // browsers refuse more than about 100 changes of the address in 30 s, so later ones wait

export class Room {
  constructor(element, context) {
    this.element = element;
    this.context = context;
    this.setup = {
      game: "", parameters: "", side: "0", level: USUAL_LEVEL, seconds: 1, clock: "", sounds: false, ...(context.settings.play ?? {}),
    };
    const { params, tab } = context;
    this.kept = !params.size || tab.play?.asked === String(params) ? tab.play : null;
    if (params.get("game")) Object.assign(this.setup, { game: params.get("game"), parameters: params.get("parameters") ?? "" });
    this.start = params.get("position") || null;
    this.seed = readSeed(params.get("seed") ?? ""); // null: the server chooses one
    if (this.kept) {
      const { game, parameters, side, start, seed } = this.kept;
      Object.assign(this.setup, { game, parameters, side });
      Object.assign(this, { start, seed });
    }
    this.written = []; // when the address was changed lately
    this.begun = 0; // games that were begun: only the latest counts
    this.session = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    this.reset();
  }

  /** Forget the game. */
  reset() {
    this.tree = emptyTree();
    this.at = this.tree; // the node on the board
    this.position = null;
    this.result = ""; // how the game ended, if not by its rules
    this.caption = ""; // what a file says about the game
    this.hint = null;
    this.mine = []; // the reader's own arrows
    this.paused = false;
    this.turnable = false; // whether the board can be flipped
    this.named = false; // whether the board has had moves without a place, whose buttons are below it
    this.clock?.stop();
    this.clock = null;
  }

  // Opening and closing ----------------------------------------------------------------------------------------------

  async open() {
    this.build();
    try {
      const [games, levels] = await Promise.all([this.context.api("/api/play/games"), this.context.api("/api/play/levels")]);
      Object.assign(this, { games, levels });
      const own = games.find((game) => game.first), first = own ?? games.find((game) => game.name === FIRST) ?? games[0];
      if (!this.setup.game || (own && !this.kept && !this.context.params.get("game"))) Object.assign(this.setup, { game: first.name, parameters: "" });
      const isHere = games.some((game) => game.name === this.setup.game);
      if (!isHere) {
        this.ui.notice.textContent = noSuch("game", this.setup.game, first.title);
        Object.assign(this.setup, { game: first.name, parameters: "" });
        this.start = this.seed = this.kept = null;
      }
      this.furnish();
      if (!(this.kept && await this.resumed()) && !await this.newGame(this, isHere ? readMoves(this.context.params) : [])) await this.usualGame();
    } catch (error) {
      this.complain(error);
    }
  }

  close() {
    this.closed = true;
    if (this.position) this.keep(); // with the clock as it stands
    this.stopThinking();
    this.stopPreparing();
    this.clock?.stop();
    this.analysis.close();
    this.review.stop();
    document.removeEventListener("keydown", this.walk, true);
    window.removeEventListener("pagehide", this.leaving);
    clearTimeout(this.addressTimer);
    this.leaveDrops();
  }

  build() {
    const button = (name, onclick, properties = {}) => h("button", { type: "button", onclick, ...properties }, name);
    const field = (label, control) => h("label", {}, label, control);
    this.ui = {
      board: h("div", { class: "table" }),
      notice: h("p", { class: "notice", role: "alert" }),
      turn: h("span", { class: "turn" }),
      tally: h("span", { class: "tally" }),
      clocks: h("div", { class: "clocked" }),
      rolled: h("p", { class: "rolled", hidden: true }),
      made: h("span"),
      share: h("span", { "aria-hidden": "true" }), // it changes too often to be heard
      bar: h("progress", { max: 1, "aria-label": "Fast code" }),
      message: h("p", { class: "error", role: "alert" }),
      refusal: h("p", { class: "error", role: "alert", tabindex: 0 }), // it may be long enough to scroll, as may the position
      game: h("select", { name: "game", onchange: () => this.chooseGame() }),
      about: h("p", { class: "small soft about" }),
      parameters: h("input", { name: "parameters", autocomplete: "off", spellcheck: "false" }),
      side: h("select", { name: "side", onchange: () => this.change() }),
      level: h("select", { name: "level", onchange: () => this.change() }),
      seconds: h("select", { name: "seconds", onchange: () => this.change() }, TIMES.map(([value, name]) => h("option", { value }, name))),
      clock: h("select", { name: "clock", onchange: () => this.change() }, h("option", { value: "" }, "none"), CLOCKS.map((form) => h("option", {}, form))),
      sounds: h("input", { name: "sounds", type: "checkbox", onchange: () => this.change() }),
      nowText: h("code", { class: "position", tabindex: 0 }),
      start: h("input", { name: "start", autocomplete: "off", spellcheck: "false" }),
      seed: h("input", { name: "seed", autocomplete: "off", inputmode: "numeric", placeholder: "random" }),
      move: h("input", { name: "move", autocomplete: "off", spellcheck: "false", autocapitalize: "none" }),
      value: h("output", { class: "value" }, "–"),
      status: h("span", { class: "small soft" }),
      depth: h("dd"), nodes: h("dd"), speed: h("dd"), line: h("dd", { class: "line" }),
      chart: h("div"),
      caption: h("p", { class: "small soft remark" }),
      moves: h("div", { class: "moves", tabindex: 0, role: "region", "aria-label": "Moves of this game" }),
      remark: h("p", { class: "small remark", role: "status" }),
      reviewing: h("p", { class: "small soft remark", role: "status" }),
      undo: button("Undo", () => this.undo()),
      hintButton: button("Hint", () => this.giveHint()),
      flip: button("Flip", () => this.flip()),
      now: button("Move now", () => this.moveNow(), { hidden: true }),
      pause: button("Pause", () => this.pause(), { hidden: true }),
      resign: button("Resign", () => this.resign(), { hidden: true }),
      rematch: button("Rematch", () => this.rematch(), { hidden: true }),
      analyse: button("Analyse", () => this.analyse(!this.analysis.on), { "aria-pressed": "false", title: "Let the search run while you look" }),
      why: button("Why?", () => this.explain(), { title: "See the search of this position in Explain" }),
      openGame: button("Open", () => this.openGame(), { class: "quiet", title: "Paste or open a game or a position" }),
      download: button("Download", () => this.download(), { class: "quiet" }),
      judge: button("Review", () => this.judge(), { class: "quiet", title: "Find the mistakes of this game" }),
      edit: button("Edit board", () => this.edit(), { class: "quiet", hidden: true }),
    };
    const ui = this.ui;
    this.analysis = new Analysis({
      order: () => (this.position && !this.position.over ? this.order(this.at.texts()) : null), session: this.session,
      play: (texts) => this.playAll(texts), onfound: (found) => this.analysed(found), complain: (error) => this.complain(error),
    });
    this.review = new Review({ onply: (found) => this.judged(found), say: (text) => { ui.reviewing.textContent = text; } });
    ui.making = h("div", { class: "making small soft", role: "status", hidden: true }, h("span", {}, ui.made, ui.share), ui.bar);
    ui.parametersField = field("Parameters", ui.parameters);
    ui.secondsField = field("Time per move", ui.seconds);
    ui.seedField = field("Seed of the dice, to repeat a game", ui.seed);
    ui.analysed = h("section", { class: "card stack analysis", "aria-labelledby": "analysis-title" },
      h("h2", { id: "analysis-title" }, "Analysis"), this.analysis.list, this.analysis.facts, this.analysis.status);
    ui.search = h("section", { class: "card", "aria-labelledby": "search-title" },
      h("h2", { id: "search-title" }, "The search"),
      h("p", { class: "row" }, ui.value, ui.status),
      h("dl", { class: "facts" },
        h("div", {}, h("dt", {}, "Depth"), ui.depth), h("div", {}, h("dt", {}, "Positions"), ui.nodes),
        h("div", {}, h("dt", {}, "Per second"), ui.speed), h("div", { class: "wide" }, h("dt", {}, "Line"), ui.line)));
    ui.valued = h("section", { class: "card", "aria-label": "The value over the game" }, ui.chart);
    ui.typed = h("form", { class: "row typed", onsubmit: (event) => { event.preventDefault(); this.typed(); } },
      h("label", { class: "inline" }, "Type a move", ui.move), h("button", {}, "Play"));
    ui.form = h("form", { class: "card stack setup", "aria-label": "New game", onsubmit: (event) => { event.preventDefault(); this.submit(); } },
      field("Game", ui.game), ui.about,
      h("div", { class: "three" }, field("You play", ui.side), field("Strength", ui.level), ui.secondsField),
      h("details", {}, h("summary", {}, "Set up a position, a clock and more"),
        h("div", { class: "stack" },
          field("Position as text", ui.start),
          h("p", { class: "small soft" }, "In the game's notation. Now on the board: ", ui.nowText),
          h("div", { class: "three" }, ui.parametersField, ui.seedField, field("Clock", ui.clock)))),
      ui.refusal, h("div", { class: "row begin" }, h("button", { class: "primary" }, "New game"), h("label", { class: "inline small" }, ui.sounds, "Sounds")));
    ui.record = h("section", { class: "card stack record", "aria-labelledby": "moves-title" },
      h("div", { class: "row" }, h("h2", { id: "moves-title" }, "Moves"), ui.openGame, ui.download, ui.judge, ui.edit),
      ui.caption, ui.moves, ui.remark, ui.reviewing, ui.typed);
    ui.panels = h("div", { class: "stack" });
    ui.stage = h("section", { class: "stack", "aria-label": "Board" },
      ui.notice, h("p", { class: "head" }, ui.turn, ui.tally), ui.clocks, ui.rolled,
      h("div", { class: "beside" }, this.analysis.meter, ui.board),
      h("div", { class: "stack controls" }, h("div", { class: "says" }, ui.message, ui.making),
        h("div", { class: "row" }, ui.undo, h("span", { class: "either" }, ui.hintButton, ui.now, ui.pause), ui.flip, ui.analyse, ui.why,
          h("span", { class: "either" }, ui.resign, ui.rematch))));
    ui.stage.inert = ui.record.inert = true; // until there is a position
    this.element.append(
      h("h1", { class: "unseen" }, "Play"),
      h("div", { class: "play" }, ui.stage, ui.panels));
    this.byPointer = false; // whether the square that has the focus was clicked
    ui.board.addEventListener("pointerdown", () => { this.byPointer = true; });
    ui.board.addEventListener("focusin", () => { if (!this.drawing && !this.pressed) this.byPointer = false; });
    this.element.addEventListener("pointerdown", () => { this.pressed = true; setTimeout(() => { this.pressed = false; }); }, true);
    this.walk = (event) => this.walked(event);
    document.addEventListener("keydown", this.walk, true);
    this.leaving = () => { if (this.position) this.keep(); }; // with the clock as it stands
    window.addEventListener("pagehide", this.leaving);
    this.leaveDrops = takeDrops(this.element, (file) => this.openGame({ file }));
    this.turnAnalysis(false);
  }

  /** Fill in the games and levels that the server offers. */
  furnish() {
    const { ui, setup, levels } = this;
    ui.game.append(...this.games.map((game) => h("option", { value: game.name }, game.title)));
    ui.level.append(...levels.map(({ name }) => h("option", {}, name)));
    if (!levels.some(({ name }) => name === setup.level)) setup.level = USUAL_LEVEL; // the browser remembers one that there was before
    if (!CLOCKS.includes(setup.clock)) setup.clock = "";
    ui.game.value = setup.game;
    ui.level.value = setup.level;
    ui.seconds.value = setup.seconds;
    ui.clock.value = setup.clock;
    ui.sounds.checked = setup.sounds;
    setSounds(setup.sounds);
    ui.parameters.value = setup.parameters;
    ui.start.value = this.start ?? "";
    ui.seed.value = this.kept ? "" : this.seed ?? "";
    if (this.start || ui.seed.value) ui.start.closest("details").open = true;
    this.showGame();
    this.showTimes();
  }

  // Choosing ---------------------------------------------------------------------------------------------------------

  showGame() {
    const card = this.games.find((game) => game.name === this.ui.game.value);
    this.ui.about.textContent = card.about;
    this.ui.parametersField.hidden = !card.parameters;
    this.ui.parameters.placeholder = this.ui.parameters.title = card.parameters;
    this.ui.seedField.hidden = !card.dice;
  }

  /** The time per move counts only for levels that use it, and without a clock. */
  showTimes() {
    const level = this.levels.find(({ name }) => name === this.setup.level);
    this.ui.secondsField.hidden = !level.timed || Boolean(this.setup.clock);
  }

  /** Start the chosen game at once, so that the board matches the name. */
  chooseGame() {
    this.ui.parameters.value = "";
    this.ui.start.value = "";
    this.ui.seed.value = "";
    this.showGame();
    this.submit();
  }

  /** What the form says. */
  wanted() {
    const { ui } = this;
    return {
      game: ui.game.value, parameters: ui.parameters.value.trim(), side: ui.side.value || "0", level: ui.level.value,
      seconds: Number(ui.seconds.value), clock: ui.clock.value, sounds: ui.sounds.checked,
    };
  }

  /** Change the side, the strength, the time or the sounds during a game; a clock is for the next one. */
  change() {
    const { setup } = this;
    const { side, level, seconds, clock, sounds } = this.wanted();
    const other = setup.side !== side;
    Object.assign(setup, { side, level, seconds, clock, sounds });
    this.context.settings.play = setup;
    this.showTimes();
    setSounds(sounds);
    if (!other) return;
    this.stopThinking();
    this.paused = false;
    this.seat(this.position);
    this.show(this.at);
    this.goOn();
  }

  submit() {
    const { ui } = this;
    ui.notice.textContent = "";
    return this.newGame({ setup: this.wanted(), start: ui.start.value.trim() || null, seed: ui.seedField.hidden ? null : readSeed(ui.seed.value) });
  }

  /** Go on with the game that the tab has kept; returns whether that worked. */
  async resumed() {
    const { tree, at, ...rest } = this.kept;
    if (!tree || !await this.begin(this, unpackTree(tree), at, rest)) return false;
    this.ui.seed.value = ""; // the next game has other dice
    return true;
  }

  /** Start a game with these moves; returns whether that worked. */
  newGame(wanted = this, moves = []) {
    const analysing = this.analysis.on || (!this.position && this.context.params.get("analyse") === "on");
    if (moves === null) {
      this.say("The moves in this address cannot be read.", this.ui.refusal);
      return false;
    }
    return this.begin(wanted, treeOf(moves.map((text) => ({ text, name: text }))), moves, { analysing, paused: moves.length > 0 });
  }

  /**
   * Put a game on the board, at the position after some of its moves; returns whether that worked.  If not, everything stays as it is.
   * wanted: its setup, start and seed.
   */
  async begin({ setup, start, seed }, tree, moves, { result = "", caption = "", analysing = false, clock = null, paused = false } = {}) {
    this.stopThinking();
    const { ui } = this, mine = ++this.begun;
    const node = moves.reduce((each, text) => each.child(text), tree);
    let position;
    try {
      position = await this.context.api("/api/play/position", orderOf({ setup, start, seed }, moves));
    } catch (error) {
      this.complain(error, ui.refusal);
      if (this.position) this.goOn();
      return false;
    }
    if (this.closed || mine !== this.begun) return false; // or the user has chosen another game
    this.stopPreparing();
    this.review.stop();
    this.reset();
    node.learn(position);
    Object.assign(this, { setup, start, seed: position.seed, tree, result, caption, paused });
    ui.game.value = setup.game;
    ui.parameters.value = setup.parameters;
    ui.start.value = start ?? "";
    ui.seed.value = seed ?? "";
    this.showGame();
    this.context.settings.play = setup;
    this.offerSides(position.players);
    this.seat(position);
    const form = clock?.form ?? (moves.length ? "" : setup.clock);
    if (form && !analysing) this.wind(position.players, form, clock?.left);
    this.turnAnalysis(analysing);
    this.show(node, true);
    if (setup.side !== "both" || analysing) this.prepare();
    this.goOn();
    return true;
  }

  /** Start the game as usual where the address asks for something wrong, and say what that is. */
  async usualGame() {
    const wrong = this.ui.refusal.textContent;
    const usual = { setup: { ...this.setup, parameters: "" }, start: null, seed: null };
    if (await this.newGame(usual)) this.ui.notice.textContent = `${wrong} Showing the usual start instead.`;
  }

  offerSides(players) {
    const sides = [...players.map((name, index) => [String(index), name]), ["both", "All sides"], ["none", "None: watch"]];
    if (!sides.some(([value]) => value === this.setup.side)) this.setup.side = "0";
    this.ui.side.replaceChildren(...sides.map(([value, name]) => h("option", { value }, name)));
    this.ui.side.value = this.setup.side;
  }

  /** Have the search compiled for as long as this game is on the board, and show how far that is. */
  async prepare() {
    if (this.preparing) return;
    const preparing = this.preparing = new AbortController();
    try {
      for await (const { name, data } of events("/api/play/prepare", this.chosen(), preparing.signal)) {
        if (this.preparing !== preparing) return;
        if (name === "progress") this.showMaking(data);
        else if (name === "done") this.showMade();
        else this.ui.making.hidden = true;
      }
    } catch {
      if (this.preparing === preparing) this.ui.making.hidden = true; // the search will report the error
    }
  }

  /** Stop waiting for the compilation.  It goes on if another client wants it. */
  stopPreparing() {
    this.preparing?.abort();
    this.preparing = null;
    this.ui.making.hidden = true;
  }

  /** Store the game in the tab, and name what is on the board in the address. */
  keep() {
    const { start, seed, setup: { side }, result, caption, paused, tree, at, clock } = this;
    this.context.tab.play = {
      asked: this.address(at).split("?")[1], ...this.chosen(), side, start, seed, result, caption, paused, tree: tree.pack(), at: at.texts(),
      analysing: this.analysis.on, clock: clock && { form: clock.form, left: clock.left.map((_, player) => clock.of(player)) },
    };
    clearTimeout(this.addressTimer);
    this.written = this.written.filter((time) => performance.now() - time < ADDRESS_TIME);
    if (this.written.length < ADDRESSES) this.writeAddress();
    else this.addressTimer = setTimeout(() => this.keep(), 1000);
  }

  writeAddress() {
    clearTimeout(this.addressTimer);
    const address = this.address(this.at);
    if (this.closed || location.hash === address) return;
    this.written.push(performance.now());
    history.replaceState(null, "", address);
  }

  /** The address of a position of this game. */
  address(node) {
    const params = new URLSearchParams({ game: this.setup.game });
    if (this.setup.parameters) params.set("parameters", this.setup.parameters);
    if (this.start) params.set("position", this.start);
    if (this.seed !== null) params.set("seed", this.seed);
    if (node.parent) params.set("moves", node.texts().map((text) => text.replace(/[%\s]/g, encodeURIComponent)).join(" "));
    if (this.analysis.on) params.set("analyse", "on");
    return `#play?${params}`;
  }

  // The game ---------------------------------------------------------------------------------------------------------

  chosen() {
    return { game: this.setup.game, parameters: this.setup.parameters };
  }

  order(moves) {
    return orderOf(this, moves);
  }

  /** Ask for the position of a node, if it is not known yet. */
  async look(node) {
    if (!node.position) node.learn(await this.context.api("/api/play/position", this.order(node.texts())));
  }

  /** Whether the user plays this side. */
  persons(player) {
    return this.analysis.on || this.setup.side === "both" || String(player) === this.setup.side;
  }

  /** Whether the user plays one side against the search. */
  get isMatch() {
    return !this.analysis.on && !["both", "none"].includes(this.setup.side);
  }

  /** How the game on the board ended; empty if it is not over. */
  get over() {
    return this.position.over || (this.analysis.on || this.at.children.length ? "" : this.result);
  }

  /** Make a move; returns whether it was legal. */
  play(text) {
    return this.playAll([text]);
  }

  /** Make some moves from the position on the board; returns whether they were legal. */
  async playAll(texts) {
    this.stopThinking();
    const { position: game, result } = this, mover = game.to_move;
    try {
      const moves = [...this.at.texts(), ...texts];
      const position = await this.context.api("/api/play/position", this.order(moves));
      if (this.closed || game !== this.position || result !== this.result) return false; // or the game has ended
      const canonical = [...texts.slice(0, -1), position.last]; // the user may have typed it another way
      const node = canonical.reduce((each, text) => each.child(text), this.at);
      node.learn(position);
      if (this.clock) node.clock = this.clock.press(mover);
      this.result = "";
      this.paused &&= !this.persons(mover); // the user goes on with the game
      this.show(node, true);
    } catch (error) {
      this.complain(error);
      return false;
    }
    this.goOn();
    return true;
  }

  async typed() {
    const text = this.ui.move.value.trim();
    if (text && this.mayMove() && await this.play(text)) this.ui.move.value = "";
  }

  mayMove() {
    return !this.over && this.persons(this.position.to_move) && !(this.clock && this.at.children.length);
  }

  /** Let the game go on: the clock runs, and the search starts if it is its turn, at the end of a line. */
  async goOn() {
    const { position, at } = this;
    if (this.analysis.on) this.analysis.begin();
    if (this.over || this.paused || at.children.length) {
      if (this.over) this.clock?.stop();
      return;
    }
    this.clock?.start(position.to_move);
    if (this.persons(position.to_move)) return;
    const begun = performance.now();
    const seconds = this.clock ? this.clock.budget(position.to_move) : this.setup.seconds;
    const found = await this.think({ level: this.ui.level.selectedIndex + 1, seconds });
    if (!found || position !== this.position) return;
    const seen = Math.max(this.setup.side === "none" ? SEEN_FOR : 0, position.just_rolled ? rollTime() : 0);
    const turn = this.turn = {}; // until something else happens
    await new Promise((done) => setTimeout(done, seen - (performance.now() - begun)));
    if (turn === this.turn && !this.closed) this.play(found.move);
  }

  /** Search the position on the board; returns the result, or null if the search was stopped. */
  async think(limits) {
    this.stopThinking();
    this.prepare();
    const thinking = this.thinking = new AbortController();
    const { at } = this;
    let best = null;
    this.showButtons();
    this.status("Thinking");
    try {
      const order = { ...this.order(at.texts()), ...limits, session: this.session };
      for await (const { name, data } of events("/api/play/think", order, thinking.signal)) {
        if (this.thinking !== thinking) return null;
        if (name === "status") this.status(data.text || "Thinking");
        if (name === "wrong") throw new Error(sentence(data.detail));
        if (name === "info" || name === "done") {
          best = this.best = { ...best, ...data };
          if (best.value !== null && best.value !== undefined) at.found = best;
          this.report(best);
          if (this.hurried) this.moveNow();
        }
        if (name === "done") {
          this.drawChart();
          return best;
        }
      }
      throw new Error("The search ended without a result.");
    } catch (error) {
      if (error.name !== "AbortError") {
        this.complain(error);
        this.paused = !this.mayMove(); // then the user can resume it
        if (this.paused) this.clock?.stop();
      }
      return null;
    } finally {
      if (this.thinking === thinking) {
        this.thinking = null;
        this.status("");
        this.showButtons();
      }
    }
  }

  /** Stop the search; the server notices the disconnect. */
  stopThinking() {
    const { thinking } = this;
    this.thinking = this.turn = null;
    this.best = null;
    this.hurried = false;
    if (!thinking) return;
    thinking.abort();
    this.status("");
  }

  /** Play the best move so far; if there is none yet, as soon as there is. */
  moveNow() {
    const move = this.best?.move;
    this.hurried = !move;
    if (move) this.play(move);
    else this.status("Moving as soon as there is a move");
  }

  pause() {
    this.paused = !this.paused;
    if (this.paused) {
      this.stopThinking();
      this.clock?.stop();
    }
    this.say("");
    this.status("");
    this.showButtons();
    if (!this.paused) this.goOn();
  }

  /** Take back moves at the end of the game: they leave the tree.  Elsewhere, and in analysis, only go back. */
  async undo() {
    const back = this.undoTo();
    if (!back) return;
    if (this.analysis.on || this.at.children.length) {
      this.go(back);
      return;
    }
    const gone = this.at.path()[back.ply];
    this.paused = this.setup.side === "none" && !this.analysis.on;
    if (this.clock && back.clock) this.clock.set(back.clock);
    if (!await this.go(back)) return;
    gone.remove();
    this.result = "";
    this.show(back);
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

  async giveHint() {
    const { position } = this;
    const found = await this.think({ seconds: HINT_SECONDS });
    if (!found || this.closed || position !== this.position) return;
    this.hint = found.move;
    this.drawBoard();
    const text = `Hint: ${found.name} (${found.text})`;
    this.status(text);
    this.context.announce(text);
  }

  /** The first click asks, the second resigns. */
  resign() {
    clearTimeout(this.asking);
    if (!this.asking) {
      this.asking = setTimeout(() => { this.asking = null; this.showButtons(); }, ASKED_FOR);
      this.showButtons();
      return;
    }
    this.asking = null;
    const { players } = this.position;
    const others = players.filter((_, player) => String(player) !== this.setup.side);
    this.end(others.length === 1 ? `You resigned: ${others[0]} wins.` : "You resigned.");
  }

  /** End the game other than by its rules. */
  end(text) {
    this.stopThinking();
    this.clock?.stop();
    this.result = text;
    sound("end");
    this.show(this.at);
    this.go(this.at.tip());
  }

  /** Play the same game again, with the next side, and other dice. */
  rematch() {
    const side = String((Number(this.setup.side) + 1) % this.position.players.length);
    this.newGame({ setup: { ...this.setup, side }, start: this.start, seed: null });
  }

  /** Start a clock for this game, perhaps from what was left. */
  wind(players, form, left) {
    this.clock = new Clock(form, players, {
      onflag: (player) => this.end(!this.isMatch ? `${players[player]} lost on time.` : this.persons(player) ? "You lost on time." : "You won on time."),
      onlow: (player) => { if (this.persons(player)) sound("low"); },
    });
    if (left) this.clock.set(left);
    this.tree.clock ??= [...this.clock.left];
  }

  // Looking around -----------------------------------------------------------------------------------------------------

  /** Show another position of the game; returns whether that worked. */
  async go(node) {
    if (node === this.at) return true;
    if (this.clock?.running != null && !this.persons(this.position.to_move)) return false; // the search is on the move
    this.stopThinking();
    const game = this.position;
    try {
      await this.look(node);
    } catch (error) {
      this.complain(error);
      return false;
    }
    if (this.closed || game !== this.position) return false;
    this.show(node);
    this.goOn();
    return true;
  }

  /** Walk through the game with the arrow keys, where they do nothing else. */
  walked(event) {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !this.position || document.querySelector("dialog[open]")) return;
    if (target.closest("input, select, textarea, .pw-view")) return;
    if (this.ui.board.contains(target) && !this.byPointer) return; // the keys move between squares
    const { at } = this;
    const next = {
      ArrowLeft: () => at.parent, ArrowRight: () => at.children[0], Home: () => this.tree, End: () => at.tip(),
      ArrowUp: () => sibling(at, -1), ArrowDown: () => sibling(at, 1),
    }[key]?.();
    if (!next || next === at) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(next);
  }

  analyse(on) {
    this.stopThinking();
    this.clock?.stop();
    this.clock = null;
    this.turnAnalysis(on);
    this.paused = this.isMatch; // until the user moves, or resumes the game
    this.show(this.at);
    if (on) this.prepare();
    this.goOn();
  }

  turnAnalysis(on) {
    const { ui } = this;
    this.analysis.turn(on);
    ui.analyse.setAttribute("aria-pressed", String(on));
    ui.panels.replaceChildren(...(on ? [ui.analysed, ui.record, ui.valued, ui.form] : [ui.form, ui.record, ui.search, ui.valued]));
  }

  /** The analysis has found something about the position on the board. */
  analysed(found) {
    this.at.found = { value: found.value, text: found.text };
    this.showMeter();
    this.drawChart();
    point(this.ui.board, this.analysis.arrows(this.position.legal));
  }

  /** Review the line on the board: find the mistakes. */
  async judge() {
    if (this.review.running) {
      this.review.stop();
      this.showButtons();
      return;
    }
    this.prepare();
    const tip = this.at.tip();
    try {
      await this.look(tip);
      this.reviewed = tip;
      const running = this.review.run({ ...this.order(tip.texts()), seconds: REVIEW_SECONDS, session: this.session }, tip.position.moves.length + 1);
      this.showButtons();
      await running;
    } catch (error) {
      this.complain(error);
    }
    if (!this.closed) this.showButtons();
  }

  /** The review has judged the move at a ply; plies count rolls too. */
  judged({ ply, value, text, verdict, comment }) {
    const nodes = [this.tree, ...this.reviewed.path()], { movers } = this.reviewed.position;
    const before = movers.slice(0, ply).filter((mover) => mover !== CHANCE).length;
    if (value !== null) nodes[before].found = { value, text }; // a weak opponent may have thought otherwise
    if (ply < movers.length && movers[ply] !== CHANCE) Object.assign(nodes[before + 1], { verdict, judgement: comment });
    this.drawMoves();
    this.drawChart();
    this.keep();
  }

  /** Turn the board so that the user sits below it. */
  seat({ view }) {
    this.flipped = this.setup.side === String(1 - view.seat);
  }

  flip() {
    this.flipped = !this.flipped;
    this.drawBoard();
    this.showMeter();
  }

  explain() {
    const words = new URLSearchParams({ ...this.chosen(), position: this.position.text, search: "engine", session: this.session });
    this.writeAddress(); // for the way back
    this.context.navigate(`#explain?${words}`);
  }

  // Games in and out ---------------------------------------------------------------------------------------------------

  /** Ask for a game, or read a file, and put the game on the board. */
  async openGame(given = {}) {
    const found = await readGames(this.context, this.chosen(), given);
    if (!found || this.closed) return;
    const { game, parameters, start, seed, line, problem, title, tags, result, comment } = found;
    const tree = Object.assign(treeOf(line), { comment, told: { tags, result } });
    const caption = [title, result !== "*" && result, comment].filter(Boolean).join(". ");
    const wanted = { setup: { ...this.setup, game, parameters }, start, seed };
    if (!await this.begin(wanted, tree, tree.tip().texts(), { caption, analysing: this.analysis.on, paused: true })) return;
    this.ui.notice.textContent = problem ?? "";
    this.nameAll(tree).catch((error) => this.complain(error));
  }

  /** The labels of moves come with positions: ask for the end of every line. */
  async nameAll(tree) {
    for (const end of leaves(tree).filter((node) => !node.position)) {
      await this.look(end);
      if (this.closed || this.tree !== tree) return;
      this.drawMoves();
    }
  }

  async edit() {
    const start = await editBoard(this.context, this.chosen(), this.position);
    if (start === null || this.closed) return;
    this.newGame({ setup: this.setup, start, seed: null });
  }

  async download() {
    const level = this.setup.level;
    const names = !this.isMatch || this.caption ? [] : this.position.players.map((_, player) => (this.persons(player) ? "Person" : `plywise, ${level.toLowerCase()}`));
    try {
      await download(this.context.api, this.order([]), this.tree, names);
    } catch (error) {
      this.complain(error);
    }
  }

  // Display ----------------------------------------------------------------------------------------------------------

  /** Show an error where the user is looking: in the form for a new game, or below the board. */
  complain(error, where = this.ui.message) {
    this.say(error.message, where);
  }

  say(text, where = this.ui.message) {
    this.ui.message.textContent = this.ui.refusal.textContent = "";
    where.textContent = text;
  }

  status(text) {
    this.ui.status.textContent = text;
    this.ui.status.classList.toggle("busy", Boolean(this.thinking));
  }

  /** Say that searches are slow until the fast code is made, and how far that is; `share` is null if others come first. */
  showMaking({ share, left }) {
    const { ui } = this;
    const percent = Math.floor(100 * share);
    const wait = share === null ? "other games come first" : `${percent} %, about ${Math.max(1, Math.round(left))} s left`;
    ui.making.hidden = false;
    say(ui.made, "Thinking in plain Python while the fast code is made");
    ui.share.textContent = `: ${wait}.`;
    ui.bar.hidden = share === null;
    ui.bar.value = share ?? 0;
  }

  /** Say that the fast code is ready, for a while, if anyone had to wait for it. */
  showMade() {
    const { ui, preparing } = this;
    if (ui.making.hidden) return;
    say(ui.made, "The fast code is ready.");
    ui.share.textContent = "";
    ui.bar.hidden = true;
    setTimeout(() => {
      if (this.preparing === preparing) ui.making.hidden = true;
    }, MADE_FOR);
  }

  /** Put a node on the board; `moved` if its move was just made. */
  show(node, moved = false) {
    const { position } = node;
    const rolled = moved && position.just_rolled && position !== this.position;
    if (node !== this.at || position !== this.position) {
      this.hint = null;
      this.mine = [];
      this.analysis.forget();
    }
    this.at = node;
    this.position = position;
    this.keep();
    this.say(this.forcedText());
    this.status("");
    this.ui.nowText.textContent = position.text || "(empty)";
    this.ui.clocks.replaceChildren(...(this.clock ? [this.clock.element] : []));
    this.ui.stage.inert = this.ui.record.inert = false;
    this.ui.caption.textContent = this.caption;
    this.ui.remark.textContent = node.judgement;
    this.drawBoard(rolled);
    this.drawRolls(rolled);
    this.drawMoves();
    this.drawChart();
    this.report(foundFor(node));
    this.showMeter();
    this.showButtons();
    this.ui.turn.classList.toggle("over", Boolean(this.over));
    const { moves, movers } = position;
    const last = movers.findLastIndex((mover) => mover !== CHANCE);
    const seen = last < 0 || position.view.kind === "text" || Object.keys(position.last_places).length > 0;
    this.ui.tally.textContent = [position.tally, !seen && `${position.players[movers[last]]} played ${moves[last]}`].filter(Boolean).join(" · ");
    const made = moves.slice(Math.max(0, last)); // and the rolls after it
    const heard = made.map((name, index) => (movers.at(index - made.length) === CHANCE ? `Rolled ${name}` : name));
    this.context.announce([...heard, position.tally, this.turnText()].filter(Boolean).join(". "));
  }

  turnText() {
    const { position } = this;
    if (this.over) return this.position.over ? this.overText() : this.result;
    const name = position.players[position.to_move];
    if (!this.isMatch || this.at.children.length) return `${name} to move`;
    if (this.paused) return this.mayMove() ? `${name} to move` : `${name} to move: Resume lets the search play`;
    return this.persons(position.to_move) ? `Your move: you are ${name}` : `${name} is thinking`;
  }

  /** How the game ended, from the user's side: “You won by 12 discs.” */
  overText() {
    const { over, players, score } = this.position;
    if (!this.isMatch || this.paused || players.length !== 2 || score === null || !score.some((each) => each > 0)) return over;
    const winner = players[score.findIndex((each) => each > 0)];
    const outcome = players[Number(this.setup.side)] === winner ? "You won" : "You lost";
    return over.replace(`${winner} wins`, outcome);
  }

  /** Say so if the user's only move is not on the board, such as a pass. */
  forcedText() {
    const { legal, view } = this.position;
    const forced = legal.length === 1 && view.kind !== "text" && this.mayMove() && isElsewhere(view, legal[0]);
    return forced ? `Your only move is ${legal[0].name}.` : "";
  }

  drawBoard(rolled = false) {
    const { position } = this;
    const legend = `Board. ${this.turnText()}.`;
    const legal = this.mayMove() ? position.legal : [];
    const arrows = this.analysis.on ? this.analysis.arrows(position.legal) : [];
    this.turnable ||= position.legal.some(({ places }) => "from" in places && "to" in places); // pieces move, so the board has two sides
    this.named ||= position.view.kind !== "text" && position.legal.some((move) => isElsewhere(position.view, move));
    this.drawing = true;
    const seen = draw(this.ui.board, position.view, {
      legal, last: position.last_places, route: position.last_route, hint: this.hint, flipped: this.flipped && this.turnable, legend, named: this.named, play: (text) => this.play(text),
      say: (text) => this.say(text), rolled: rolled ? position.rolls.at(-1).dice : [], arrows, mine: this.mine, ondraw: (mine) => { this.mine = mine; },
    });
    this.drawing = false;
    if (seen) sound(position.over ? "end" : seen);
    this.ui.flip.hidden = !this.turnable;
  }

  /** Show the latest rolls and the seed.  Dice are drawn here unless the board shows them. */
  drawRolls(rolled) {
    const { seed, rolls, view, just_rolled: justRolled } = this.position;
    this.ui.rolled.hidden = seed === null;
    const outcome = ({ name, dice }) => {
      if (!dice.length) return h("span", { class: rolled ? "outcome rolling" : "outcome" }, name);
      if (justRolled && rolledPlaces(view, dice).size) return h("span", {}, name);
      return h("span", { class: "dice", role: "img", "aria-label": name }, dice.map((face) => die(face, rolled)));
    };
    this.ui.rolled.replaceChildren(
      h("span", { class: "outcomes" }, rolls.length ? ["Rolled ", ...rolls.map(outcome)] : "No roll yet"),
      h("span", { class: "seed small soft" }, "Dice from seed ", h("code", {}, String(seed))));
  }

  drawMoves() {
    drawMoves(this.ui.moves, this.tree, this.at, { go: (node) => this.go(node), address: (node) => this.address(node) });
  }

  drawChart() {
    const { zero_sum: zeroSum, scale, players } = this.position;
    this.ui.valued.hidden = !zeroSum;
    if (!zeroSum) return;
    const nodes = [this.tree, ...this.at.line()];
    const points = nodes.flatMap(({ found, verdict, judgement }, ply) => (found && found.value !== null ? [{ ply, value: found.value, text: found.text, verdict, judgement }] : []));
    chart(this.ui.chart, { points, scale, names: players, plies: nodes.length - 1, at: this.at.ply, go: (ply) => this.go(nodes[ply]) });
  }

  showMeter() {
    const { zero_sum: zeroSum, scale } = this.position;
    this.analysis.meter.classList.toggle("off", !this.analysis.on || !zeroSum);
    const { over, score } = this.position;
    this.analysis.show(over ? { value: score[0], text: over } : this.at.found, scale, this.flipped && this.turnable);
  }

  showButtons() {
    const { ui } = this;
    const watching = this.setup.side === "none" && !this.analysis.on;
    const over = Boolean(this.position && this.over);
    const thinking = Boolean(this.thinking) && !this.mayMove() && !watching;
    ui.undo.disabled = !this.undoTo();
    ui.pause.hidden = over || this.analysis.on || !(watching || (this.paused && !this.mayMove() && !this.at.children.length));
    ui.pause.textContent = this.paused ? "Resume" : "Pause";
    ui.now.hidden = !thinking;
    ui.hintButton.hidden = thinking || !ui.pause.hidden;
    ui.hintButton.disabled = !this.mayMove() || Boolean(this.thinking);
    ui.resign.hidden = over || !this.isMatch;
    ui.resign.textContent = this.asking ? "Really?" : "Resign";
    ui.analyse.disabled = Boolean(this.clock) && !over; // it would help, and the clock would stop
    ui.resign.disabled = !this.at.parent || this.paused || this.at.children.length > 0;
    ui.rematch.hidden = !over || !this.isMatch;
    ui.why.disabled = Boolean(this.position?.over);
    ui.judge.disabled = !this.tree.children.length || !this.position?.zero_sum;
    ui.judge.textContent = this.review.running ? "Stop" : "Review";
    ui.edit.hidden = !this.position?.view.editable;
    ui.turn.textContent = this.turnText();
    ui.typed.hidden = watching;
  }

  /** Show what the search found, or that it found nothing here. */
  report(found) {
    const { ui } = this;
    const notes = [found?.expected && "expected", found?.proven && "proven"].filter(Boolean).join(", ");
    ui.value.textContent = found?.text ? found.text + (notes && ` (${notes})`) : "–";
    ui.depth.textContent = found?.depth ?? (found?.to_end ? "to the end" : "–");
    ui.nodes.textContent = found?.nodes === undefined ? "–" : found.nodes.toLocaleString("en");
    ui.speed.textContent = found?.speed === undefined ? "–" : found.speed.toLocaleString("en");
    ui.line.textContent = found?.line?.join(" ") || "–";
  }
}

/** Change a text that is read out, if it is another one. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A game as requests describe it: its setup, start and seed, and its moves. */
function orderOf({ setup: { game, parameters }, start, seed }, moves) {
  return { game, parameters, start, seed, moves };
}

/** What a search found about a position, or about the one before if it chose the move. */
function foundFor({ found, parent, text }) {
  return found ?? (parent?.found?.move === text ? parent.found : null);
}

/** The ends of all lines of a tree. */
function leaves(node) {
  return node.children.length ? node.children.flatMap(leaves) : [node];
}

/** The variation before or after a node; undefined if there is none. */
function sibling(node, step) {
  return node.parent?.children[node.parent.children.indexOf(node) + step];
}

/** The moves in the address, with spaces between them; a space within a move is encoded.  Null if they cannot be read. */
function readMoves(params) {
  try {
    return (params.get("moves") ?? "").split(" ").filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** A seed as the server takes it: null if there is none.  What is not a number is sent as it is, for the server to refuse. */
function readSeed(text) {
  const seed = text.trim();
  return seed === "" ? null : /^\d+$/.test(seed) ? Number(seed) : seed;
}
