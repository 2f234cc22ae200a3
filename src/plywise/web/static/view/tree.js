// The tree view: the story of a search, step by step, as a drawing and as a list.
//
// `new TreeView(element, story)` adds it to a page; the default export is an anywidget for notebooks.  It needs only the
// story and tree.css.

import { Drawing } from "./drawing.js";
import { miniature, miniatureSize } from "./miniature.js";
import { Outline } from "./outline.js";
import { collapsedBelow, levelsWith, scene } from "./scene.js";
import { NOTATIONS, Replay } from "./story.js";

const READABLE = 0.35;  // the smallest initial scale
const MANY = 150;  // the most visits shown at first
const FEW = 40;  // draw boards by default up to this many visits
const SPEEDS = [[0.5, "slow"], [1, "normal"], [3, "fast"], [10, "very fast"]];
const ICONS = {  // paths in a square of 24 by 24
  first: "M6 5v14M18 5l-9 7 9 7z", cutBefore: "M7 5l-4 7 4 7M14 5v14M19 5v14M10 12h13", back: "M16 5l-9 7 9 7z",
  play: "M7 4l12 8-12 8z", pause: "M8 5v14M16 5v14", forward: "M8 5l9 7-9 7z",
  cutAfter: "M17 5l4 7-4 7M5 5v14M10 5v14M1 12h13", last: "M18 5v14M6 5l9 7-9 7z",
};
const KEYS = "Arrow keys step, Home and End jump, Space plays, N and P go to the next and the previous cut, "
  + "plus and minus zoom, 0 shows all, Shift with arrow keys pans.";

export class TreeView {
  /**
   * `options`: the initial `step` (default: 0) and `notation` (default: "window"); `onStep(count)` and
   * `onNotation(name)`, called when these change; and `label`, the name of the view if there are several.
   */
  constructor(element, story, options = {}) {
    this.options = options;
    this.replay = new Replay(story);
    this.selected = null;  // a visit, or null for the current one
    this.chosen = false;  // whether the reader has collapsed or expanded something
    this.boards = story.boards ?? (story.visits.length <= FEW && story.visits.some(hasBoard));
    this.notation = Object.hasOwn(story.notations, options.notation ?? "") ? options.notation : "window";
    this.reasons = true;
    this.leaves = story.written;  // whether to show leaf values before the search visits them
    this.skipped = null;  // the place that another search has come to and this one skips
    this.build(element);
    this.openLevels(this.levelsToFit());
    this.go(options.step ?? 0, { quiet: true });
  }

  // Parts ------------------------------------------------------------------------------------------------------------

  build(element) {
    const { story } = this.replay;
    this.element = tag("section", { class: "pw-view", "aria-label": this.options.label ?? `Search tree: ${story.title}` });
    const facts = tag("p", { class: "pw-facts" }, story.facts.join(" "));
    this.headline = tag("p", { class: "pw-headline" });
    this.sentence = tag("p", { class: "pw-sentence", role: "status", "aria-live": "polite" });
    this.canvas = tag("div", {
      class: "pw-canvas", tabindex: "0", role: "group", "aria-label": `Drawing of the tree. The list shows the same. ${KEYS}`,
    });
    const side = tag("div", { class: "pw-side" });
    this.details = tag("div", { class: "pw-details" });
    this.drawing = new Drawing(this.canvas, {
      pick: (visit) => this.select(visit),
      toggle: (visit) => this.toggle(visit),
      deepen: (level) => this.deepen(level),
      refit: () => this.refit(),
    });
    this.pass = tag("div", { class: "pw-pass", "aria-hidden": "true" });
    this.canvas.append(this.pass, this.zoomButtons());
    this.outline = new Outline(side, {
      pick: (visit) => this.select(visit),
      toggle: (visit, open) => this.toggle(visit, open),
    });
    side.append(this.details);
    const stage = tag("div", { class: "pw-stage" }, this.canvas, side);
    this.signs = tag("p", { class: "pw-legend" });
    this.element.append(tag("p", { class: "pw-title" }, story.title), facts, this.headline, this.controls(), this.sentence, stage, this.signs);
    this.legend();
    this.element.addEventListener("keydown", (event) => this.key(event));
    element.append(this.element);
  }

  controls() {
    const { last } = this.replay;
    this.slider = tag("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Step", class: "pw-slider" });
    this.slider.addEventListener("input", () => this.step(Number(this.slider.value)));
    this.counter = tag("span", { class: "pw-counter" });
    this.buttons = {
      first: button(ICONS.first, "First step (Home)", () => this.step(0)),
      cutBefore: button(ICONS.cutBefore, "Previous cut (P)", () => this.goToCut(-1)),
      back: button(ICONS.back, "Step back (left arrow)", () => this.step(this.replay.count - 1)),
      play: button(ICONS.play, "Play (Space)", () => this.togglePlay()),
      forward: button(ICONS.forward, "Step forward (right arrow)", () => this.step(this.replay.count + 1)),
      cutAfter: button(ICONS.cutAfter, "Next cut (N)", () => this.goToCut(1)),
      last: button(ICONS.last, "Last step (End)", () => this.step(last)),
    };
    this.speed = tag("select", { "aria-label": "Speed" });
    for (const [rate, name] of SPEEDS) this.speed.append(tag("option", { value: rate }, name));
    this.speed.value = "1";
    this.speed.addEventListener("change", () => this.playing && this.play());
    this.notations = tag("select", { "aria-label": "Notation" });
    const offered = Object.entries(NOTATIONS).filter(([name]) => Object.hasOwn(this.replay.story.notations, name));
    for (const [name, text] of offered) this.notations.append(tag("option", { value: name }, text));
    this.notations.hidden = offered.length < 2;
    this.notations.value = this.notation;
    this.notations.addEventListener("change", () => this.write(this.notations.value));
    return tag("div", { class: "pw-controls" }, ...Object.values(this.buttons), this.slider, this.counter, this.speed, this.notations);
  }

  zoomButtons() {
    const toggles = [this.switch("Leaves", "leaves", "Show leaf values in advance")];
    if (this.replay.story.visits.some(hasBoard)) toggles.push(this.switch("Boards", "boards"));
    if (this.hasCuts) toggles.push(this.switch("Reasons", "reasons"));
    const inner = this.replay.story.visits.length > 1;
    return tag(
      "div", { class: "pw-zoom" },
      ...toggles,
      inner ? button("Expand all", "Expand the whole tree", () => this.collapse(Infinity)) : "",
      inner ? button("Collapse", "Collapse all but the top of the tree", () => this.collapse(levelsWith(this.replay, 12))) : "",
      button("+", "Zoom in (plus)", () => this.drawing.zoom(1.3)),
      button("−", "Zoom out (minus)", () => this.drawing.zoom(1 / 1.3)),
      button("Fit", "Show all (0)", () => this.drawing.fit()),
    );
  }

  get hasCuts() {
    return this.replay.story.visits.some((visit) => visit.left_out);
  }

  switch(name, option, title = name) {
    const toggle = button(name, title, () => {
      this[option] = !this[option];
      toggle.setAttribute("aria-pressed", this[option]);
      this.redraw();
    });
    toggle.setAttribute("aria-pressed", this[option]);
    return toggle;
  }

  legend() {
    const { story } = this.replay;
    const hasWay = (...ways) => story.visits.some((visit) => ways.includes(visit.way));
    const has = (shape) => story.visits.some((visit) => visit.shape === shape);
    const signs = [
      has("down") ? "▲ Max   ▼ Min" : "▲ player to move",
      has("round") && "○ chance",
      "▢ end of the game",
      has("estimate") && "⬡ depth limit: estimate",
      has("memo") && "◇ known from the memo",
      "thick blue: best play",
      "orange with a ring: the current node",
      this.hasCuts && "╌‖╌ cut off: not searched",
      story.notations[this.notation],
      hasWay("test", "again") && "test: null window   again: re-search",
      hasWay("probe") && "probe: one move only",
      ...(story.signs ?? []),
    ];
    this.signs.replaceChildren(...signs.filter(Boolean).map((sign) => tag("span", {}, sign)));
  }

  // Steps ------------------------------------------------------------------------------------------------------------

  /** Go to the state after `count` steps because the reader says so: this stops the playback. */
  step(count) {
    this.pause();
    this.go(count);
  }

  /** Go to where another search of the same tree has come: to a moment, and to a place that this search may skip. */
  follow(moment, place) {
    this.pause();
    this.go(this.replay.countAt(moment), { quiet: true, place });
  }

  /** Go to the state after `count` steps; `place` is where another search is. */
  go(count, { quiet = false, place = null } = {}) {
    const { replay } = this;
    const wanted = Math.min(Math.max(0, count), replay.last);
    if (wanted === replay.last) this.pause();
    replay.go(wanted);
    this.selected = null;
    this.skipped = replay.skips(place) ? place : null;
    this.headline.textContent = replay.headline;
    this.slider.value = wanted;
    this.slider.setAttribute("aria-valuetext", `${wanted} of ${replay.last}`);
    this.counter.textContent = `${wanted.toLocaleString("en")} / ${replay.last.toLocaleString("en")}`;
    this.sentence.textContent = replay.step?.text ?? "The search has not started yet.";
    if (wanted === replay.last) this.sentence.textContent += ` The end: ${replay.story.summary}.`;
    if (this.skipped !== null) this.sentence.textContent = `Skipped here. ${this.sentence.textContent}`;
    for (const name of ["first", "back", "cutBefore"]) disable(this.buttons[name], wanted === 0);
    for (const name of ["forward", "last", "cutAfter"]) disable(this.buttons[name], wanted === replay.last);
    this.draw();
    if (replay.current !== null) {
      this.drawing.reveal(replay.current);
      this.outline.reveal(replay.current);
    }
    if (!quiet) this.options.onStep?.(wanted);
  }

  goToCut(direction) {
    const { steps } = this.replay.story;
    for (let at = this.replay.count - 1 + direction; at >= 0 && at < steps.length; at += direction) {
      if (steps[at].kind === "cut") return this.step(at + 1);
    }
    return this.step(direction < 0 ? 0 : steps.length);
  }

  get playing() {
    return this.timer !== undefined;
  }

  play() {
    clearInterval(this.timer);
    if (this.replay.count === this.replay.last) this.go(0);
    this.timer = setInterval(() => this.go(this.replay.count + 1), 1000 / Number(this.speed.value));
    rename(this.buttons.play, ICONS.pause, "Pause (Space)");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = undefined;
    rename(this.buttons.play, ICONS.play, "Play (Space)");
  }

  togglePlay() {
    if (this.playing) this.pause();
    else this.play();
  }

  // Display ----------------------------------------------------------------------------------------------------------

  /** The visit in focus: the selected one, or the one of the last step. */
  get focus() {
    return this.selected ?? this.replay.current ?? this.replay.root;
  }

  /** Redraw, and keep the visit in focus at its place. */
  redraw() {
    this.drawing.anchored(this.focus, () => this.draw());
  }

  /** Switch to another notation. */
  write(notation, { quiet = false } = {}) {
    this.notation = this.notations.value = notation;
    this.legend();
    this.redraw();
    if (!quiet) this.options.onNotation?.(notation);
  }

  draw() {
    const { replay, focus } = this;
    const root = replay.rootOf(focus);
    if (replay.roots.length > 1) this.pass.textContent = `Pass ${replay.roots.indexOf(root) + 1} of ${replay.roots.length}`;
    const shown = this.scene(root, this.collapsed, this.levels), { scene: before, lecturing } = this.drawing;
    this.drawing.show(shown, replay, focus, this);
    const grown = lecturing && (before?.width !== shown.width || before.height !== shown.height);
    if (root !== this.root || grown) this.drawing.fit();  // another tree, or more of it
    this.root = root;
    this.outline.show(replay, this.collapsed, focus, this.notation);
    this.describe(focus);
  }

  scene(root, collapsed, levels) {
    const drawing = this.replay.story.drawings[Number(this.boards)], { notation } = this;
    return scene(this.replay, drawing, root, collapsed, { notation, levels, room: this.drawing.lecturing ? this.drawing.room : null });
  }

  /** How many levels can be read when all of them are shown. */
  levelsToFit() {
    let levels = levelsWith(this.replay, MANY);
    const scale = () => this.drawing.scaleFor(this.scene(this.replay.root, collapsedBelow(this.replay, levels), levels));
    while (levels > 2 && scale() < READABLE) levels--;
    return levels;
  }

  /** Collapse everything below the first `levels` levels. */
  openLevels(levels) {
    this.levels = levels;
    this.collapsed = collapsedBelow(this.replay, levels);
  }

  /** Draw again and show all. */
  refit() {
    this.draw();
    this.drawing.fit();
  }

  /** Show only the tree, the sentence and the controls, as large as they can be; or everything again. */
  lecture(on) {
    this.element.classList.toggle("pw-lecture", on);
    this.drawing.lecturing = on;
    if (!this.chosen) this.openLevels(this.levelsToFit());
    this.refit();
  }

  select(visit) {
    this.selected = visit;
    this.draw();
    this.drawing.reveal(visit);
    this.outline.reveal(visit);
  }

  /** Collapse or open a visit. */
  toggle(visit, open = this.collapsed.has(visit)) {
    if (!this.replay.children[visit].length) return;
    this.chosen = true;
    if (open) this.collapsed.delete(visit);
    else this.collapsed.add(visit);
    this.drawing.anchored(visit, () => this.draw());
  }

  /** Show what is below the skipped nodes of a level, one level more. */
  deepen(level) {
    this.chosen = true;
    this.levels = level + 2;
    this.redraw();
  }

  collapse(levels) {
    this.chosen = true;
    this.openLevels(levels);
    this.refit();
  }

  /** Show the details of a visit below the list. */
  describe(visit) {
    const { story, looks } = this.replay;
    const facts = story.visits[visit], look = looks.get(visit);
    const rows = facts.rows ?? [
      ["Moves", this.replay.path(visit).slice(1).map((at) => story.visits[at].move).join(" ") || "none: the root"],
      ["Position", facts.position],
      ["To move", facts.player],
      ["On entry", facts.entry === facts.player ? "" : facts.entry],
      ["Now", look?.window],
      ["Bound", this.notation === "edge" && facts.bound],
      ["Value lies in", this.notation === "interval" && look?.interval],
      ["Value", look ? look.value ?? "not known yet" : "not visited yet"],
      ["Left out", look?.cut],
    ];
    const list = tag("dl", {}, ...rows.filter(([, text]) => text).flatMap(([name, text]) => [tag("dt", {}, name), tag("dd", {}, text)]));
    const board = hasBoard(facts) ? pictureOf(story.board, facts) : "";
    const [first, last] = this.replay.span(visit);
    const word = this.collapsed.has(visit) ? "Expand" : "Collapse";
    const jumps = tag(
      "div", { class: "pw-jumps" },
      button("Start of visit", `Go to step ${first}, where this visit begins`, () => this.step(first)),
      button("End of visit", `Go to step ${last}, where this visit ends`, () => this.step(last)),
      this.replay.children[visit].length
        ? button(word, `${word} this part of the tree`, () => this.toggle(visit))
        : "",
    );
    this.details.replaceChildren(tag("div", { class: "pw-about" }, list, board), jumps);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select")) return;
    if (event.target === this.slider && /^(Arrow|Home|End|Page)/.test(event.key)) return;  // the slider handles these itself
    if (event.target.closest("button") && (event.key === " " || event.key === "Enter")) return;
    const by = 60;
    const shifted = {
      ArrowLeft: () => this.drawing.pan(by, 0), ArrowRight: () => this.drawing.pan(-by, 0),
      ArrowUp: () => this.drawing.pan(0, by), ArrowDown: () => this.drawing.pan(0, -by),
    };
    const plain = {
      ArrowLeft: () => this.step(this.replay.count - 1), ArrowRight: () => this.step(this.replay.count + 1),
      Home: () => this.step(0), End: () => this.step(this.replay.last), " ": () => this.togglePlay(),
      n: () => this.goToCut(1), p: () => this.goToCut(-1), Enter: () => this.toggle(this.focus),
      "+": () => this.drawing.zoom(1.3), "=": () => this.drawing.zoom(1.3), "-": () => this.drawing.zoom(1 / 1.3),
      0: () => this.drawing.fit(),
    };
    const action = (event.shiftKey && shifted[event.key]) || plain[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /** The drawing as the text of an SVG file. */
  svg() {
    return this.drawing.export();
  }

  destroy() {
    this.pause();
    this.drawing.destroy();
    this.element.remove();
  }
}

/** An anywidget with the traits `story`, `step` and `notation`. */
function render({ model, el }) {
  let view;
  const tell = (trait) => (value) => {
    model.set(trait, value);
    model.save_changes();
  };
  const open = () => {
    view?.destroy();
    view = new TreeView(el, model.get("story"), {
      step: model.get("step"),
      notation: model.get("notation"),
      onStep: tell("step"),
      onNotation: tell("notation"),
    });
  };
  const follow = () => model.get("step") !== view.replay.count && view.go(model.get("step"), { quiet: true });
  const rewrite = () => model.get("notation") !== view.notation && view.write(model.get("notation"), { quiet: true });
  const heard = { "change:story": open, "change:step": follow, "change:notation": rewrite };
  for (const [change, hear] of Object.entries(heard)) model.on(change, hear);
  open();
  return () => {
    for (const [change, hear] of Object.entries(heard)) model.off(change, hear);
    view.destroy();
  };
}

export default { render };

function tag(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

function button(sign, name, action) {
  const element = tag("button", { type: "button" }, sign);
  rename(element, sign, name);
  element.addEventListener("click", action);
  return element;
}

/** Set the sign of a button, a word or a path of `ICONS`, and its name. */
function rename(element, sign, name) {
  if (Object.values(ICONS).includes(sign)) element.replaceChildren(icon(sign));
  else element.textContent = sign;
  element.setAttribute("aria-label", name);
  element.title = name;
}

function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "pw-icon");
  svg.setAttribute("aria-hidden", "true");
  svg.appendChild(document.createElementNS(svg.namespaceURI, "path")).setAttribute("d", path);
  return svg;
}

/** Disable a button without taking the focus from it. */
function disable(element, disabled) {
  element.setAttribute("aria-disabled", disabled);
}

function hasBoard(facts) {
  return Boolean(facts.cells ?? facts.board);
}

/** The position of a visit, drawn or as text. */
function pictureOf(board, facts) {
  if (!facts.cells) return tag("pre", { class: "pw-picture", "aria-hidden": "true" }, facts.board.join("\n"));
  const [width, height] = miniatureSize(board), space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  const attributes = { class: "pw-picture", width: 1.6 * width, viewBox: `-1 -1 ${width + 2} ${height + 2}`, "aria-hidden": "true" };
  for (const [name, value] of Object.entries(attributes)) picture.setAttribute(name, value);
  picture.append(miniature(board, facts.cells, 0, 0, facts.last));
  return picture;
}
