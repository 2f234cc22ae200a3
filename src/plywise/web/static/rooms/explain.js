// The Explain room: one or two algorithms search a tree or a position, step by step.

import { h, noSuch, pngOf, save } from "../dom.js";
import { ask, patiently } from "../server.js";
import { NOTATIONS } from "../view/story.js";
import { TreeView } from "../view/tree.js";
import { ENGINE, engineStory } from "./engine_search.js";

const OWN = "own";  // the user's own tree
const FIRST = { from: "game:red-blue", algorithm: "alphabeta" };
const SAYS = {  // labels for the options of algorithms
  strict: "Cut only on alpha > beta", alpha: "alpha", beta: "beta", low: "Enough for Min", high: "Enough for Max",
  goal: "Goal", guess: "First guess", margin: "Margin", seconds: "Seconds", nodes: "Most positions",
};
const EXTENSIONS = { svg: "svg", png: "png", tikz: "tex", dot: "dot" };
const BESIDE = "beside-";  // the prefix for options of the second algorithm
const LECTURE = "lecture";  // the view in the address
const LONGEST = 8000;  // characters of a tree in the address: all browsers take as many
const TYPING = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select";
const PRESSING = "button, a, summary, input, [role=treeitem]";
const MOVING = "input, [role=treeitem]";  // the arrow keys do something there
const ANYWHERE = ["ArrowLeft", "ArrowRight", "n", "p"];  // keys that buttons and links do not need

export class Room {
  constructor(element, context) {
    this.element = element;
    this.context = context;
    this.views = [];
    this.stop = new AbortController();
    this.hears = (event) => this.key(event);
    this.resizes = () => this.lecturing && this.arrange();
  }

  async open() {
    document.addEventListener("keydown", this.hears);
    addEventListener("resize", this.resizes);
    try {
      this.choices = await this.context.api("/api/explain/choices", undefined, { signal: this.stop.signal });
    } catch (error) {
      if (error.name !== "AbortError") this.element.append(h("p", { class: "error" }, error.message));
      return;
    }
    this.build();
    const notes = this.read(this.context.params);
    const running = this.run();
    this.notice.textContent = notes.join(" ");
    await running;
  }

  close() {
    this.stop.abort();
    document.removeEventListener("keydown", this.hears);
    removeEventListener("resize", this.resizes);
    document.documentElement.removeAttribute("data-lecture");
    for (const view of this.views) view.destroy();
    this.element.replaceChildren();
  }

  // The form ---------------------------------------------------------------------------------------------------------

  build() {
    const { trees, games, algorithms } = this.choices;
    const options = (items) => items.map(([value, text]) => h("option", { value }, text));
    const names = algorithms.map(({ name, title }) => [name, title]);
    this.from = h(
      "select", { name: "from" },
      h("optgroup", { label: "Games" }, ...options(games.map(({ name, title }) => [`game:${name}`, title]))),
      h("optgroup", { label: "Trees" }, ...options(trees.map(({ name, title }) => [`tree:${name}`, title]))),
      h("optgroup", { label: "Yours" }, ...options([[OWN, "My own tree"]])),
    );
    this.tree = h("textarea", { name: "tree", rows: 4, spellcheck: "false", autocomplete: "off", "aria-describedby": "tree-forms" });
    this.parameters = h("input", { name: "parameters", autocomplete: "off", placeholder: "default" });
    this.position = h("input", { name: "position", autocomplete: "off", spellcheck: "false", placeholder: "start position" });
    this.depth = h("input", { name: "depth", type: "number", min: 1, max: 60, placeholder: "auto" });
    this.algorithm = h("select", { name: "algorithm" }, ...options([...names, [ENGINE.name, ENGINE.title]]));
    this.beside = h("select", { name: "beside" }, ...options([["", "nothing"], ...names]));
    this.about = h("p", { class: "soft small explain-about" });
    this.summary = h("p", { class: "soft small explain-about" });
    this.optionBox = h("div", { class: "explain-options" });
    this.besideBox = h("div", { class: "explain-options" });
    this.notice = h("p", { class: "notice", role: "alert" });
    this.error = h("p", { class: "error", role: "alert" });
    this.waiting = h("p", { class: "soft", role: "status" });
    this.fault = h("pre", { class: "explain-fault", id: "tree-fault" });
    this.fault.hidden = true;
    this.treeBox = h(
      "div", { class: "explain-tree" },
      field("Tree", this.tree), this.fault,
      button("Random tree", { class: "explain-random" }, () => {
        this.from.value = OWN;
        this.tree.value = randomTree();
        if (this.of(this.algorithm.value).many_players) this.algorithm.value = FIRST.algorithm;
        this.showOptions();
        this.explainChoice();
        this.run();
      }),
      h("p", { class: "soft small", id: "tree-forms" }, "Nested lists such as [[3, 12], [2, 4]], Max first; a JSON object; or Berkeley's CS188 format."),
    );
    this.gameBox = h(
      "div", { class: "explain-game" },
      field("Position", this.position), field("Depth in plies", this.depth), field("Parameters", this.parameters),
    );
    this.form = h(
      "form", { class: "card explain-form", "aria-label": "Search settings" },
      h("div", { class: "stack" }, field("Game or tree", this.from), this.about),
      h("div", { class: "stack" }, this.treeBox, this.gameBox),
      h("div", { class: "stack" }, field("Algorithm", this.algorithm), this.summary, this.optionBox),
      h("div", { class: "stack" }, field("Compare with", this.beside), this.besideBox, h("div", { class: "row" }, this.go = button("Explain", { type: "submit", class: "primary" }))),
    );
    this.together = h("input", { type: "checkbox", name: "together" });
    this.together.checked = true;
    this.togetherLabel = h("label", { class: "inline small" }, this.together, "Step both together");
    this.togetherLabel.hidden = true;
    this.lectureButton = button("Lecture view", { title: "Only the tree, the sentence and the controls (L)" }, () => this.lecture(true));
    this.leaveButton = button("Leave", { class: "explain-leave", title: "Leave the lecture view (Escape)", "aria-label": "Leave the lecture view" }, () => this.lecture(false));
    this.quizLink = h("a", { class: "button" }, "Quiz of this tree");
    this.actions = h("div", { class: "row explain-actions" }, this.lectureButton, this.quizLink, this.togetherLabel);
    this.exports = h("section", { class: "stack explain-exports", "aria-label": "Export" });
    this.stage = h("div", { class: "explain-stage" });
    this.screen = h("div", { class: "explain-screen" }, this.stage, this.leaveButton);
    this.wishBox = h("details", { class: "explain-wish" }, h("summary", {}, "Search settings"), this.form);
    this.wishBox.open = !this.context.params.has("search") && innerWidth > 640; // on a phone, and to “Why?”, the tree comes first
    this.element.append(h("h1", {}, "Explain"), this.wishBox, this.notice, this.error, this.waiting, this.actions, this.screen, h("div", { class: "explain-foot" }, this.exports));
    this.form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await this.run();
      if (document.activeElement === this.go) this.views[0]?.canvas.focus({ preventScroll: true });  // for the keys
    });
    this.from.addEventListener("change", () => {
      this.position.value = this.parameters.value = this.depth.value = "";
      this.chosen();
      this.run();
    });
    this.tree.addEventListener("input", () => {
      if (this.tree.value !== this.example?.tree) this.from.value = OWN;
      this.markFault(null);
      this.explainChoice();
    });
    for (const select of [this.algorithm, this.beside]) {
      select.addEventListener("change", () => {
        this.showOptions();
        this.run();
      });
    }
    for (const box of [this.optionBox, this.besideBox]) box.addEventListener("change", () => this.run());
  }

  get example() {
    return this.choices.trees.find(({ name }) => `tree:${name}` === this.from.value);
  }

  get game() {
    return this.choices.games.find(({ name }) => `game:${name}` === this.from.value);
  }

  /** Fill in the defaults for a newly chosen game or tree. */
  chosen() {
    const usual = (this.example ?? this.game)?.algorithm ?? FIRST.algorithm;
    if (this.example) this.tree.value = this.example.tree;
    if (this.from.value === OWN && !this.tree.value.trim()) this.tree.value = this.context.settings.tree ?? this.choices.trees[0].tree;
    const [fits, is] = [this.of(usual), this.of(this.algorithm.value)];
    if (this.byEngine && this.game) this.beside.value = "";
    else if (this.example || fits.many_players || is.many_players || fits.takes_chance !== is.takes_chance) this.algorithm.value = usual;
    if (this.of(this.algorithm.value).many_players) this.beside.value = "";
    this.showOptions();
    this.explainChoice();
  }

  explainChoice() {
    this.treeBox.hidden = Boolean(this.game);
    this.gameBox.hidden = !this.game;
    this.about.textContent = this.example?.about ?? this.game?.about ?? "Type or paste a tree.";
  }

  showOptions(given = new URLSearchParams()) {
    if (this.byEngine && !this.game) this.algorithm.value = FIRST.algorithm;  // it searches games
    if (this.byEngine) this.beside.value = "";
    this.beside.disabled = this.depth.disabled = this.byEngine;
    this.summary.textContent = `${this.of(this.algorithm.value).summary}.`;
    this.optionBox.replaceChildren(...this.fields(this.algorithm.value, "", given));
    this.besideBox.replaceChildren(...(this.beside.value ? this.fields(this.beside.value, BESIDE, given) : []));
  }

  /** Whether to show the engine's own search. */
  get byEngine() {
    return this.algorithm.value === ENGINE.name;
  }

  /** Whether the position in the form is still the one that was played to. */
  get wasPlayed() {
    return this.byEngine && this.played && this.position.value === this.playedTo;
  }

  of(name) {
    return name === ENGINE.name ? ENGINE : this.choices.algorithms.find((algorithm) => algorithm.name === name);
  }

  fields(algorithm, prefix, given) {
    return Object.entries(this.of(algorithm).options).map(([name, usual]) => {
      const value = given.get(prefix + name);
      if (typeof usual === "boolean") {
        const box = h("input", { type: "checkbox", name: prefix + name });
        box.checked = value === null ? usual : value === "true";
        return h("label", { class: "inline small" }, box, SAYS[name] ?? name);
      }
      const infinite = { alpha: "-∞", low: "-∞", beta: "∞", high: "∞" }[name];
      const box = h("input", { type: "number", step: "any", name: prefix + name, placeholder: infinite ?? "" });
      box.value = value ?? usual ?? (name === "goal" ? 0 : "");
      return field(SAYS[name] ?? name, box);
    });
  }

  // Reading and writing the address ------------------------------------------------------------------------------------

  /** Fill in the form from the address; returns notices about names that do not exist. */
  read(params) {
    const notes = [];
    const choose = (select, value, instead, kind, asked = value) => {
      select.value = value;
      if (select.value === value) return;
      select.value = instead;
      notes.push(noSuch(kind, asked, select.selectedOptions[0].textContent));
    };
    const wanted = params.has("tree") ? OWN : params.has("example") ? `tree:${params.get("example")}`
      : params.has("game") ? `game:${params.get("game")}` : this.context.settings.explain ?? FIRST.from;
    const [kind, name] = wanted.split(/:(.*)/s);
    choose(this.from, wanted, FIRST.from, kind, name);
    const own = notes.length ? [] : ["position", "depth", "parameters"];  // only for the game they belong to
    this.algorithm.value = FIRST.algorithm;
    this.chosen();
    if (params.has("tree")) this.tree.value = params.get("tree");
    for (const field of own) if (params.has(field)) this[field].value = params.get(field);
    if (params.has("algorithm")) choose(this.algorithm, params.get("algorithm"), this.algorithm.value, "algorithm");
    if (params.get("search") === ENGINE.name) this.algorithm.value = ENGINE.name;
    this.session = params.get("session") ?? "";
    this.played = params.get("played") ?? "";  // the words of Play's address for this position
    this.playedTo = this.position.value;
    if (params.has("beside")) choose(this.beside, params.get("beside"), "", "algorithm");
    const notation = params.get("notation") ?? this.context.settings.notation;
    this.notation = Object.hasOwn(NOTATIONS, notation ?? "") ? notation : "window";
    if (params.has("notation") && notation !== this.notation) notes.push(noSuch("notation", notation, NOTATIONS.window));
    this.lecturing = params.get("view") === LECTURE;
    this.showOptions(params);
    this.explainChoice();
    return notes;
  }

  remember() {
    const params = new URLSearchParams();
    if (this.game) params.set("game", this.game.name);
    else if (this.example) params.set("example", this.example.name);
    else if (this.tree.value.length <= LONGEST) params.set("tree", this.tree.value);
    else this.notice.textContent = "This tree is too long for the address, so a link does not show it to others.";
    for (const name of this.game ? ["position", "depth", "parameters"] : []) {
      if (this[name].value.trim()) params.set(name, this[name].value.trim());
    }
    params.set(this.byEngine ? "search" : "algorithm", this.algorithm.value);
    if (this.wasPlayed) params.set("played", this.played);
    if (this.beside.value) params.set("beside", this.beside.value);
    for (const box of this.form.querySelectorAll(".explain-options input")) {
      if (box.type === "checkbox" ? box.checked : box.value !== "") params.set(box.name, box.type === "checkbox" ? "true" : box.value);
    }
    this.context.rename(`#explain?${params}`);
    this.rememberView();
    this.context.settings.explain = this.from.value;
    if (this.from.value === OWN) this.context.settings.tree = this.tree.value;
  }

  /** Change only the notation and the view in the address, so that the rest still matches what is shown. */
  rememberView() {
    const params = new URLSearchParams(location.hash.split("?")[1]);
    params.set("notation", this.notation);
    if (this.lecturing) params.set("view", LECTURE);
    else params.delete("view");
    this.context.rename(`#explain?${params}`);
    this.context.settings.notation = this.notation;
  }

  // Searching --------------------------------------------------------------------------------------------------------

  /** The request body for one of the two algorithms. */
  wish(algorithm, prefix) {
    const wish = { algorithm, options: {} };
    for (const box of this.form.querySelectorAll(".explain-options input")) {
      const second = box.name.startsWith(BESIDE);
      if (second !== (prefix === BESIDE) || (box.type !== "checkbox" && box.value === "")) continue;
      wish.options[box.name.slice(prefix.length)] = box.type === "checkbox" ? box.checked : Number(box.value);
    }
    if (!this.game) return { ...wish, tree: this.tree.value };
    return {
      ...wish,
      game: this.game.name,
      parameters: this.parameters.value.trim(),
      position: this.position.value.trim() || null,
      depth: this.depth.value === "" ? null : Number(this.depth.value),
    };
  }

  async run() {
    this.stop.abort();
    const { signal } = (this.stop = new AbortController());
    this.error.textContent = this.notice.textContent = "";
    this.markFault(null);
    this.wishes = [this.wish(this.algorithm.value, "")];
    if (this.beside.value) this.wishes.push(this.wish(this.beside.value, BESIDE));
    this.stage.setAttribute("aria-busy", "true");
    try {
      this.stories = await patiently(this.search(signal), (text) => { this.waiting.textContent = text; });
    } catch (error) {
      if (error.name === "AbortError") return;
      this.error.textContent = error.message;
      if (!this.game) this.markFault(error.place);
      this.stories = [];
      this.lecturing = false;  // the message is on the page
    }
    this.stage.removeAttribute("aria-busy");
    this.remember();
    this.show();
  }

  /** The stories of the search, or of both. */
  async search(signal) {
    if (this.byEngine) return engineStory(this, signal);
    const [wish, second] = this.wishes;
    if (!second) return [await this.context.api("/api/explain", wish, { signal })];
    const beside = { algorithm: second.algorithm, options: second.options };
    return this.context.api("/api/explain/compare", { ...wish, beside }, { signal });
  }

  /** Mark what is wrong with the text of the tree: select it there, and show its line with a caret below. */
  markFault(place) {
    this.fault.hidden = !place;
    this.tree.setAttribute("aria-invalid", Boolean(place));
    this.tree.setAttribute("aria-describedby", place ? "tree-fault tree-forms" : "tree-forms");
    if (!place) return;
    const { line, column, text, start, end } = place;
    this.fault.textContent = `Line ${line}, column ${column}:\n${text}\n${" ".repeat(place.caret)}${"^".repeat(Math.max(1, place.length))}`;
    this.tree.setSelectionRange(start, end);
    if (this.wishBox.open && document.activeElement?.closest(".explain-form")) this.tree.focus();
  }

  show() {
    for (const view of this.views) view.destroy();
    this.stage.classList.toggle("explain-two", this.stories.length > 1);
    this.togetherLabel.hidden = this.stories.length < 2;
    this.views = this.stories.map((story, i) => new TreeView(this.stage, story, {
      label: this.stories.length > 1 ? `${i ? "Second" : "First"} search: ${story.by}` : "The search",
      notation: this.notation,
      step: this.byEngine ? story.steps.length : 0,  // the whole tree at once, then step by step
      onNotation: (notation) => {
        this.notation = notation;
        for (const other of this.views) if (other.notation !== notation) other.write(notation, { quiet: true });
        this.rememberView();
      },
      onStep: () => this.together.checked && this.align(i),
    }));
    this.level();
    this.showExports();
    this.showQuiz();
    this.lectureButton.disabled = !this.views.length;
    this.lecture(this.lecturing);
  }

  /** Show as many levels in one view as in the other, unless the reader has chosen. */
  level() {
    if (this.views.some((view) => view.chosen)) return;
    const levels = Math.min(...this.views.map((view) => view.levels));
    for (const view of this.views.filter((each) => each.levels > levels)) {
      view.openLevels(levels);
      view.refit();
    }
  }

  /** Bring the other view to the node where one view is. */
  align(i) {
    const { moment, place } = this.views[i].replay;
    for (const other of this.views) if (other !== this.views[i]) other.follow(moment, place);
  }

  /** A quiz takes trees for two players, without dice. */
  showQuiz() {
    const { many_players: many, takes_chance: dice } = this.of(this.algorithm.value);
    this.quizLink.hidden = Boolean(this.game) || many || dice || !this.views.length;
    const tree = { tree: this.tree.value.trim() }, strict = this.wishes[0].options.strict;
    this.quizLink.href = `#quiz?${new URLSearchParams(strict ? { ...tree, strict } : tree)}`;
  }

  // The lecture view ---------------------------------------------------------------------------------------------------

  /** Open or leave the lecture view. */
  lecture(on) {
    const had = this.lecturing && document.documentElement.hasAttribute("data-lecture");
    this.lecturing = on && this.views.length > 0;
    document.documentElement.toggleAttribute("data-lecture", this.lecturing);
    if (this.lecturing) this.arrange();
    if (this.lecturing || had) for (const view of this.views) view.lecture(this.lecturing);
    if (this.lecturing || had) this.level();
    if (this.views.length) this.rememberView();
    if (had && !this.lecturing) this.lectureButton.focus({ preventScroll: true });
  }

  /** Two trees are beside each other or one above the other, whichever leaves them larger. */
  arrange() {
    if (this.views.length < 2) return;
    const { width, least } = this.views[0].drawing.scene, [wide, high] = [innerWidth - 32, innerHeight - 64];
    const beside = Math.min((wide / 2 - 30) / width, (high - 143) / least);
    const stacked = Math.min((wide - 22) / width, (high / 2 - 64) / least);
    this.stage.classList.toggle("explain-stacked", stacked > beside);
  }

  /** Keys of the room: L and Escape, and those of the first view wherever the focus is. */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && this.lecturing) this.lecture(false);
    else if (event.target.closest(TYPING)) return;
    else if (event.key.toLowerCase() === "l" && this.views.length) this.lecture(!this.lecturing);
    else if (ANYWHERE.includes(event.key) ? !event.target.closest(MOVING) : !event.target.closest(PRESSING)) this.views[0]?.key(event);
  }

  // Export -----------------------------------------------------------------------------------------------------------

  showExports() {
    const widest = h("input", { name: "widest", type: "number", min: 1, max: 100, placeholder: "all" });
    const now = h("input", { name: "now", type: "checkbox" });
    const blank = h("input", { name: "blank", type: "checkbox" });
    const group = (view, i) => {
      const story = this.stories[i], name = `plywise-${story.algorithm}`;
      const which = this.views.length > 1 ? ` (${i ? "second" : "first"} search)` : "";
      const file = (format, kind = format) => this.drawing({
        ...this.wishes[i], format, notation: blank.checked ? "blank" : this.notation,
        widest: widest.value === "" ? null : Number(widest.value),
        steps: now.checked ? Math.max(1, view.replay.count) : null,
      }, `${name}.${EXTENSIONS[kind]}`);
      const formats = {
        SVG: () => file("svg"), PNG: () => file("svg", "png"), TikZ: () => file("tikz"), DOT: () => file("dot"),
        "This view": () => save(view.svg(), "image/svg+xml", `${name}-view.svg`),
        JSON: () => save(JSON.stringify(story, null, 1), "application/json", `${name}.json`),
      };
      if (this.byEngine) for (const format of ["SVG", "PNG", "TikZ", "DOT"]) delete formats[format];  // these draw recorded searches
      const buttons = Object.entries(formats).map(([format, action]) => button(format, { "aria-label": `Export ${format}${which}` }, action));
      return h("div", { class: "row" }, which ? h("span", { class: "soft small" }, which.trim()) : "", ...buttons);
    };
    this.exports.replaceChildren(...(this.views.length ? [
      h("h2", {}, "Export"),
      this.byEngine ? "" : h("div", { class: "row explain-how" }, field("Moves per node", widest),
        h("label", { class: "inline small" }, now, "at this step"),
        h("label", { class: "inline small" }, blank, "blank, as an exercise")),
      ...this.views.map(group),
    ] : []));
  }

  async drawing(wish, name) {
    this.error.textContent = "";
    try {
      const response = await ask("/api/explain/drawing", wish, { signal: this.stop.signal });
      if (name.endsWith(".png")) save(await pngOf(await response.text()), "image/png", name);
      else save(await response.blob(), response.headers.get("Content-Type"), name);
    } catch (error) {
      if (error.name !== "AbortError") this.error.textContent = error.message;
    }
  }
}

/** A tree as nested lists: three plies, two or three moves per node, leaves from -9 to 9. */
function randomTree(plies = 3) {
  const any = (low, high) => low + Math.floor(Math.random() * (high - low + 1));
  const node = (left) => (left ? `[${Array.from({ length: any(2, 3) }, () => node(left - 1)).join(", ")}]` : `${any(-9, 9)}`);
  return node(plies);
}

function field(name, control) {
  return h("label", {}, name, control);
}

function button(name, attributes = {}, onclick = () => {}) {
  return h("button", { type: "button", onclick, ...attributes }, name);
}
