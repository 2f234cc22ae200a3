// A dialog over the room: a heading, whatever is in it, and a value that it is closed with.

import { h } from "./dom.js";

/**
 * Open a dialog.  Returns its element, close(value), and `closed`, a promise of that value: null if the user dismisses it.
 * It lies in the room, so that the room's stylesheet is that of the boards in it.
 */
export function openDialog(title, properties, ...content) {
  let value = null;
  const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
  const element = h("dialog", { "aria-labelledby": heading.id, ...properties, class: `over ${properties.class ?? ""}` },
    h("header", { class: "row" }, heading, h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => element.close() }, "✕")),
    ...content);
  const closed = new Promise((resolve) => {
    element.addEventListener("close", () => { element.remove(); resolve(value); });
  });
  (document.getElementById("room") ?? document.body).append(element);
  element.showModal();
  return { element, closed, close: (given) => { value = given; element.close(); } };
}
