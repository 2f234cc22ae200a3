// Draws the moves of a game: the main line, with the variations in brackets behind the move that they replace.

import { h } from "../dom.js";

const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" }; // PGN's numeric annotation glyphs
export const VERDICTS = { inaccuracy: 6, mistake: 2, blunder: 4, "missed win": 2, "missed draw": 2 }; // which of them a review gives

/** The annotations of a move: a verdict adds its glyph, unless the file has one. */
export function nagsOf({ nags, verdict }) {
  return verdict && !nags.some((nag) => GLYPHS[nag]) ? [VERDICTS[verdict], ...nags] : nags;
}

const nodeOf = new WeakMap(); // by link

/**
 * Draw the tree of a game; `at` is the node on the board.  A move is a link: `go(node)` follows it, `address(node)` is where it leads,
 * for those who copy it or open it elsewhere.  The focus stays on its move, or on the board's.
 */
export function drawMoves(element, root, at, links) {
  const focused = element.querySelector("a:focus"), kept = focused?.hasAttribute("aria-current") ? at : nodeOf.get(focused);
  const words = [...root.rolls.map(roll), ...line(root, at, links)];
  element.replaceChildren(...(words.length ? words : [h("span", { class: "soft" }, "No moves yet.")]));
  reveal(element, element.querySelector("[aria-current]"));
  if (focused) ([...element.querySelectorAll("a")].find((link) => nodeOf.get(link) === kept) ?? element).focus({ preventScroll: true });
}

/** Scroll a list, and nothing else, so that one of its elements is seen. */
function reveal(list, element) {
  if (!element) {
    list.scrollTop = 0;
    return;
  }
  const { top, bottom } = list.getBoundingClientRect(), at = element.getBoundingClientRect();
  if (at.top < top) list.scrollTop -= top - at.top;
  else if (at.bottom > bottom) list.scrollTop += at.bottom - bottom;
}

/** The words of all lines that follow a node. */
function line(node, at, links) {
  const words = [];
  let anew = false; // after a variation, a move says its number again
  while (node.children.length) {
    const [main, ...others] = node.children;
    words.push(...move(main, at, links, anew));
    for (const other of others) {
      const inside = [...move(other, at, links, true), ...line(other, at, links)];
      if (inside.at(-1) === " ") inside.pop();
      words.push(h("span", { class: "variation" }, "(", ...inside, ")"), " ");
    }
    anew = others.length > 0;
    node = main;
  }
  return words;
}

function move(node, at, { go, address }, anew) {
  const label = node.label || (anew ? `${numberOf(node)}...` : "");
  const mark = nagsOf(node).map((nag) => GLYPHS[nag] ?? "").join("");
  const remark = [node.judgement, node.comment].filter(Boolean).join(" ");
  const lead = ({ currentTarget }) => { currentTarget.href = address(node); }; // only now: the addresses of a long game are long
  const follow = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // into another tab
    event.preventDefault();
    go(node);
  };
  const link = h("a", {
    href: "#play", class: node.verdict ? "move judged" : "move", "aria-current": node === at ? "step" : null, title: remark || null,
    "aria-label": node.verdict ? `${node.name}, ${node.verdict}` : null, onclick: follow, onpointerenter: lead, onfocus: lead,
  }, node.name + mark);
  nodeOf.set(link, node);
  return [
    label ? h("span", { class: "numbered" }, h("span", { class: "soft" }, `${label} `), link) : link, " ",
    ...node.rolls.map(roll),
    ...(node.comment ? [h("span", { class: "comment soft small" }, node.comment), " "] : []),
  ];
}

function roll(name) {
  return h("span", { class: "roll" }, name);
}

/** The number of the round that a move belongs to. */
function numberOf(node) {
  for (let each = node; each; each = each.parent) {
    const number = /^\d+/.exec(each.label);
    if (number) return number[0];
  }
  return 1;
}
