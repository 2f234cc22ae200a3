// The Quiz room: a tree, four questions about alpha-beta on it, a hint for a wrong answer and the step that shows why.
//
// The address contains the recipe of the quiz, so a quiz can be bookmarked and shared.  The server stores nothing; the
// browser keeps the answers.  An address with `for=students` opens a quiz without solution, hints and grades: a grade
// that can be asked for again and again is a solution too.  Students download their answers and hand them in.

import { h, s, save, say } from "../dom.js";
import { patiently } from "../server.js";
import { AnswerBook, after, revealed } from "./quiz_answers.js";
import { attempt, handingOut, print } from "./quiz_handing_out.js";

const RULES = [["", "default of the quiz"], ["no", "alpha ≥ beta: a tie is cut"], ["yes", "alpha > beta: a tie is not cut"]];
const SWITCHES = [
  ["inner", "a cut that skips an inner node"], ["deep", "a deep cut"], ["ragged", "leaves on different levels"],
];
const CROPPED = 12; // what the page does not need of a drawing's margin

export class Room {
  constructor(element, context) {
    this.context = context;
    this.recipe = { number: 1 };
    this.students = context.params.has("for"); // whoever it is for, a link with a slip of the pen tells no solution
    this.book = new AnswerBook();
    this.marked = new Set(); // the letters of the leaves marked as pruned
    this.asking = new AbortController(); // aborts the requests about the current quiz
    this.title = h("h2", { id: "quiz-title" });
    this.rule = h("p", { class: "quiz-rule" });
    this.tree = h("div", { class: "quiz-tree" });
    this.outline = h("div");
    this.questions = h("div", { class: "stack" });
    this.solution = h("section", { class: "quiz-solution", "aria-label": "Solution", hidden: true });
    this.problem = h("p", { class: "error", role: "alert" });
    this.waiting = h("p", { class: "soft", role: "status" });
    this.chooser = h("div", { class: "quiz-chooser" });
    this.score = h("p", { role: "status" });
    this.fresh = h("button", { type: "button", onclick: () => this.startSeries() }, "New series");
    this.undo = h("button", { type: "button", hidden: true, onclick: () => this.resume() }, "Undo");
    this.sheet = h("section", { class: "quiz-sheet", "aria-labelledby": "quiz-title", hidden: true },
      h("div", { class: "card quiz-drawing" },
        this.title, this.rule, this.tree,
        h("details", { class: "small" }, h("summary", {}, "The tree as a list"), this.outline)),
      this.questions);
    this.onstorage = () => { this.book = new AnswerBook(); this.count(); }; // another tab has answered
    element.append(...[
      h("h1", {}, "Quiz"),
      this.chooser,
      this.students ? null : h("div", { class: "row quiz-score" }, this.score, this.fresh, this.undo),
      this.problem,
      this.waiting,
      this.sheet,
      this.solution,
    ].filter(Boolean));
    window.addEventListener("storage", this.onstorage);
  }

  close() {
    this.asking.abort();
    window.removeEventListener("storage", this.onstorage);
  }

  async open() {
    try {
      this.offer = await this.context.api("/api/quiz", undefined, { signal: this.asking.signal });
      const choices = this.choices(); // `begin` shows the quiz in them, also where nobody may choose
      if (!this.students) this.chooser.append(...choices);
    } catch (error) {
      return this.complain(error);
    }
    return this.begin(recipeOf(this.context.params, this.offer) ?? this.recipe);
  }

  complain(error) {
    if (error.name !== "AbortError") this.problem.textContent = error.message;
  }

  /** The path, body and options of a request about this quiz. */
  about(path, more = {}) {
    return [`/api/quiz/${path}`, { recipe: this.recipe, students: this.students, ...more }, { signal: this.asking.signal }];
  }

  ask(path, more) {
    return this.context.api(...this.about(path, more));
  }

  /** The address of this quiz, with or without the solution. */
  address(students) {
    const params = paramsOf(this.recipe);
    if (students) params.set("for", "students");
    return `${location.origin}${location.pathname}#quiz?${params}`;
  }

  // Choosing ----------------------------------------------------------------------------------------------------------

  choices() {
    const number = h("select", { id: "quiz-number", onchange: () => this.begin({ number: Number(number.value) }) },
      h("option", { value: "" }, "—"),
      this.offer.series.map((each) => h("option", { value: each.number }, `${each.number}. ${each.title}`)));
    const rule = h("select", { onchange: () => this.begin(withRule(this.recipe, rule.value)) },
      RULES.map(([value, text]) => h("option", { value }, text)));
    this.number = number;
    this.ruleChoice = rule;
    return [
      h("div", { class: "row quiz-first" },
        h("label", {}, "Quiz", number),
        h("label", {}, "Rule for ties", rule),
        h("button", { type: "button", onclick: () => this.next() }, "Next quiz"),
        h("button", { type: "button", onclick: () => this.beginByRule(this.wished(true)) }, "Random tree"),
      ),
      this.custom = h("details", { class: "quiz-wishes" },
        h("summary", {}, "Custom tree"),
        h("div", { class: "quiz-forms" }, this.wishes(), this.own())),
    ];
  }

  wishes() {
    const { wishes, most } = this.offer;
    const count = (name, text, low, high) =>
      h("label", {}, text, h("input", { name, type: "number", min: low, max: high, value: wishes[name], required: true }));
    this.form = h("form", { class: "card stack", onsubmit: (event) => { event.preventDefault(); this.beginByRule(this.wished()); } },
      h("h3", {}, "A random tree"),
      h("div", { class: "quiz-fields" },
        count("depth", "Depth", 1, most.depth),
        count("branching", "Moves per node", 1, most.branching),
        count("cuts", "Cuts (at least)", 0, most.leaves),
        h("label", {}, "Ties", h("select", { name: "ties" },
          h("option", { value: "" }, "any"),
          h("option", { value: "yes" }, "one that matters"),
          h("option", { value: "no" }, "none: all leaves differ"))),
        h("label", {}, "First player", h("select", { name: "first" },
          h("option", { value: "max" }, "Max"), h("option", { value: "min" }, "Min"))),
        h("label", {}, "Seed", h("input", { name: "seed", type: "number", min: 0, placeholder: "any" }))),
      h("fieldset", { class: "row" }, h("legend", {}, "With"),
        SWITCHES.map(([name, text]) => h("label", { class: "inline" }, h("input", { name, type: "checkbox" }), text))),
      h("div", { class: "row" }, h("button", { class: "primary" }, "Make tree")));
    return this.form;
  }

  own() {
    const text = this.ownTree = h("textarea", { spellcheck: "false", required: true, placeholder: "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]" });
    return h("form", { class: "card stack", onsubmit: (event) => { event.preventDefault(); this.beginByRule({ tree: text.value }); } },
      h("h3", {}, "Your own tree"),
      h("label", {}, "Nested lists, JSON, or a CS188 .test file", text),
      h("div", { class: "row" }, h("button", { class: "primary" }, "Start quiz")));
  }

  /** The recipe from the form, with a random seed if the form has none or if `anew` is set. */
  wished(anew = false) {
    const form = new FormData(this.form);
    const wishes = { first: form.get("first"), ties: { yes: true, no: false }[form.get("ties")] ?? null };
    for (const name of ["depth", "branching", "cuts"]) wishes[name] = Number(form.get(name));
    for (const [name] of SWITCHES) wishes[name] = form.has(name);
    const given = anew ? "" : form.get("seed");
    return { seed: given === "" ? Math.floor(Math.random() * 1e6) : Number(given), wishes };
  }

  next() {
    const last = this.recipe.number;
    if (last === undefined) return this.begin({ ...this.recipe, ...(this.recipe.tree ? {} : { seed: this.recipe.seed + 1 }) });
    return this.begin({ number: last % this.offer.series.length + 1 });
  }

  /** Start a quiz on a tree that has no rule of its own: keep the chosen rule. */
  beginByRule(recipe) {
    return this.begin(withRule(recipe, this.ruleChoice.value));
  }

  // A quiz ------------------------------------------------------------------------------------------------------------

  async begin(recipe) {
    this.asking.abort();
    this.asking = new AbortController();
    this.problem.textContent = "";
    if (recipe.tree !== undefined) this.ownTree.value = recipe.tree;
    try {
      this.quiz = await patiently(this.ask("new", { recipe }), (text) => { this.waiting.textContent = text; });
    } catch (error) {
      if (recipe.tree !== undefined) this.custom.open = true; // there the tree can be mended
      return this.complain(error); // keep the previous quiz
    }
    this.recipe = recipe;
    this.sheet.hidden = false;
    this.entry = this.book.entry(paramsOf({ ...this.quiz.recipe, strict: this.quiz.strict }).toString(), this.students);
    this.marked = new Set((this.entry.answers.pruned ?? "").split(" ").filter((letter) => letter));
    this.context.rename(this.address(this.students));
    this.number.value = recipe.number ?? "";
    this.ruleChoice.value = recipe.strict === undefined ? "" : recipe.strict ? "yes" : "no";
    this.title.textContent = this.quiz.title;
    this.rule.textContent = `${this.quiz.rule}. Moves are tried from left to right.`;
    this.tree.replaceChildren(this.draw(this.quiz.drawing, true));
    this.outline.replaceChildren(h("ul", {}, this.listed(this.quiz.tree)));
    this.solution.replaceChildren();
    this.solution.hidden = true;
    this.cards = this.quiz.questions.map((question) => this.card(question));
    this.questions.replaceChildren(...this.cards.map(({ card }) => card), ...(this.students ? [this.handingIn()] : this.more()));
    this.count();
    return this.context.announce(`${this.quiz.title}. ${this.quiz.rule}.`);
  }

  more() {
    return [
      h("div", { class: "row" },
        h("button", { type: "button", class: "quiet", onclick: () => this.solve() }, "Show the solution"),
        h("button", { type: "button", class: "quiet", onclick: () => this.step() }, "Step through it")),
      handingOut(this),
    ];
  }

  /** A question with its field; `read` returns the answer, `tell` shows the result so far. */
  card(question) {
    const { name, text, form } = question;
    const verdict = h("div", { class: "quiz-verdict", role: "status", tabindex: "-1" });
    const { field, read } = this.field(question);
    const tell = () => {
      const result = this.entry.results[name];
      if (!result?.grade) return;
      verdict.replaceChildren(...this.verdict(name, result));
      card.dataset.right = result.grade.right;
      if (name === "pruned") this.point(result.grade);
    };
    const check = (event) => {
      event.preventDefault();
      if (this.students) return undefined;
      const answer = read().trim();
      if (!answer) return verdict.replaceChildren(h("p", { class: "error" }, `Answer with ${form}.`));
      return this.grade(name, answer, verdict);
    };
    const card = h("form", { class: "card quiz-question", "data-question": name, onsubmit: check, oninput: () => this.note(name, read()), novalidate: true },
      h("h3", {}, text), field,
      this.students ? null : h("div", { class: "row" }, h("button", { class: "primary" }, "Check")), verdict);
    tell();
    return { card, name, read, tell };
  }

  /** Have an answer graded, and keep the result. */
  async grade(name, answer, verdict, reasons = false) {
    try {
      const grade = await this.ask("grade", { question: name, answer, reasons });
      const result = after(this.entry.results[name], answer, grade);
      this.entry.results[name] = reasons ? revealed(result) : result;
      this.keep();
      this.cards.find((card) => card.name === name).tell();
      if (reasons) verdict.focus(); // the button that asked for them is gone
    } catch (error) {
      if (error.name !== "AbortError") verdict.replaceChildren(h("p", { class: "error" }, error.message));
    }
  }

  // Answers and the score ---------------------------------------------------------------------------------------------

  /** Keep an answer as it stands in its field, finished or not. */
  note(name, text) {
    this.entry.answers[name] = text;
    this.keep();
  }

  keep() {
    const kept = this.book.keep(this.entry);
    say(this.waiting, kept ? "" : "This browser cannot store your answers: they are lost when you leave the page.");
    this.undo.hidden = true;
    this.count();
  }

  count() {
    const { asked, first, hinted } = this.book.score();
    say(this.score, asked === 0 ? "Series: no answers yet."
      : `Series: ${first + hinted} of ${asked} right, ${first} at the first try, ${hinted} with a hint.`);
  }

  /** Forget the answers and the score, until `resume`. */
  async startSeries() {
    this.cleared = this.book.clear();
    await this.begin(this.recipe);
    this.undo.hidden = this.cleared.length === 0;
  }

  async resume() {
    this.book.restore(this.cleared);
    this.undo.hidden = true;
    await this.begin(this.recipe);
    this.fresh.focus();
  }

  /** What students have instead of a solution: their answers as a file. */
  handingIn() {
    const name = textInput("as your teacher knows you");
    name.value = this.entry.answers.name ?? "";
    const said = h("p", { class: "small", role: "status" });
    const problem = h("p", { class: "error", role: "alert" });
    const hand = (event) => {
      event.preventDefault();
      const answers = Object.fromEntries(this.cards.map((card) => [card.name, card.read().trim()]));
      const missing = this.cards.filter((card) => !answers[card.name]).map((card) => `“${card.card.querySelector("h3").textContent}”`);
      save(JSON.stringify({ name: name.value.trim(), title: this.quiz.title, recipe: this.recipe, answers }, null, 2), "application/json", "answers.json");
      said.textContent = `Downloaded answers.json.${missing.length ? ` Without an answer: ${missing.join(" ")}` : ""}`;
    };
    return h("form", { class: "card stack quiz-in", "aria-label": "Hand in", onsubmit: hand, oninput: () => this.note("name", name.value) },
      h("h3", {}, "Hand in"),
      h("p", { class: "soft" }, "Your teacher grades the answers. This browser keeps them until you are done. Then download them and hand in the file."),
      h("label", {}, "Your name", name),
      h("div", { class: "row" },
        h("button", { class: "primary" }, "Download answers"),
        h("button", { type: "button", class: "quiet", onclick: () => attempt(() => print(this, false), problem) }, "Printable sheet")),
      said, problem);
  }

  // Fields ------------------------------------------------------------------------------------------------------------

  /** The input for an answer, and a function that reads it as the text that the command line takes. */
  field({ name, text, form }) {
    if (name === "pruned") {
      this.marks = h("output", { class: "quiz-marks" });
      this.tell();
      return {
        field: h("p", { class: "soft" }, "Mark them in the tree: click, or use the arrow keys and Space. Marked: ", this.marks),
        read: () => this.letters() || "none",
      };
    }
    const kept = this.entry.answers[name] ?? "";
    if (name === "window") {
      const [alpha, beta] = ["such as -inf", "such as 3"].map(textInput);
      [alpha.value, beta.value = ""] = kept.split(" "); // either may be empty
      return {
        field: h("div", { class: "quiz-window" }, h("label", {}, "Alpha", alpha), h("label", {}, "Beta", beta)),
        read: () => [alpha, beta].map((end) => end.value.replaceAll(" ", "")).join(" "),
      };
    }
    if (name === "move") {
      const moves = this.quiz.tree.children.map((child) => child.move);
      const choices = moves.map((move) => h("input", { type: "radio", name: "move", value: move, checked: move === kept }));
      return {
        field: h("fieldset", { class: "row" }, h("legend", { class: "unseen" }, text),
          choices.map((choice, i) => h("label", { class: "inline" }, choice, moves[i]))),
        read: () => choices.find((choice) => choice.checked)?.value ?? "",
      };
    }
    const input = textInput(form);
    input.value = kept;
    return { field: h("label", {}, "A number", input), read: () => input.value };
  }

  /** A grade in words: a hint first, and the reasons if they are asked for. */
  verdict(name, { answer, grade }) {
    if (grade.right) return [h("p", { class: "quiz-right" }, "✓ Right.")];
    const of = name === "move" || name === "value" ? `${grade.given} is not right.` : "Not right yet.";
    if (grade.remarks.length === 0) {
      return [
        h("p", { class: "quiz-wrong" }, `✗ ${of}`),
        h("p", { class: "quiz-hint" }, h("strong", {}, "Hint: "), grade.hint),
        h("button", { type: "button", onclick: (event) => this.grade(name, answer, event.target.parentElement, true) }, "Show why"),
      ];
    }
    return grade.remarks.map((remark) => h("div", {},
      h("p", { class: "quiz-wrong" }, `✗ ${remark.text}`),
      h("p", { class: "small soft" }, `Step ${remark.step.number}: ${remark.step.sentence}`)));
  }

  // The tree ----------------------------------------------------------------------------------------------------------

  draw(drawing, answerable = false) {
    const shape = (node) => s("g", { class: classes("node", node.shape, node) },
      s("polygon", { points: node.outline }), node.texts.map(textAt));
    const order = answerable ? this.quiz.leaves.map((leaf) => leaf.letter) : [];
    const place = (node) => order.indexOf(node.leaf); // leaves come last, from left to right, also for screen readers
    const toggles = drawing.nodes.filter((node) => place(node) >= 0).sort((a, b) => place(a) - place(b))
      .map((node) => this.asToggle(shape(node), node));
    if (toggles.length) this.rove(toggles);
    const [width, height] = [drawing.width - 2 * CROPPED, drawing.height - 2 * CROPPED];
    const figure = s("svg", {
      class: "quiz-figure", viewBox: `${CROPPED} ${CROPPED} ${width} ${height}`,
      role: answerable ? "group" : "img", "aria-label": answerable ? "The tree: mark the leaves that alpha-beta never looks at" : "The tree as it was searched",
    },
    drawing.edges.map((edge) => s("g", { class: classes("edge", edge.way, edge) },
      s("polyline", { points: edge.line }), edge.strokes.map((stroke) => s("polyline", { class: "stroke", points: stroke })))),
    drawing.nodes.filter((node) => place(node) < 0).map(shape),
    drawing.edges.flatMap((edge) => edge.texts.map(textAt)),
    toggles);
    figure.style.setProperty("--natural", `${width}px`);
    return figure;
  }

  asToggle(shape, node) {
    const leaf = this.quiz.leaves.find((each) => each.letter === node.leaf);
    shape.classList.add("leaf");
    shape.dataset.leaf = leaf.letter;
    shape.setAttribute("role", "button");
    shape.setAttribute("aria-pressed", this.marked.has(leaf.letter));
    shape.setAttribute("aria-label", `Leaf ${leaf.letter}, value ${leaf.value}, at ${leaf.place}`); // whether it is marked, the state says
    shape.setAttribute("tabindex", "-1");
    const [left, top, right, bottom] = box(node.outline);
    shape.prepend(s("rect", { class: "target", x: left - 8, y: top - 8, width: right - left + 16, height: bottom - top + 16, rx: 6 }));
    shape.querySelector("polygon").after(s("path", { class: "cross", d: `M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}` }));
    const toggle = () => {
      if (!this.marked.delete(leaf.letter)) this.marked.add(leaf.letter);
      shape.setAttribute("aria-pressed", this.marked.has(leaf.letter));
      shape.classList.remove("wrong");
      this.tell();
      this.note("pruned", this.letters());
    };
    shape.addEventListener("click", toggle);
    shape.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      toggle();
    });
    return shape;
  }

  /** Tab reaches one leaf; the arrow keys reach the others from there. */
  rove(leaves) {
    leaves[0].setAttribute("tabindex", "0");
    leaves.forEach((leaf, i) => {
      leaf.addEventListener("focus", () => {
        for (const each of leaves) each.setAttribute("tabindex", each === leaf ? "0" : "-1");
      });
      leaf.addEventListener("keydown", (event) => {
        const to = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: leaves.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        leaves[Math.max(0, Math.min(to, leaves.length - 1))].focus();
      });
    });
  }

  /** The letters of the marked leaves, from left to right. */
  letters() {
    return this.quiz.leaves.map((leaf) => leaf.letter).filter((letter) => this.marked.has(letter)).join(" ");
  }

  tell() {
    this.marks.textContent = this.letters() || "none";
  }

  /** Mark the leaves that the answer got wrong. */
  point(grade) {
    const wrong = new Set(grade.remarks.flatMap((remark) => remark.leaves));
    for (const leaf of this.tree.querySelectorAll(".leaf")) leaf.classList.toggle("wrong", wrong.has(leaf.dataset.leaf));
  }

  listed(node) {
    const move = node.move === null ? "Root" : node.move;
    if (node.leaf !== undefined) return h("li", {}, `${move}: leaf ${node.leaf}, ${node.value}`);
    return h("li", {}, `${move}: ${node.player}${node.marked ? ", marked" : ""}`,
      h("ul", {}, node.children.map((child) => this.listed(child))));
  }

  // Afterwards --------------------------------------------------------------------------------------------------------

  async solve() {
    try {
      const { answers, drawing } = await this.ask("solution");
      for (const { name } of this.quiz.questions) this.entry.results[name] = revealed(this.entry.results[name]);
      this.keep();
      this.solution.replaceChildren(
        h("div", { class: "card" },
          h("h2", { tabindex: "-1" }, "Solution"),
          h("div", { class: "quiz-tree", tabindex: "0", role: "group", "aria-label": "Drawing" }, this.draw(drawing)),
          h("dl", { class: "quiz-answers" }, this.quiz.questions.flatMap(({ name, text }) => [
            h("dt", {}, text),
            h("dd", {}, h("strong", {}, answers[name].answer),
              h("ul", { class: "small soft" }, answers[name].why.map((step) => h("li", {}, `Step ${step.number}: ${step.sentence}`)))),
          ]))));
      this.solution.hidden = false;
      this.solution.querySelector("h2").focus();
    } catch (error) {
      this.complain(error);
    }
  }

  /** Open the tree in the Explain room. */
  async step() {
    try {
      const { text } = await this.ask("tree", { form: "json" });
      const tree = JSON.stringify(JSON.parse(text));
      this.context.navigate(`#explain?${new URLSearchParams({ tree, algorithm: "alphabeta", strict: this.quiz.strict })}`);
    } catch (error) {
      this.complain(error);
    }
  }
}

// Recipes in the address ----------------------------------------------------------------------------------------------

function paramsOf({ number, seed, tree, strict, wishes = {} }) {
  const params = new URLSearchParams();
  const all = { number, seed, tree, ...wishes, strict };
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && value !== null) params.set(name, value);
  }
  return params;
}

function recipeOf(params, offer) {
  const recipe = {};
  if (params.has("strict")) recipe.strict = params.get("strict") === "true";
  if (params.has("tree")) return { ...recipe, tree: params.get("tree") };
  if (params.has("number")) return { ...recipe, number: Number(params.get("number")) };
  if (!params.has("seed")) return null;
  const wishes = {};
  for (const [name, usual] of Object.entries(offer.wishes)) {
    const text = params.get(name);
    if (text === null) continue;
    wishes[name] = typeof usual === "number" ? Number(text) : name === "first" ? text : text === "true";
  }
  return { ...recipe, seed: Number(params.get("seed")), wishes };
}

function withRule(recipe, value) {
  const { strict, ...rest } = recipe;
  return value === "" ? rest : { ...rest, strict: value === "yes" };
}

// Helpers -------------------------------------------------------------------------------------------------------------

function textInput(placeholder) {
  return h("input", { type: "text", inputmode: "text", autocomplete: "off", spellcheck: "false", placeholder });
}

function textAt({ x, y, text, style, anchor, full }) {
  return s("text", { x, y, class: style, "text-anchor": anchor }, full && s("title", {}, full), text);
}

function classes(kind, sort, { ghost, best, marked }) {
  return [kind, sort, ghost && "never", best && "best", marked && "marked"].filter(Boolean).join(" ");
}

function box(outline) {
  const points = outline.split(" ").map((point) => point.split(",").map(Number));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
