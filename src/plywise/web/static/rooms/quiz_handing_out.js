// What a teacher hands out and gets back: the link without the solution, sheets, files for other programs, and the
// answers that students hand in.

import { h, save } from "../dom.js";
import { ask } from "../server.js";

const LONG = 2000; // characters of an address that some programs cut off

/** The controls, as a card.  `room` has `about`, `ask` and `address(students)`; the others call the server. */
export function handingOut(room) {
  const link = linkForStudents(room);
  const problem = h("p", { class: "error", role: "alert" });
  const button = (text, action) => h("button", { type: "button", onclick: () => attempt(action, problem) }, text);
  return h("section", { class: "card quiz-out", "aria-label": "Hand out" },
    h("h3", {}, "Hand out"),
    h("div", { class: "row" }, link.button),
    link.panel,
    h("div", { class: "row" },
      button("Printable sheet", () => print(room, false)),
      button("Answer sheet", () => print(room, true)),
      button("Moodle XML", () => questions(room, "moodle", "quiz.xml")),
      button("QTI 2.1", () => questions(room, "qti", "quiz.zip")),
      button("Tree as JSON", () => tree(room, "json")),
      button("Tree as .test", () => tree(room, "test"))),
    problem,
    grading(room));
}

/** A button that shows the address for students below it, and copies it. */
function linkForStudents(room) {
  const field = h("input", { readonly: true, onfocus: () => field.select() });
  const said = h("p", { class: "small", role: "status" });
  const notes = h("p", { class: "small soft" });
  const panel = h("div", { class: "quiz-link", hidden: true }, h("label", {}, "Address for students", field), said, notes);
  const show = async () => {
    field.value = room.address(true);
    panel.hidden = false;
    notes.replaceChildren(...aboutLink(field.value));
    field.focus();
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "Copy the address from the field: the browser does not let the page do it.";
    }
  };
  return { button: h("button", { type: "button", onclick: show }, "Link without the solution"), panel };
}

/** What a teacher should know about an address. */
function aboutLink(address) {
  const notes = [
    "It opens this quiz without solution, hints and grades. Students download their answers and hand in the file. Grade the files below, or with ",
    h("code", {}, "plywise quiz --grade"), ".",
  ];
  if (/^(localhost|127\.|\[::1\])/.test(new URL(address).hostname)) {
    notes.push(" It works only on this machine: start ", h("code", {}, "plywise serve"), " with ", h("code", {}, "--host"), " to let others open it.");
  }
  if (address.length > LONG) notes.push(` It has ${address.length} characters, and some programs cut long addresses off.`);
  return notes;
}

/** Download a sheet to print. */
export async function print(room, answers) {
  const { html } = await room.ask("sheet", { answers });
  save(html, "text/html", answers ? "answers.html" : "quiz.html");
}

async function questions(room, form, name) {
  const file = await (await ask(...room.about("questions", { form }))).blob();
  save(file, file.type, name);
}

async function tree(room, form) {
  const { text } = await room.ask("tree", { form });
  save(text, "text/plain", `tree.${form}`);
}

/** A field for files of answers, and a line for each: who it is from, and what is right. */
function grading(room) {
  const told = h("ul", { class: "small", "aria-label": "Grades" });
  const files = h("input", { type: "file", multiple: true, accept: ".json", onchange: async () => {
    const lines = await Promise.all([...files.files].map((file) => graded(room, file)));
    told.replaceChildren(...lines.map((line) => h("li", {}, line)));
    files.value = ""; // the same file can be chosen again
  } });
  return h("div", { class: "quiz-grading" }, h("label", {}, "Grade answers that students handed in", files), h("div", { role: "status" }, told));
}

async function graded(room, file) {
  try {
    const { name, right, of, grades } = await room.ask("marks", { text: await file.text() });
    const wrong = Object.keys(grades).filter((question) => !grades[question]?.right);
    return `${name}: ${right} of ${of} right${wrong.length ? `; wrong: ${wrong.join(", ")}` : ""}`;
  } catch (error) {
    return `${file.name}: ${error.message}`;
  }
}

/** Do something; what goes wrong is told in `problem`, next to the control. */
export async function attempt(action, problem) {
  problem.textContent = "";
  try {
    await action();
  } catch (error) {
    if (error.name !== "AbortError") problem.textContent = error.message;
  }
}
