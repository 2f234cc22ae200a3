// The Play room: the user plays against the search, or watches it play itself.
//
// The server stores no games.  The game is kept here, as its start position and the texts of its moves, in a game with
// dice without the rolls, but with their seed.  The tab stores all that, so a game survives a visit to another room and a reload.

import { chart } from "../chart.js";
import { draw, isElsewhere } from "../boards.js";
import { die, rolledPlaces, rollTime } from "../dice.js";
import { h, noSuch, save } from "../dom.js";
import { events, sentence } from "../server.js";
import { sound } from "../sounds.js";

const TIMES = [[0.1, "0.1 seconds"], [0.5, "0.5 seconds"], [1, "1 second"], [3, "3 seconds"], [10, "10 seconds"], [30, "30 seconds"]];
const FIRST = "connect-four";
const USUAL_LEVEL = "Casual";
const HINT_SECONDS = 2;
const MADE_FOR = 5000; // milliseconds for which the line about the fast code stays when that is ready
const SEEN_FOR = 500; // the fewest milliseconds between moves when the search plays itself
const CHANCE = -1; // the mover of a roll

export class Room {
  constructor(element, context) {
    this.element = element;
    this.context = context;
    this.setup = {
      game: FIRST, parameters: "", side: "0", level: USUAL_LEVEL, seconds: 1, ...(context.settings.play ?? {}),
    };
    const params = context.params;
    if (params.get("game")) Object.assign(this.setup, { game: params.get("game"), parameters: params.get("parameters") ?? "" });
    this.start = params.get("position") || null;
    this.seed = readSeed(params.get("seed") ?? ""); // null: the server chooses one
    this.kept = !params.size || context.tab.play?.asked === String(params) ? context.tab.play : null;
    if (this.kept) {
      const { game, parameters, side, start, seed = null } = this.kept;
      Object.assign(this.setup, { game, parameters, side });
      Object.assign(this, { start, seed });
    }
    this.session = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    this.reset();
  }

  /** Forget the game. */
  reset() {
    this.moves = [];
    this.movers = []; // the player of each move
    this.values = new Map(); // by ply: what the search found
    this.position = null;
    this.hint = null;
    this.paused = false;
    this.turnable = false; // whether the board can be flipped
    this.named = false; // whether the board has had moves without a place, whose buttons are below it
  }

  // Opening and closing ----------------------------------------------------------------------------------------------

  async open() {
    this.build();
    try {
      const [games, levels] = await Promise.all([this.context.api("/api/play/games"), this.context.api("/api/play/levels")]);
      this.games = games;
      if (!games.some((game) => game.name === this.setup.game)) {
        this.ui.notice.textContent = noSuch("game", this.setup.game, games.find((game) => game.name === FIRST).title);
        Object.assign(this.setup, { game: FIRST, parameters: "" });
        this.start = this.seed = this.kept = null;
      }
      this.furnish(levels);
      if (!(this.kept && await this.newGame(this.kept)) && !await this.newGame()) await this.usualGame();
    } catch (error) {
      this.complain(error);
    }
  }

  close() {
    this.closed = true;
    this.stopThinking();
    this.stopPreparing();
  }

  build() {
    const button = (name, onclick, properties = {}) => h("button", { type: "button", onclick, ...properties }, name);
    const field = (label, control) => h("label", {}, label, control);
    this.ui = {
      board: h("div", { class: "table" }),
      notice: h("p", { class: "notice", role: "alert" }),
      turn: h("span", { class: "turn" }),
      tally: h("span", { class: "tally" }),
      rolled: h("p", { class: "rolled", hidden: true }),
      made: h("span"),
      bar: h("progress", { max: 1, "aria-label": "Fast code" }),
      message: h("p", { class: "error", role: "alert" }),
      refusal: h("p", { class: "error", role: "alert", tabindex: 0 }), // it may be long enough to scroll, as may the position
      game: h("select", { name: "game", onchange: () => this.chooseGame() }),
      about: h("p", { class: "small soft about" }),
      parameters: h("input", { name: "parameters", autocomplete: "off", spellcheck: "false" }),
      side: h("select", { name: "side", onchange: () => this.change() }),
      level: h("select", { name: "level", onchange: () => this.change() }),
      seconds: h("select", { name: "seconds", onchange: () => this.change() }, TIMES.map(([value, name]) => h("option", { value }, name))),
      nowText: h("code", { class: "position", tabindex: 0 }),
      start: h("input", { name: "start", autocomplete: "off", spellcheck: "false" }),
      seed: h("input", { name: "seed", autocomplete: "off", inputmode: "numeric", placeholder: "random" }),
      move: h("input", { name: "move", autocomplete: "off", spellcheck: "false", autocapitalize: "none" }),
      value: h("output", { class: "value" }, "–"),
      status: h("span", { class: "small soft" }),
      depth: h("dd"), nodes: h("dd"), speed: h("dd"), line: h("dd", { class: "line" }),
      chart: h("div"),
      moves: h("p", { class: "moves", tabindex: 0, role: "region", "aria-label": "Moves of this game" }),
      undo: button("Undo", () => this.undo()),
      hintButton: button("Hint", () => this.giveHint()),
      flip: button("Flip", () => this.flip()),
      now: button("Move now", () => this.moveNow(), { hidden: true }),
      pause: button("Pause", () => this.pause(), { hidden: true }),
      download: button("Download", () => this.download()),
      explain: button("Explain", () => this.explain(), { title: "Step through a search of this position" }),
    };
    const ui = this.ui;
    ui.making = h("p", { class: "making small soft", hidden: true }, ui.made, ui.bar);
    ui.parametersField = field("Parameters", ui.parameters);
    ui.seedField = field("Seed of the dice, to repeat a game", ui.seed);
    this.element.append(
      h("h1", { class: "unseen" }, "Play"),
      h("div", { class: "play" },
        h("section", { class: "stack", "aria-label": "Board" },
          ui.notice, h("p", { class: "head" }, ui.turn, ui.tally), ui.rolled, ui.board,
          h("div", { class: "stack controls" }, ui.message,
            h("div", { class: "row" }, ui.undo, ui.hintButton, ui.flip, ui.explain, ui.download, h("span", { class: "either" }, ui.now, ui.pause))),
          ui.making),
        h("div", { class: "stack" },
          h("form", { class: "card stack setup", "aria-label": "New game", onsubmit: (event) => { event.preventDefault(); this.submit(); } },
            field("Game", ui.game), ui.about,
            h("div", { class: "three" }, field("You play", ui.side), field("Strength", ui.level), field("Time per move", ui.seconds)),
            h("details", {}, h("summary", {}, "Set up a position, and more"),
              h("div", { class: "stack" },
                field("Position as text", ui.start),
                h("p", { class: "small soft" }, "In the game's notation. Now on the board: ", ui.nowText),
                h("div", { class: "three" }, ui.parametersField, ui.seedField))),
            ui.refusal, h("button", { class: "primary" }, "New game")),
          h("section", { class: "card stack record", "aria-labelledby": "moves-title" }, h("h2", { id: "moves-title" }, "Moves"), ui.moves,
            h("form", { class: "row typed", onsubmit: (event) => { event.preventDefault(); this.typed(); } },
              h("label", { class: "inline" }, "Type a move", ui.move), h("button", {}, "Play"))),
          h("section", { class: "card", "aria-labelledby": "search-title" },
            h("h2", { id: "search-title" }, "The search"),
            h("p", { class: "row" }, ui.value, ui.status),
            h("dl", { class: "facts" },
              h("div", {}, h("dt", {}, "Depth"), ui.depth), h("div", {}, h("dt", {}, "Positions"), ui.nodes),
              h("div", {}, h("dt", {}, "Per second"), ui.speed), h("div", { class: "wide" }, h("dt", {}, "Line"), ui.line)),
            ui.chart))));
  }

  /** Fill in the games and levels that the server offers. */
  furnish(levels) {
    const { ui, setup } = this;
    ui.game.append(...this.games.map((game) => h("option", { value: game.name }, game.title)));
    ui.level.append(...levels.map((name) => h("option", {}, name)));
    if (!levels.includes(setup.level)) setup.level = USUAL_LEVEL; // the browser remembers one that there was before
    ui.game.value = setup.game;
    ui.level.value = setup.level;
    ui.seconds.value = setup.seconds;
    ui.parameters.value = setup.parameters;
    ui.start.value = this.start ?? "";
    ui.seed.value = this.kept ? "" : this.seed ?? "";
    if (this.start || ui.seed.value) ui.start.closest("details").open = true;
    this.showGame();
  }

  // Choosing ---------------------------------------------------------------------------------------------------------

  showGame() {
    const card = this.games.find((game) => game.name === this.ui.game.value);
    this.ui.about.textContent = card.about;
    this.ui.parametersField.hidden = !card.parameters;
    this.ui.parameters.placeholder = this.ui.parameters.title = card.parameters;
    this.ui.seedField.hidden = !card.dice;
  }

  /** Start the chosen game at once, so that the board matches the name. */
  chooseGame() {
    this.ui.parameters.value = "";
    this.ui.start.value = "";
    this.ui.seed.value = "";
    this.showGame();
    this.submit();
  }

  /** Change the side, the strength or the time during a game. */
  change() {
    const { ui, setup } = this;
    const other = setup.side !== ui.side.value;
    Object.assign(setup, { side: ui.side.value, level: ui.level.value, seconds: Number(ui.seconds.value) });
    this.context.settings.play = setup;
    if (!other) return;
    this.stopThinking();
    this.paused = false;
    this.seat(this.position);
    this.show(this.position);
    this.goOn();
  }

  async submit() {
    const { ui } = this;
    const setup = {
      game: ui.game.value, parameters: ui.parameters.value.trim(), side: ui.side.value || "0", level: ui.level.value,
      seconds: Number(ui.seconds.value),
    };
    const before = [this.setup, this.start, this.seed];
    this.setup = setup;
    this.start = ui.start.value.trim() || null;
    this.seed = ui.seedField.hidden ? null : readSeed(ui.seed.value);
    ui.notice.textContent = "";
    if (!await this.newGame() && this.setup === setup) [this.setup, this.start, this.seed] = before;
  }

  /** Start a game, or continue a stored one; returns whether that worked. */
  async newGame({ moves, movers, values } = { moves: [], movers: [], values: [] }) {
    this.stopThinking();
    const { setup } = this;
    let position;
    try {
      position = await this.context.api("/api/play/position", this.order(moves));
    } catch (error) {
      this.complain(error, this.ui.refusal);
      return false;
    }
    if (this.closed || setup !== this.setup) return false; // or the user has chosen another game
    this.stopPreparing();
    this.reset();
    Object.assign(this, { moves: [...moves], movers: [...movers], values: new Map(values) });
    this.seed = position.seed;
    this.context.settings.play = this.setup;
    this.offerSides(position.players);
    this.seat(position);
    this.report();
    this.show(position);
    if (this.setup.side !== "both") this.prepare();
    this.goOn();
    return true;
  }

  /** Start the game as usual where the address asks for something wrong, and say what that is. */
  async usualGame() {
    const { ui } = this;
    const wrong = ui.refusal.textContent;
    this.setup = { ...this.setup, parameters: "" };
    this.start = this.seed = null;
    ui.parameters.value = ui.start.value = ui.seed.value = "";
    if (await this.newGame()) ui.notice.textContent = `${wrong} Showing the usual start instead.`;
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

  /** Store the game in the tab. */
  keep() {
    const { start, seed, moves, movers, setup: { side } } = this;
    const values = [...this.values].map(([ply, { value, text }]) => [ply, { value, text }]);
    this.context.tab.play = { asked: String(this.context.params), ...this.chosen(), side, start, seed, moves, movers, values };
  }

  // The game ---------------------------------------------------------------------------------------------------------

  chosen() {
    return { game: this.setup.game, parameters: this.setup.parameters };
  }

  order(moves) {
    return { ...this.chosen(), start: this.start, seed: this.seed, moves };
  }

  /** Whether the user plays this side. */
  persons(player) {
    return this.setup.side === "both" || String(player) === this.setup.side;
  }

  /** Make a move; returns whether it was legal. */
  async play(text) {
    this.stopThinking();
    const order = this.order([...this.moves, text]);
    const mover = this.position.to_move;
    const game = this.position;
    try {
      const position = await this.context.api("/api/play/position", order);
      if (this.closed || game !== this.position) return false;
      this.moves = order.moves;
      this.movers.push(mover);
      this.show(position);
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
    return !this.position.over && this.persons(this.position.to_move);
  }

  /** Start the search if it is the search's turn. */
  async goOn() {
    const { position } = this;
    if (position.over || this.persons(position.to_move) || this.paused) return;
    const begun = performance.now();
    const found = await this.think({ level: this.ui.level.selectedIndex + 1, seconds: this.setup.seconds });
    if (!found || position !== this.position) return;
    const seen = Math.max(this.setup.side === "none" ? SEEN_FOR : 0, position.just_rolled ? rollTime() : 0);
    await new Promise((done) => setTimeout(done, seen - (performance.now() - begun)));
    if (position === this.position && !this.closed && !this.paused) this.play(found.move);
  }

  /** Search the position on the board; returns the result, or null if the search was stopped. */
  async think(limits) {
    this.stopThinking();
    this.prepare();
    const thinking = this.thinking = new AbortController();
    const ply = this.moves.length;
    const { ui } = this;
    let best = null;
    this.showButtons();
    this.status("Thinking");
    try {
      const order = { ...this.order(this.moves), ...limits, session: this.session };
      for await (const { name, data } of events("/api/play/think", order, thinking.signal)) {
        if (this.thinking !== thinking) return null;
        if (name === "status") this.status(data.text || "Thinking");
        if (name === "wrong") throw new Error(sentence(data.detail));
        if (name === "info" || name === "done") {
          best = this.best = { ...best, ...data };
          this.report(best);
          if (best.value !== null && best.value !== undefined) this.values.set(ply, best);
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
      }
      return null;
    } finally {
      if (this.thinking === thinking) {
        this.thinking = null;
        this.status("");
        ui.now.hidden = true;
        this.showButtons();
      }
    }
  }

  /** Stop the search; the server notices the disconnect. */
  stopThinking() {
    const { thinking } = this;
    this.thinking = null;
    this.best = null;
    if (!thinking) return;
    thinking.abort();
    this.status("");
  }

  moveNow() {
    const move = this.best?.move;
    if (move) this.play(move);
  }

  pause() {
    this.paused = !this.paused;
    if (this.paused) this.stopThinking();
    this.say("");
    this.status("");
    this.showButtons();
    if (!this.paused) this.goOn();
  }

  async undo() {
    const keep = this.undoTo();
    if (keep === null) return;
    this.stopThinking();
    const game = this.position;
    this.paused = this.setup.side === "none";
    try {
      const position = await this.context.api("/api/play/position", this.order(this.moves.slice(0, keep)));
      if (this.closed || game !== this.position) return;
      this.moves.length = this.movers.length = keep;
      for (const ply of [...this.values.keys()]) if (ply > keep) this.values.delete(ply);
      this.show(position);
      this.report(this.values.get(keep));
      this.goOn();
    } catch (error) {
      this.complain(error);
    }
  }

  /** The number of moves left after an undo: back to the user's last turn, or by one move; null if there is none. */
  undoTo() {
    if (!this.moves.length) return null;
    if (this.setup.side === "both" || this.setup.side === "none") return this.moves.length - 1;
    const turn = this.movers.lastIndexOf(Number(this.setup.side));
    return turn === -1 ? null : turn;
  }

  async giveHint() {
    const found = await this.think({ seconds: HINT_SECONDS });
    if (!found || this.closed) return;
    this.hint = found.move;
    this.drawBoard();
    const text = `Hint: ${found.name} (${found.text})`;
    this.status(text);
    this.context.announce(text);
  }

  /** Turn the board so that the user sits below it. */
  seat({ view }) {
    this.flipped = this.setup.side === String(1 - view.seat);
  }

  flip() {
    this.flipped = !this.flipped;
    this.drawBoard();
  }

  explain() {
    const words = new URLSearchParams({ ...this.chosen(), position: this.position.text });
    this.context.navigate(`#explain?${words}`);
  }

  async download() {
    const level = this.setup.level;
    const names = this.position.players.map((_, player) => (this.persons(player) ? "Person" : `plywise, ${level.toLowerCase()}`));
    try {
      const file = await this.context.api("/api/play/record", { ...this.order(this.moves), names });
      save(file.text, file.type, file.name);
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
    if (ui.making.hidden) this.context.announce("The search runs in plain Python while the fast code is made.");
    ui.made.textContent = `Thinking in plain Python while the fast code is made: ${wait}.`;
    ui.bar.hidden = share === null;
    ui.bar.value = share ?? 0;
    ui.making.hidden = false;
  }

  /** Say that the fast code is ready, for a while, if anyone had to wait for it. */
  showMade() {
    const { ui, preparing } = this;
    if (ui.making.hidden) return;
    ui.made.textContent = "The fast code is ready.";
    ui.bar.hidden = true;
    this.context.announce(ui.made.textContent);
    setTimeout(() => {
      if (this.preparing === preparing) ui.making.hidden = true;
    }, MADE_FOR);
  }

  show(position) {
    const rolled = position.just_rolled && position.moves.length !== this.position?.moves.length;
    this.position = position;
    this.hint = null;
    this.mine = []; // the reader's arrows
    this.keep();
    this.say(this.forcedText());
    this.status("");
    this.ui.nowText.textContent = position.text || "(empty)";
    this.drawBoard(rolled);
    this.drawRolls(rolled);
    this.drawMoves();
    this.drawChart();
    this.showButtons();
    this.ui.turn.classList.toggle("over", Boolean(position.over));
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
    if (position.over) return position.over;
    const name = position.players[position.to_move];
    if (this.setup.side === "both" || this.setup.side === "none" || this.paused) return `${name} to move`;
    return this.persons(position.to_move) ? `Your move: you are ${name}` : `${name} is thinking`;
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
    this.turnable ||= position.legal.some(({ places }) => "from" in places && "to" in places); // pieces move, so the board has two sides
    this.named ||= position.view.kind !== "text" && position.legal.some((move) => isElsewhere(position.view, move));
    const seen = draw(this.ui.board, position.view, {
      legal, last: position.last_places, route: position.last_route, hint: this.hint, flipped: this.flipped && this.turnable, legend, named: this.named, play: (text) => this.play(text),
      say: (text) => this.say(text), rolled: rolled ? position.rolls.at(-1).dice : [], mine: this.mine, ondraw: (mine) => { this.mine = mine; },
    });
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
    const { moves, movers, labels } = this.position;
    const words = moves.flatMap((name, ply) => [
      labels[ply] && h("span", { class: "soft" }, `${labels[ply]} `),
      h("span", { class: movers[ply] === CHANCE ? "roll" : "move" }, name), " ",
    ]);
    this.ui.moves.replaceChildren(...(words.length ? words.filter(Boolean) : [h("span", { class: "soft" }, "No moves yet.")]));
    this.ui.moves.scrollTop = this.ui.moves.scrollHeight;
  }

  drawChart() {
    const { zero_sum: zeroSum, scale, players } = this.position;
    this.ui.chart.hidden = !zeroSum;
    if (!zeroSum) return;
    const points = [...this.values].sort(([a], [b]) => a - b).map(([ply, { value, text }]) => ({ ply, value, text }));
    chart(this.ui.chart, { points, scale, names: players, plies: this.moves.length });
  }

  showButtons() {
    const { ui } = this;
    const watching = this.setup.side === "none";
    const over = Boolean(this.position?.over);
    ui.undo.disabled = this.undoTo() === null;
    ui.hintButton.disabled = !this.mayMove() || Boolean(this.thinking);
    ui.hintButton.hidden = watching;
    ui.now.hidden = !this.thinking || this.mayMove() || watching;
    ui.pause.hidden = over || !(watching || this.paused);
    ui.pause.textContent = this.paused ? "Resume" : "Pause";
    ui.turn.textContent = this.turnText();
    ui.move.closest("form").hidden = watching;
  }

  /** Show what the search found, or that it found nothing here. */
  report(found) {
    const { ui } = this;
    const notes = [found?.expected && "expected", found?.proven && "proven"].filter(Boolean).join(", ");
    ui.value.textContent = found?.text ? found.text + (notes && ` (${notes})`) : "–";
    ui.depth.textContent = found?.depth ?? (found?.proven ? "to the end" : "–");
    ui.nodes.textContent = found?.nodes === undefined ? "–" : found.nodes.toLocaleString("en");
    ui.speed.textContent = found?.speed === undefined ? "–" : found.speed.toLocaleString("en");
    ui.line.textContent = found?.line?.join(" ") || "–";
  }
}

/** A seed as the server takes it: null if there is none.  What is not a number is sent as it is, for the server to refuse. */
function readSeed(text) {
  const seed = text.trim();
  return seed === "" ? null : /^\d+$/.test(seed) ? Number(seed) : seed;
}
