// The shell: opens the room that the address names, and gives each room its context.
//
// The part of the address after # names the room and, after a question mark, its parameters: #explain?game=nim&position=...
// A room is a module rooms/NAME.js with a class `Room(element, context)` that has `open()` and `close()`.
// `context` has
//   api(path, body, options)  the server's response as an object; posts if there is a body; throws an Error with the server's message
//   announce(text)            announces a text to screen readers
//   navigate(hash)            goes to another room
//   rename(hash)              changes the address of what is shown; does nothing once the user has left that address
//   reloaded                  whether the user has just reloaded the page in this room
//   settings                  an object that is kept in this browser
//   tab                       an object that is kept in this tab until it is closed
//   params                    the URLSearchParams of the address

import { api } from "./server.js";

const ROOMS = { play: "Play", explain: "Explain", quiz: "Quiz" };
const THEMES = [["", "◐", "system"], ["light", "☀", "light"], ["dark", "☾", "dark"]];

const settings = remembered("localStorage");
const tab = remembered("sessionStorage");
const room = document.getElementById("room");
let leave = () => {};
let visit = 0;
let reloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";

function announce(text) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = "";
  requestAnimationFrame(() => { announcer.textContent = text; });
}

function navigate(hash) {
  location.hash = hash;
}

/** An object that outlives the page, or lasts as long as the page if the browser stores nothing. */
function remembered(storage, key = "plywise") {
  let values = {};
  try { values = JSON.parse(window[storage].getItem(key)) ?? {}; } catch { /* nothing is stored */ }
  return new Proxy(values, {
    set(target, name, value) {
      target[name] = value;
      try { window[storage].setItem(key, JSON.stringify(target)); } catch { /* storage is full or forbidden */ }
      return true;
    },
  });
}

async function enter() {
  let here = location.hash;
  const [hash, query] = here.slice(1).split("?", 2);
  if (hash === "room") return;
  const name = hash in ROOMS ? hash : "play";
  const mine = ++visit;
  leave();
  leave = () => {};
  for (const link of document.querySelectorAll(".top nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${ROOMS[name]} · plywise`;
  room.replaceChildren();
  room.dataset.room = name;
  try {
    const { Room } = await import(`./rooms/${name}.js`);
    if (mine !== visit) return;
    const params = new URLSearchParams(query ?? "");
    const rename = (hash) => {
      if (mine !== visit || location.hash !== here) return; // the event that says so may still be on its way
      history.replaceState(null, "", hash);
      here = location.hash;
    };
    const entered = new Room(room, { api, announce, navigate, rename, reloaded, settings, tab, params });
    reloaded = false;
    entered.open();
    leave = () => entered.close();
  } catch (error) {
    const text = document.createElement("p");
    text.className = "error";
    text.textContent = `This room could not be opened: ${error.message}`;
    room.replaceChildren(text);
  }
}

function dress() {
  const [theme, sign, name] = THEMES.find(([each]) => each === settings.theme) ?? THEMES[0];
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  button.textContent = sign;
  button.setAttribute("aria-label", `Colours: ${name}`);
  button.title = `Colours: ${name}`;
}

document.getElementById("theme").addEventListener("click", () => {
  const now = THEMES.findIndex(([each]) => each === (settings.theme ?? ""));
  settings.theme = THEMES[(now + 1) % THEMES.length][0];
  dress();
});
document.querySelector("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault();
  room.focus();
});
window.addEventListener("hashchange", () => { enter(); room.focus({ preventScroll: true }); });

dress();
enter();
