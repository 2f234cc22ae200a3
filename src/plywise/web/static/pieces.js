// Draws pieces as a game describes them (plywise.layers.Piece): a glyph, a stone or a symbol.  The chess glyphs are paths
// in a square of 48 by 48: `body` is filled, `lines` are drawn on top.

import { die, faceOf } from "./dice.js";
import { s } from "./dom.js";

const FOOT = "M12.5 37h23a2 2 0 0 1 2 2v1.5a2 2 0 0 1-2 2h-23a2 2 0 0 1-2-2V39a2 2 0 0 1 2-2Z";

const SHAPES = {
  "♟": {
    body: ["M24 8.5a6.3 6.3 0 0 1 4.3 10.9h2.2a1.5 1.5 0 0 1 0 3h-2.6c.4 6 3.2 10.4 5.6 14.6h-19c2.4-4.2 5.2-8.6 5.6-14.6h-2.6a1.5 1.5 0 0 1 0-3h2.2A6.3 6.3 0 0 1 24 8.5Z"],
    lines: [],
  },
  "♜": {
    body: ["M12.5 8h5.5v3.5h3.5V8h5v3.5H30V8h5.5v8.5L31.5 20v12l3 5h-21l3-5V20l-4-3.5Z"],
    lines: ["M16.5 20h15", "M16.5 32h15"],
  },
  "♞": {
    body: ["M34.5 37c1.5-12.5-.5-22-9.3-25.7L23.5 7l-3 4c-2.7.7-4.6 2.4-5.8 4.7l-4.9 8.8c-.7 1.3-.5 2.6.5 3.5l2.2 2c1 .9 2.3.9 3.4.1l3.3-2.5c1.7 0 3.2-.5 4.5-1.5-.3 4.4-6.5 5.4-8.2 10.9Z"],
    lines: ["M29.5 18.5c2 4 2.6 9 2.2 14"],
    dots: [[19.5, 17.2, 1.4]],
  },
  "♝": {
    body: [
      "M24 5.5a2.6 2.6 0 0 1 1.5 4.7C30.8 13.8 33 18.3 33 22.3c0 4-2.2 6.4-4 8.2h1.5a1.5 1.5 0 0 1 0 3h-.8l2.3 3.5H16l2.3-3.5h-.8a1.5 1.5 0 0 1 0-3H19c-1.8-1.8-4-4.2-4-8.2 0-4 2.2-8.5 7.5-12.1A2.6 2.6 0 0 1 24 5.5Z",
    ],
    lines: ["M24 16.5v8", "M20 20.5h8", "M19 30.5h10"],
  },
  "♛": {
    body: [
      "M9.5 12.5a2.3 2.3 0 0 1 1.7 3.9l5.3 5.6 1.7-9.7a2.3 2.3 0 1 1 2.3-.1L24 20.5l3.5-8.3a2.3 2.3 0 1 1 2.3.1l1.7 9.7 5.3-5.6a2.3 2.3 0 1 1 1.9.7L34 31l-1 2.5 1.5 3.5h-21l1.5-3.5-1-2.5-4.7-13.9a2.3 2.3 0 0 1 .2-4.6Z",
    ],
    lines: ["M14.5 31c6-1.7 13-1.7 19 0", "M15.5 34c5.5-1.4 11.5-1.4 17 0"],
  },
  "♚": {
    body: [
      "M22.5 4h3v2.8h2.8v3h-2.8V13c2.3 1 3 3 2.6 5.3 2.6-3.3 9.9-3.3 10.4 3.2.3 4.4-3.3 6.8-5 9.5l-.5 2.5 1.5 3.5h-21l1.5-3.5-.5-2.5c-1.7-2.7-5.3-5.1-5-9.5.5-6.5 7.8-6.5 10.4-3.2-.4-2.3.3-4.3 2.6-5.3V9.8h-2.8v-3h2.8Z",
    ],
    lines: ["M24 27.5c-1.3-3.4-2.5-6.4-4.1-9.2M24 27.5c1.3-3.4 2.5-6.4 4.1-9.2", "M14.5 31c6-1.7 13-1.7 19 0", "M15 34c5.5-1.4 12.5-1.4 18 0"],
  },
};

/** A piece as SVG in a square of 24 by 24; `number` counts the pieces of its game from 1; dice may roll. */
export function drawn(piece, number, rolling = false) {
  if (faceOf(piece)) return die(faceOf(piece), rolling);
  const properties = { viewBox: "0 0 24 24", class: "piece", "aria-hidden": "true" };
  return s("svg", properties, parts(piece, number));
}

/** The shapes of a piece. */
export function parts({ symbol, glyph, fill, badge, detail }, number) {
  const style = `--fill: ${fill || "var(--ink)"}; --detail: ${detail || "var(--ink)"}`;
  if (glyph in SHAPES) return s("g", { class: "glyph", style, transform: "scale(0.5)" }, shapes(SHAPES[glyph]));
  if (glyph) return s("g", { style }, letter(glyph, 19, "glyph"));
  if (!fill) return s("g", { class: number === 1 ? "sign first" : "sign second" }, sign(symbol, 12, 6.4));
  return s("g", { class: "stone", style }, s("circle", { cx: 12, cy: 12, r: 9.8, class: "body" }), detail && sign(badge || symbol, 12, badge ? 5 : 3.4));
}

function shapes({ body, lines, dots = [] }) {
  return [
    ...[...body, FOOT].map((d) => s("path", { d, class: "body" })),
    ...lines.map((d) => s("path", { d, class: "detail" })),
    ...dots.map(([cx, cy, r]) => s("circle", { cx, cy, r, class: "dot" })),
  ];
}

/** A symbol of this size.  X and O are drawn as shapes, so that they look the same in every font. */
function sign(symbol, at, size) {
  const low = at - size, high = at + size;
  if (symbol === "X") return s("path", { d: `M${low} ${low} ${high} ${high}M${high} ${low} ${low} ${high}`, class: "mark" });
  if (symbol === "O") return s("circle", { cx: at, cy: at, r: 1.1 * size, class: "mark" });
  return letter(symbol, 2.2 * size, "letter");
}

function letter(text, size, kind) {
  return s("text", { x: 12, y: 12 + 0.36 * size, "font-size": size, class: kind }, text);
}
