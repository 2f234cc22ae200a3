// Small boards in the nodes of a tree, with the measures of plywise/explain/miniature.py.  `board` is a game's description
// of its board (plywise.layers.view); `cells` are the integers of a position.

const SVG_SPACE = "http://www.w3.org/2000/svg";
const CELL = 13;
const STONE = 0.42;  // the radius of a stone, in cells
const STAR = 0.14;  // the radius of a star point, in cells
const LETTER = 0.78;  // the size of a letter, in cells
const BASELINE = 0.36;  // the distance from a letter's middle to its baseline, in letters
const PIECE_EDGE = "#1a1c20";

/** The width and height of a small board. */
export function miniatureSize({ columns, rows, stores }) {
  return [(columns + (stores ? 2 : 0)) * CELL, rows * CELL];
}

/** A small board as an SVG element with its top left corner at a point; `last` are the places of the last move. */
export function miniature(board, cells, left = 0, top = 0, last = []) {
  const { columns, rows, pieces } = board;
  const group = boardPart("g", { class: "pw-miniature", transform: `translate(${Math.round(left * 10) / 10} ${Math.round(top * 10) / 10})` });
  if (board.kind === "pits") {
    group.append(...cells.flatMap((stones, place) => smallPit(stones, cellMiddle(board, place))));
    group.append(...last.map((place) => lastPlace(board, place)));
    return group;
  }
  const ground = boardPart("path", { class: board.chequered ? "pw-light" : "pw-ground", d: `M0 0H${columns * CELL}V${rows * CELL}H0Z` });
  if (board.colour) ground.style.fill = board.colour;
  group.append(ground);
  group.append(boardPart("path", board.chequered ? { class: "pw-dark", d: darkCells(columns, rows) } : { class: "pw-lines", d: boardLines(board) }));
  group.append(...(board.stars ?? []).map((place) => starPoint(cellMiddle(board, place))));
  group.append(...last.map((place) => lastPlace(board, place)));
  cells.forEach((cell, place) => cell && group.append(...smallPiece(pieces[cell - 1], cellMiddle(board, place))));
  return group;
}

function cellMiddle({ columns, rows, stores }, place) {
  if (place >= columns * rows) return [(place === columns * rows ? 0.5 : columns + 1.5) * CELL, (rows * CELL) / 2];
  return [(place % columns + 0.5 + (stores ? 1 : 0)) * CELL, (Math.floor(place / columns) + 0.5) * CELL];
}

function darkCells(columns, rows) {
  let d = "";
  for (let place = 0; place < columns * rows; place++) {
    const column = place % columns, row = Math.floor(place / columns);
    if ((row + column) % 2) d += `M${column * CELL} ${row * CELL}h${CELL}v${CELL}h${-CELL}Z`;
  }
  return d;
}

/** Lines between cells, or through points. */
function boardLines({ kind, columns, rows }) {
  const inset = kind === "points" ? CELL / 2 : 0, first = kind === "points" ? 0.5 : 1;
  let d = "";
  for (let x = first; x < columns; x++) d += `M${x * CELL} ${inset}V${rows * CELL - inset}`;
  for (let y = first; y < rows; y++) d += `M${inset} ${y * CELL}H${columns * CELL - inset}`;
  return d;
}

function starPoint([cx, cy]) {
  return boardPart("circle", { class: "pw-star", cx, cy, r: STAR * CELL });
}

/** The mark of a place of the last move: its square, or a ring around a pit. */
function lastPlace(board, place) {
  const [cx, cy] = cellMiddle(board, place);
  if (board.kind === "pits") return boardPart("circle", { class: "pw-last", cx, cy, r: 0.47 * CELL });
  return boardPart("path", { class: "pw-last", d: `M${cx - CELL / 2} ${cy - CELL / 2}h${CELL}v${CELL}h${-CELL}Z` });
}

function smallPit(stones, [cx, cy]) {
  return [
    boardPart("circle", { class: "pw-ground", cx, cy, r: 0.47 * CELL }),
    smallLetter(String(stones), [cx, cy], LETTER * CELL * (stones < 10 ? 0.9 : 0.7)),
  ];
}

/** A glyph, a stone or a symbol. */
function smallPiece({ symbol, glyph, fill, badge, detail }, [cx, cy]) {
  if (glyph) return [smallLetter(glyph, [cx, cy], 0.95 * CELL, fill, fill && PIECE_EDGE)];
  const stone = fill ? [boardPart("circle", { cx, cy, r: STONE * CELL, style: `fill:${fill};stroke:${PIECE_EDGE}` })] : [];
  const sign = detail || !fill ? [smallLetter(badge || symbol, [cx, cy], LETTER * CELL * (fill ? 0.8 : 1), detail)] : [];
  return [...stone, ...sign];
}

function smallLetter(text, [x, y], size, fill, edge) {
  const style = [`font-size:${size}px`, fill && `fill:${fill}`, edge && `stroke:${edge};stroke-width:0.7;paint-order:stroke`].filter(Boolean).join(";");
  const element = boardPart("text", { class: "pw-sign", x, y: Math.round((y + BASELINE * size) * 10) / 10, style });
  element.textContent = text;
  return element;
}

function boardPart(name, attributes) {
  const element = document.createElementNS(SVG_SPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style") element.style.cssText = value; // the content security policy of a page may forbid the attribute
    else element.setAttribute(key, value);
  }
  return element;
}
