// What all kinds of boards share: the names of places, the element of a place (it has `data-place`), and arrow keys that
// move the focus from place to place.

export function classes(...words) {
  return words.filter(Boolean).join(" ");
}

/** Tell the stylesheet how many columns and rows of squares a board has, so that it fits the window. */
export function measure(grid, columns, rows) {
  grid.style.setProperty("--columns", columns);
  grid.style.setProperty("--rows", rows);
}

export function columnName({ bottom }, column) {
  return bottom[column] ?? String(column + 1);
}

/**
 * The name of a place: what is written on it, or from its column and row if they have names, else its number.  Names along the upper and the lower edge
 * stay there when the board is flipped: both players count from their own side.
 */
export function nameOf(view, place, flipped = false) {
  if (view.numbers.length) return view.numbers[place];
  const column = place % view.columns, row = Math.floor(place / view.columns);
  const upper = 2 * (flipped ? view.rows - 1 - row : row) < view.rows;
  const names = view.top.length && (upper || !view.bottom.length) ? view.top : view.bottom;
  return (names[column] ?? "") + (view.left[row] ?? view.right[row] ?? "") || String(place + 1);
}

/** The element that shows a place; null if there is none. */
export function elementAt(board, place) {
  return place === undefined ? null : board.querySelector(`[data-place="${place}"]`);
}

/** The place at a point of the window; undefined if there is none. */
export function placeAt(board, x, y) {
  const found = [...board.querySelectorAll("[data-place]")].find((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return x >= left && x < right && y >= top && y < bottom;
  });
  return found && Number(found.dataset.place);
}

/** Let the arrow keys move the focus in a grid of buttons; Tab reaches only the one that had the focus last. */
export function roving(grid) {
  grid.addEventListener("focusin", ({ target }) => { if (target.matches("[data-row]")) rove(grid, target); });
  grid.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const cell = event.target.closest("[data-row]");
    if (!step || !cell) return;
    event.preventDefault();
    const row = Number(cell.dataset.row) + step[0], column = Number(cell.dataset.column) + step[1];
    grid.querySelector(`[data-row="${row}"][data-column="${column}"]`)?.focus();
  });
  return grid;
}

/** Make a button the one that Tab reaches. */
export function rove(grid, button) {
  for (const each of grid.querySelectorAll('[data-row][tabindex="0"]')) each.setAttribute("tabindex", "-1");
  button.setAttribute("tabindex", "0");
}
