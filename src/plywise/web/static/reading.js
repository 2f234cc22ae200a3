// Games from elsewhere: a dialog to paste a text, open a file or drop one, and the list of the games that are found in it.
//
//   const game = await readGames(context, { game: "chess", parameters: "" });
//   const leave = takeDrops(element, (file) => readGames(context, chosen, { file }));
//
// A game is one of the `games` that POST /api/play/read returns, with the name of its `game`; null if the user chose none.

import { openDialog } from "./dialog.js";
import { counted, h } from "./dom.js";
import { sentence } from "./server.js";

const MOST_BYTES = 1 << 20; // of a request, as the server limits it
const EXAMPLE = "PGN, SGF, PDN, a list of moves, a position, or a file saved here";

/** Let the user choose a game from a text or a file; `given` may have a `text` or a `file` to begin with. */
export function readGames(context, chosen, given = {}) {
  const text = h("textarea", { name: "games", rows: 8, spellcheck: "false", autocomplete: "off", placeholder: EXAMPLE });
  const message = h("p", { class: "error", role: "alert" });
  const notice = h("p", { class: "notice", role: "status" });
  const list = h("ol", { class: "found", "aria-label": "Games found" });
  const file = h("input", { type: "file", name: "file", accept: ".pgn,.sgf,.pdn,.json,.txt,.fen,.epd,text/*", onchange: () => take(file.files[0]) });
  const button = h("button", { class: "primary" }, "Read");
  const dialog = openDialog("Read games", { class: "reading" },
    h("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); read(); } },
      h("label", {}, "Paste games, moves or a position", text),
      h("div", { class: "row" }, button, h("label", { class: "inline" }, "or open a file", file), h("span", { class: "small soft" }, "or drop one here")),
      message, notice, list));
  const leave = takeDrops(dialog.element, take);
  text.focus();
  let asked = 0; // only the latest answer counts

  text.addEventListener("paste", () => setTimeout(read));

  /** Show the text of a file, and read it. */
  async function take(dropped) {
    if (!dropped) return;
    try {
      text.value = await fileText(dropped);
      await read();
    } catch (error) {
      say(error.message);
    }
  }

  function say(wrong, told = "") {
    message.textContent = wrong;
    notice.textContent = told;
    list.replaceChildren();
  }

  async function read() {
    const mine = ++asked, body = { ...chosen, text: text.value };
    say("");
    const bytes = new Blob([JSON.stringify(body)]).size;
    if (bytes > MOST_BYTES) return say(`This has ${megabytes(bytes)} MB. At most ${megabytes(MOST_BYTES)} MB can be read at a time: paste a part of it.`);
    button.disabled = true;
    try {
      const found = await context.api("/api/play/read", body);
      if (mine === asked) show(found);
    } catch (error) {
      if (mine === asked) say(error.message);
    } finally {
      if (mine === asked) button.disabled = false;
    }
  }

  /** Open the only game, or list all of them with what is wrong. */
  function show({ game, games, notice: told }) {
    if (games.length === 1 && !told && !games[0].problem) return dialog.close({ ...games[0], game });
    say("", [told, games.length > 1 && `${games.length} games.`].filter(Boolean).join(" "));
    list.replaceChildren(...games.map((each) => h("li", {}, entry(each, () => dialog.close({ ...each, game })))));
    context.announce([notice.textContent, games.length === 1 ? "One game found." : `${games.length} games found.`].filter(Boolean).join(" "));
    list.querySelector("button:enabled")?.focus();
  }

  if (given.text) {
    text.value = given.text;
    read();
  } else if (given.file) take(given.file);
  return dialog.closed.finally(leave);
}

/** A game in the list: a button with its title, and what is wrong with it. */
function entry({ title, line, start, result, problem, notes }, open) {
  const moves = line.length ? counted(line.length, "move") : start ? "a position" : "no moves";
  const facts = [moves, result !== "*" && result, notes.length > 0 && counted(notes.length, "note")].filter(Boolean).join(", ");
  return [
    h("button", { type: "button", disabled: !line.length && !start && Boolean(problem), onclick: open }, h("span", { class: "title" }, title), " ", h("span", { class: "small soft" }, facts)),
    problem && h("p", { class: "error small" }, line.length ? `Only the first ${counted(line.length, "move")}: ${problem}` : sentence(problem)),
    notes.length > 0 && h("details", { class: "small soft" }, h("summary", {}, "Notes"), notes.map((note) => h("p", {}, sentence(note)))),
  ];
}

function megabytes(bytes) {
  return (bytes / (1 << 20)).toFixed(1);
}

/** The text of a file: as its byte order mark says, else UTF-8, else Windows-1252, which old files are in. */
export async function fileText(file) {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} has ${megabytes(file.size)} MB. At most ${megabytes(MOST_BYTES)} MB can be read at a time.`);
  return decoded(new Uint8Array(await file.arrayBuffer()));
}

/** The text of some bytes. */
function decoded(bytes) {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Call `take(file)` when a file is dropped on an element; returns a function that ends this. */
export function takeDrops(element, take) {
  const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
  let depth = 0; // how many elements the pointer has entered and not left
  const mark = (change) => {
    depth = Math.max(0, depth + change);
    element.classList.toggle("dropping", depth > 0);
  };
  const handlers = {
    dragenter: (event) => { if (carriesFile(event)) mark(1); },
    dragleave: (event) => { if (carriesFile(event)) mark(-1); },
    dragover: (event) => { if (carriesFile(event)) event.preventDefault(); },
    drop: (event) => {
      if (!carriesFile(event)) return;
      mark(-depth);
      if (event.defaultPrevented) return; // an element within this one has taken it
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    },
  };
  for (const [name, handler] of Object.entries(handlers)) element.addEventListener(name, handler);
  return () => {
    mark(-depth);
    for (const [name, handler] of Object.entries(handlers)) element.removeEventListener(name, handler);
  };
}
