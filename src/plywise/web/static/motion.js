// Shows what a move changed on a board: pieces slide, fall, turn over and vanish, stones are sown.  The board is drawn in its
// new state at once, and all motion is on top of it, so input never waits and a new drawing ends it.  Readers who
// prefer reduced motion see none.

import { faceAt } from "./dice.js";
import { h } from "./dom.js";
import { elementAt } from "./grid.js";
import { drawn } from "./pieces.js";
import { fill, thing } from "./pits.js";

const STEP = 190; // milliseconds for a slide, or for one of several jumps
const FADE = 170; // for a piece that appears or vanishes
const TURN = 260; // for a disc that turns over
const RIPPLE = 35; // between discs that turn, for every square of distance
const SOW = 90; // between two stones that are sown
const LONGEST_SOWING = 900;
const FLIGHT = 220; // of a stone that is sown

/** Whether two positions are of the same game on the same board. */
export function comparable(before, after) {
  const shape = ({ kind, columns, rows, stacks, stores, falling, pieces }) => JSON.stringify([kind, columns, rows, stacks, stores, falling, pieces]);
  return before.kind !== "text" && before.kind !== "sheet" && shape(before) === shape(after);
}

/**
 * What differs between two drawings, each `{ view, last }`: slides ([{from, to}]), taken, placed and turned (places),
 * and the kind: "capture", "move", or null if nothing differs.
 */
export function changes({ view: before, last: lastBefore }, { view: after, last }) {
  const differing = [...after.cells.keys()].filter((place) => before.cells[place] !== after.cells[place]);
  if (after.kind === "pits") {
    const taken = differing.filter((place) => place !== last.from && after.cells[place] < before.cells[place]);
    return { slides: [], taken, placed: [], turned: [], kind: differing.length ? taken.length ? "capture" : "move" : null };
  }
  const left = new Set(differing.filter((place) => before.cells[place] && !faceAt(before, place)));
  const arrived = new Set(differing.filter((place) => after.cells[place] && !faceAt(after, place)));
  const slides = [last, lastBefore].some(isWay) ? slidesOf(before, after, left, arrived, last) : [];
  for (const { from, to } of slides) {
    left.delete(from);
    arrived.delete(to);
  }
  const both = [...arrived].filter((place) => before.cells[place]); // in a stack, only their number changed
  const turned = after.stacks || slides.length ? [] : both;
  const taken = after.stacks ? [] : [...left].filter((place) => !turned.includes(place));
  const placed = [...arrived].filter((place) => !both.includes(place));
  const moved = slides.length + placed.length + turned.length + taken.length > 0;
  return { slides, taken, placed, turned, kind: moved ? taken.length ? "capture" : "move" : null };
}

function isWay({ from, to }) {
  return from !== undefined && to !== undefined;
}

/** Which piece went where: first the piece of the last move, then the nearest of the same kind, such as the rook in castling. */
function slidesOf(before, after, left, arrived, last) {
  const slides = [], gone = new Set(left);
  const back = last.from === last.to && left.size > 0; // a round of captures
  if (isWay(last) && (back || (gone.has(last.from) && arrived.has(last.to)))) {
    slides.push({ from: last.from, to: last.to });
    gone.delete(last.from);
  }
  for (const to of arrived) {
    if (slides.some((slide) => slide.to === to)) continue;
    const alike = [...gone].filter((place) => before.cells[place] === after.cells[to]);
    if (!alike.length) continue;
    const from = alike.reduce((best, place) => (distance(after, place, to) < distance(after, best, to) ? place : best));
    slides.push({ from, to });
    gone.delete(from);
  }
  return slides;
}

function distance({ columns }, place, other) {
  const row = (each) => Math.floor(each / columns);
  return Math.hypot(row(place) - row(other), place % columns - other % columns);
}

/** Set the changes in motion; `route` has the places of the last move in order. */
export function move(surface, before, now, changed, route) {
  if (!changed.kind || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { view } = now;
  if (view.kind === "pits") {
    if (view.columns === 1 && !view.stores) takeThings(surface, before.view, view);
    else sow(surface, before.view, now, changed.taken);
  } else if (view.falling) {
    for (const place of changed.placed) fall(elementAt(surface, place), Math.floor(place / view.columns) + 1);
  } else movePieces(surface, before, now, changed, route);
}

function movePieces(surface, before, { view, last }, { slides, taken, placed, turned }, route) {
  const way = wayOf(before.carried, last, route);
  for (const each of slides) slide(surface, each, each.from === last.from && each.to === last.to ? way : [each.from, each.to]);
  const lasts = slides.length ? STEP * Math.max(1, way.length - 1) : 0;
  for (const place of taken) vanish(surface, before.view, place, slides.length ? STEP * stepOver(view, way, place) : 0);
  for (const place of placed) appear(elementAt(surface, place), slides.length ? lasts - STEP : 0);
  for (const place of turned) turn(surface, before.view, place, RIPPLE * (last.to === undefined ? 0 : distance(view, place, last.to)));
}

/** The rest of the way of the last move: the user may have seen the piece go a part of it. */
function wayOf(carried, last, route) {
  const way = route.length > 1 && route[0] === last.from && route.at(-1) === last.to ? route : [last.from, last.to];
  if (!carried || carried.from !== last.from) return way;
  if (carried.at === last.to && carried.at !== last.from) return [last.to];
  const seen = way.indexOf(carried.at);
  return seen > 0 ? way.slice(seen) : way;
}

/** After how many steps of a way a piece is taken: the step that passes over it, or all but the end of the last one. */
function stepOver({ columns }, way, place) {
  const at = (each) => [Math.floor(each / columns), each % columns];
  const [row, column] = at(place);
  const over = way.slice(1).findIndex((to, index) => {
    const [top, left] = at(way[index]), [bottom, right] = at(to);
    const cross = (row - top) * (right - left) - (column - left) * (bottom - top);
    return cross === 0 && (row - top) * (row - bottom) <= 0 && (column - left) * (column - right) <= 0;
  });
  return Math.max(0, (over < 0 ? way.length - 1 : over + 1) - 0.5);
}

/** Let the piece on the last place of a way come from the first one, by all between. */
function slide(surface, { to }, way) {
  const cell = elementAt(surface, to), piece = cell?.querySelector(".piece");
  if (!piece || way.length < 2) return;
  const end = centre(cell);
  const frames = way.map((place) => {
    const at = centre(elementAt(surface, place) ?? cell);
    return { transform: `translate(${at.x - end.x}px, ${at.y - end.y}px)`, easing: "ease-in-out" };
  });
  cell.classList.add("moving");
  piece.animate(frames, { duration: STEP * (way.length - 1) }).finished.then(() => cell.classList.remove("moving"), () => {});
}

function centre(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Show a piece that is no longer there until it is taken. */
function vanish(surface, view, place, delay) {
  const ghost = leaving(elementAt(surface, place), drawn(view.pieces[view.cells[place] - 1], view.cells[place]));
  end(ghost, [{ opacity: 1 }, { opacity: 0, transform: "scale(0.7)" }], { duration: FADE, delay });
}

/** Put a picture of what was there over a place. */
function leaving(cell, ghost) {
  ghost.classList.add("leaving");
  cell?.append(ghost);
  return ghost;
}

/** Animate a picture, and remove it. */
function end(ghost, frames, timing) {
  ghost.animate(frames, { fill: "both", ...timing }).finished.then(() => ghost.remove(), () => {});
}

function appear(cell, delay) {
  cell?.querySelector(".piece")?.animate([{ opacity: 0, transform: "scale(0.7)" }, { opacity: 1, transform: "none" }], { duration: FADE, delay, easing: "ease-out", fill: "backwards" });
}

/** Turn a disc over: the old side narrows, then the new one widens. */
function turn(surface, view, place, delay) {
  const cell = elementAt(surface, place), piece = cell?.querySelector(".piece");
  if (!piece) return;
  const ghost = leaving(cell, drawn(view.pieces[view.cells[place] - 1], view.cells[place]));
  end(ghost, [{ transform: "none" }, { transform: "scaleX(0)" }], { duration: TURN / 2, delay, easing: "ease-in" });
  piece.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: TURN / 2, delay: delay + TURN / 2, easing: "ease-out", fill: "backwards" });
}

/** Let a disc fall from above the board, as fast as gravity would, and bounce once. */
function fall(hole, rows) {
  const duration = 170 * Math.sqrt(rows) + 160, landed = 170 * Math.sqrt(rows) / duration;
  hole?.querySelector(".disc")?.animate([
    { transform: `translateY(${-24 * rows}px)`, easing: "cubic-bezier(0.4, 0, 0.9, 0.6)" },
    { transform: "none", offset: landed, easing: "ease-out" },
    { transform: `translateY(${-1.2 * rows}px)`, offset: (1 + landed) / 2, easing: "ease-in" },
    { transform: "none" },
  ], { duration });
}

/** Let the things that were taken from heaps fade. */
function takeThings(surface, before, after) {
  after.cells.forEach((size, heap) => {
    const gone = before.cells[heap] - size, row = elementAt(surface, heap);
    for (let each = 0; each < gone; each++) {
      const ghost = h("span", { class: "thing leaving-thing", "aria-hidden": "true" }, thing());
      row.append(ghost);
      end(ghost, [{ opacity: 1 }, { opacity: 0, transform: "translateY(-40%)" }], { duration: 2 * FADE });
    }
  });
}

/** Sow the stones of the last move one by one, then bring what was captured to the store that gained it. */
function sow(surface, before, { view, last }, taken) {
  if (last.from === undefined || before.cells[last.from] <= view.cells[last.from]) return;
  const shown = [...before.cells], stones = sowing(before, view, last.from, taken);
  const pause = Math.min(SOW, LONGEST_SOWING / Math.max(1, stones.length));
  const put = (place, count) => {
    shown[place] = count;
    const pit = elementAt(surface, place);
    if (pit) fill(pit, count);
  };
  for (const place of [...taken, ...stones.map(({ to }) => to)]) put(place, before.cells[place]);
  stones.forEach(({ from, to, count, late }, index) => {
    const delay = pause * index + (late ? FLIGHT : 0);
    fly(surface, from, to, delay);
    if (late) setTimeout(() => put(from, view.cells[from]), delay);
    setTimeout(() => put(to, index === stones.findLastIndex((each) => each.to === to) ? view.cells[to] : shown[to] + count), delay + FLIGHT);
  });
}

/** The stones that fly, in order: `{ from, to, count, late }`; those that were captured fly last. */
function sowing(before, after, from, taken) {
  const gains = after.cells.map((count, place) => count - before.cells[place]);
  const ring = around(after), start = ring.indexOf(from), size = ring.length;
  const onwards = Array.from({ length: size - 1 }, (_, step) => ring[(start + step + 1) % size]);
  const order = gains[onwards[0]] > 0 || gains[onwards.at(-1)] <= 0 ? onwards : onwards.reverse();
  const store = taken.length ? gains.indexOf(Math.max(...gains)) : -1;
  const sown = order.flatMap((place) => Array.from({ length: place === store ? Math.min(1, gains[place]) : Math.max(0, gains[place]) }, () => ({ from, to: place, count: 1, late: false })));
  return [...sown, ...taken.map((place) => ({ from: place, to: store, count: before.cells[place] - after.cells[place], late: true }))];
}

/** The pits in the order in which they are sown: the lower row to the right, the right store, the upper rows back, the left store. */
function around({ columns, rows, stores }) {
  const row = (index) => Array.from({ length: columns }, (_, column) => index * columns + column);
  const lower = row(rows - 1), upper = Array.from({ length: rows - 1 }, (_, index) => row(rows - 2 - index).reverse()).flat();
  return stores ? [...lower, columns * rows + 1, ...upper, columns * rows] : [...lower, ...upper];
}

/** Let a stone fly from pit to pit. */
function fly(surface, from, to, delay) {
  const start = elementAt(surface, from), target = elementAt(surface, to);
  if (!start || !target) return;
  const frame = surface.getBoundingClientRect(), a = centre(start), b = centre(target);
  const stone = h("span", { class: "flying", "aria-hidden": "true", style: `left: ${a.x - frame.left}px; top: ${a.y - frame.top}px` });
  surface.append(stone);
  const half = `translate(${(b.x - a.x) / 2}px, ${(b.y - a.y) / 2 - 18}px) scale(1.25)`;
  end(stone, [{ transform: "none", opacity: 1 }, { transform: half, opacity: 1 }, { transform: `translate(${b.x - a.x}px, ${b.y - a.y}px)`, opacity: 1 }], { duration: FLIGHT, delay });
}
