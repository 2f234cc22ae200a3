// Draws boards of cells and of points where lines cross.  Pieces are moved by clicks, by dragging, or by keyboard.

import { playAt, playOne } from "./choosing.js";
import { h, s } from "./dom.js";
import { classes, measure, nameOf, roving } from "./grid.js";
import { drawn } from "./pieces.js";
import { Walking } from "./walking.js";

const DRAGGED_AFTER = 5; // pixels

/** `carry({ from, at })` is told where the piece of a move that is played is seen already, so that it goes on from there. */
export function cells(view, { legal, last, hint, flipped, play, say, legend, selecting, rolling, carry }) {
  const { columns: width, rows, cells: on, pieces } = view;
  const same = (place, other) => other !== undefined && stackOf(view, place) === stackOf(view, other);
  const here = (place) => legal.filter(({ routes }) => routes.some((route) => route.length === 1 && same(place, route[0])));
  const isEnd = (places, place) => places.from === place || places.to === place;
  const walking = new Walking(legal, same);
  const origins = new Set(walking.routes.map(({ route }) => route[0]));
  const sparse = view.kind !== "points" && on.some((piece, place) => piece === 0 && !here(place).length); // then mark the free cells
  const grid = h("div", { class: classes("cells", view.chequered && "chequered", view.kind === "points" && "points", view.stacks && "stacks", view.colour && "coloured"), role: "group", "aria-label": legend });
  measure(grid, width, rows);
  if (view.colour) grid.style.setProperty("--colour", view.colour);
  if (view.kind === "points") grid.append(lines(view, flipped));
  const buttons = new Map();
  let walker = null; // the piece that is under way, and its button

  for (let index = 0; index < width * rows; index++) {
    const place = flipped ? width * rows - 1 - index : index;
    const row = Math.floor(index / width), column = index % width, piece = on[place];
    const free = here(place).length > 0, marked = view.marked.includes(place), name = nameOf(view, place, flipped);
    const heard = [name, piece ? pieces[piece - 1].name : "empty", marked && view.mark_name].filter(Boolean).join(", ");
    const reachable = legal.some(({ routes }) => routes.flat().some((each) => same(place, each)));
    const button = h("button", {
      type: "button", "data-at": name, "data-place": place, "data-row": row, "data-column": column, "aria-label": heard,
      class: classes(
        "cell", (Math.floor(place / width) + place % width) % 2 && "dark", free && "free", free && sparse && "dot", marked && "marked",
        isEnd(last, place) && "last", (isEnd(hint, place) || selecting?.hints(place)) && "hint", walking.leaves(place) && "movable",
        view.stacks && origins.has(place) && "origin", stackOf(view, place) !== place && !isNumber(name) && "beside", selecting?.takes(place) && "selectable",
      ),
      tabindex: row === rows - 1 && column === 0 ? 0 : -1, "aria-disabled": reachable || selecting?.takes(place) ? false : "true",
    },
    view.kind === "points" && marked && crossing(row, column, rows, width),
    view.stacks > 0 && slice(view, row, name),
    view.numbers[place] && h("span", { class: "number", "aria-hidden": "true" }, view.numbers[place]),
    row === 0 && h("span", { class: "file above", "aria-hidden": "true" }, view.top[place % width] ?? ""),
    row === rows - 1 && h("span", { class: "file", "aria-hidden": "true" }, view.bottom[place % width] ?? ""),
    column === 0 && !view.numbers.length && h("span", { class: "rank", "aria-hidden": "true" }, (view.left.length ? view.left : view.right)[Math.floor(place / width)] ?? ""),
    piece > 0 && drawn(pieces[piece - 1], piece, rolling.has(place)));
    buttons.set(place, button);
    grid.append(button);
  }

  /** Show the places clicked so far, and those to click next. */
  function showPath() {
    const { path } = walking, next = walking.next(), ends = walking.ends();
    const passed = new Set(path.length ? walking.begun().flatMap(({ route }) => route.slice(0, path.length)) : []);
    for (const [each, button] of buttons) {
      button.classList.toggle("target", next.has(each));
      button.classList.toggle("end", ends.has(each) && !next.has(each));
      button.classList.toggle("chosen", passed.has(each));
      if (passed.has(each)) button.setAttribute("aria-pressed", "true");
      else button.removeAttribute("aria-pressed");
    }
  }

  /** Show the piece that is under way on a place, instead of what is there. */
  function stand(place) {
    if (!walker?.piece) return;
    const button = buttons.get(place) ?? walker.home;
    walker.piece.parentElement.classList.remove("entered");
    button.classList.toggle("entered", button !== walker.home);
    button.append(walker.piece);
  }

  function forget() {
    walking.path = [];
    showPath();
    stand();
  }

  /** Go on to a place, and play the move if it is complete; returns whether a move goes there. */
  function step(place, dropped = false) {
    const seen = walking.path.at(-1), moves = walking.step(place);
    if (moves?.length) finish(moves, dropped ? moves[0].places.to : seen);
    else {
      const { path } = walking;
      showPath();
      if (path.length === 1) walker = { piece: buttons.get(path[0]).querySelector(".piece"), home: buttons.get(path[0]) };
      stand(path.at(-1));
    }
    return moves !== null;
  }

  /** Play a move, with its piece on the place where it is seen already, and take it back if the move is not made. */
  async function finish(moves, seen) {
    walking.path = [];
    showPath();
    stand(seen);
    carry({ from: moves[0].places.from, at: seen });
    if (await playOne(grid, moves, view, play) === false) forget();
  }

  const placeOf = (element) => {
    const cell = element?.closest?.(".cell");
    return cell && grid.contains(cell) ? Number(cell.dataset.place) : undefined;
  };
  dragging(grid, { placeOf, canLeave: (place) => walking.leaves(place), button: (place) => buttons.get(place), forget, step });
  grid.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place === undefined) return;
    if (selecting?.takes(place)) {
      selecting.toggle(place, buttons.get(place));
      return;
    }
    const again = same(place, walking.path[0]);
    say("");
    if (step(place)) return;
    forget();
    if (!again && step(place)) return;
    playAt(grid, place, here(place), view, { legal, play, say });
  });
  grid.addEventListener("keydown", (event) => { if (event.key === "Escape") forget(); });
  return roving(grid);
}

/** All lines of a board of points, with a dot on each star. */
function lines({ columns, rows, stars }, flipped) {
  const across = Array.from({ length: rows }, (_, row) => `M12 ${24 * row + 12}H${24 * columns - 12}`);
  const down = Array.from({ length: columns }, (_, column) => `M${24 * column + 12} 12V${24 * rows - 12}`);
  const dots = stars.map((place) => (flipped ? columns * rows - 1 - place : place)).map((at) => s("circle", { cx: 24 * (at % columns) + 12, cy: 24 * Math.floor(at / columns) + 12, r: 2.2 }));
  return s("svg", { viewBox: `0 0 ${24 * columns} ${24 * rows}`, class: "lines", "aria-hidden": "true" }, s("path", { d: [...across, ...down].join("") }), dots);
}

/** The lines that meet at a marked point; there are fewer at the edge of the board. */
function crossing(row, column, rows, columns) {
  const d = `M${column ? 0 : 12} 12H${column < columns - 1 ? 24 : 12}M12 ${row ? 0 : 12}V${row < rows - 1 ? 24 : 12}`;
  return s("svg", { viewBox: "0 0 24 24", class: "crossing", "aria-hidden": "true" }, s("path", { d }));
}

/** What a click on a place means: the place, or the stack that it belongs to. */
function stackOf({ columns: width, rows, stacks }, place) {
  const row = Math.floor(place / width), column = place % width;
  if (!stacks || (row >= stacks && row < rows - stacks)) return place;
  return `${row < stacks ? "upper" : "lower"} ${column}`;
}

function isNumber(name) {
  return /^\d+$/.test(name);
}

/** A slice of the triangle under a stack, where its column has a number. */
function slice({ rows, stacks }, row, name) {
  const height = row < stacks ? row : row >= rows - stacks ? rows - 1 - row : -1;
  if (height < 0 || !isNumber(name)) return false;
  const wide = 12 * (1 - height / stacks), narrow = 12 * (1 - (height + 1) / stacks);
  const [above, below] = row < stacks ? [wide, narrow] : [narrow, wide];
  const d = `M${12 - above} 0H${12 + above}L${12 + below} 24H${12 - below}Z`;
  return s("svg", { viewBox: "0 0 24 24", class: classes("slice", Number(name) % 2 && "odd"), "aria-hidden": "true", preserveAspectRatio: "none" }, s("path", { d }));
}

/** Let the user drag pieces.  A press that hardly moves counts as a click, which has its own handler. */
function dragging(grid, { placeOf, canLeave, button, forget, step }) {
  let drag = null;
  grid.addEventListener("pointerdown", (event) => {
    const place = placeOf(event.target);
    if (event.button === 0 && place !== undefined && canLeave(place)) drag = { from: place, x: event.clientX, y: event.clientY, ghost: null };
  });
  grid.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAGGED_AFTER) {
      const origin = button(drag.from);
      grid.setPointerCapture(event.pointerId);
      drag.ghost = origin.querySelector(".piece")?.cloneNode(true) ?? h("span");
      drag.ghost.classList.add("ghost");
      drag.ghost.style.width = `${origin.offsetWidth}px`;
      origin.classList.add("lifted");
      grid.append(drag.ghost);
      forget();
      step(drag.from);
    }
    if (drag.ghost) {
      drag.ghost.style.left = `${event.clientX}px`;
      drag.ghost.style.top = `${event.clientY}px`;
    }
  });
  const release = (event) => {
    if (!drag) return;
    const { from, ghost } = drag;
    drag = null;
    if (!ghost) return;
    ghost.remove();
    button(from).classList.remove("lifted");
    const below = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (event.type !== "pointerup" || below === undefined || below === from || !step(below, true)) forget();
  };
  grid.addEventListener("pointerup", release);
  grid.addEventListener("pointercancel", release);
}
