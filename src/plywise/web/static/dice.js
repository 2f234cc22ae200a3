// Dice as SVG, lying still or rolling.  A rolling die shows a few passing faces before its own; the styles time them, so
// without motion only the last face is seen.

import { s } from "./dom.js";

const ROLLS_FOR = 700; // milliseconds; as in boards.css
const FACES = "⚀⚁⚂⚃⚄⚅";
const PASSING = 5; // faces on the way
const LOW = 7, MIDDLE = 12, HIGH = 17;
const PIPS = [
  [[MIDDLE, MIDDLE]],
  [[LOW, HIGH], [HIGH, LOW]],
  [[LOW, HIGH], [MIDDLE, MIDDLE], [HIGH, LOW]],
  [[LOW, LOW], [LOW, HIGH], [HIGH, LOW], [HIGH, HIGH]],
  [[LOW, LOW], [LOW, HIGH], [MIDDLE, MIDDLE], [HIGH, LOW], [HIGH, HIGH]],
  [[LOW, LOW], [LOW, MIDDLE], [LOW, HIGH], [HIGH, LOW], [HIGH, MIDDLE], [HIGH, HIGH]],
];

/** The face of a piece that is a die, from 1 to 6; 0 for any other piece. */
export function faceOf({ glyph }) {
  return glyph ? FACES.indexOf(glyph) + 1 : 0;
}

/** The face of the die on a place of a board; 0 if there is none. */
export function faceAt({ kind, cells, pieces }, place) {
  return kind !== "pits" && cells[place] > 0 ? faceOf(pieces[cells[place] - 1]) : 0;
}

/** A die in a square of 24 by 24. */
export function die(face, rolling) {
  return s("svg", { viewBox: "0 0 24 24", class: rolling ? "piece die rolling" : "piece die", "aria-hidden": "true" },
    s("rect", { x: 1.5, y: 1.5, width: 21, height: 21, rx: 4.5, class: "body" }),
    rolling && passing(face).map((each, turn) => s("g", { class: "passing", style: `--turn: ${turn}` }, pips(each))),
    s("g", { class: "face" }, pips(face)));
}

/** Random faces on the way to the last one, no two alike in a row. */
function passing(last) {
  const faces = [last];
  while (faces.length <= PASSING) faces.unshift((faces[0] + Math.floor(5 * Math.random())) % 6 + 1);
  return faces.slice(0, -1);
}

function pips(face) {
  return PIPS[face - 1].map(([cx, cy]) => s("circle", { cx, cy, r: 2.2 }));
}

/** The places on a board of the dice that were rolled; none if the board does not show them all. */
export function rolledPlaces(view, faces) {
  const places = new Set();
  for (const face of faces) {
    const place = view.cells?.findIndex((_, each) => !places.has(each) && faceAt(view, each) === face) ?? -1;
    if (place < 0) return new Set();
    places.add(place);
  }
  return places;
}

/** How long a roll is seen to move, in milliseconds. */
export function rollTime() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : ROLLS_FOR;
}
