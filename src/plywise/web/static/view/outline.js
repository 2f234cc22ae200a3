// The visited part of the tree as a nested list, for screen readers and for details.  It follows the tree view pattern of
// the WAI-ARIA Authoring Practices.

import { labelsOf } from "./story.js";

export class Outline {
  /** `pick(visit)` is called when a visit is chosen, `toggle(visit, open)` when one is opened or closed. */
  constructor(box, { pick, toggle }) {
    this.list = document.createElement("ul");
    this.list.className = "pw-outline";
    this.list.setAttribute("role", "tree");
    this.list.setAttribute("aria-label", "The tree so far");
    box.append(this.list);
    this.rows = new Map();  // by visit: its elements
    this.pick = pick;
    this.toggle = toggle;
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => {
      const item = event.target.closest("[role=treeitem]");
      if (!item) return;
      const visit = Number(item.dataset.visit);
      if (event.target.closest(".pw-twist") && item.ariaExpanded !== null) this.toggle(visit, item.ariaExpanded !== "true");
      else this.pick(visit);
    });
  }

  /** Update the list to a replay; unchanged rows are not touched. */
  show(replay, collapsed, selected, notation) {
    Object.assign(this, { replay, notation });
    this.line = new Set(replay.line);
    const onPath = new Set(replay.current === null ? [] : replay.path(replay.current));
    const gone = new Set(this.rows.keys());
    const fill = (list, visits, level) => {
      let place = list.firstElementChild;
      for (const visit of visits) {
        gone.delete(visit);
        const row = this.row(visit, level);
        if (row.item === place) place = place.nextElementSibling;
        else list.insertBefore(row.item, place);
        this.dress(row, visit, selected);
        const below = replay.children[visit].filter((child) => replay.looks.has(child));
        const shown = collapsed.has(visit) ? below.filter((child) => onPath.has(child)) : below;
        set(row.item, "aria-expanded", below.length ? String(!collapsed.has(visit)) : null);
        if (shown.length) {
          row.group ??= group(row.item);
          fill(row.group, shown, level + 1);
        } else if (row.group) {
          row.group.remove();
          row.group = null;
        }
      }
    };
    fill(this.list, replay.roots.filter((root) => replay.looks.has(root)), 1);
    for (const visit of gone) {
      this.rows.get(visit).item.remove();
      this.rows.delete(visit);
    }
    const stop = this.rows.get(selected)?.item ?? this.list.querySelector("[role=treeitem]");
    if (this.stop !== stop) {
      this.stop?.setAttribute("tabindex", "-1");
      stop?.setAttribute("tabindex", "0");
      this.stop = stop;
    }
  }

  row(visit, level) {
    if (!this.rows.has(visit)) {
      const item = document.createElement("li");
      item.setAttribute("role", "treeitem");
      item.setAttribute("aria-level", level);
      item.tabIndex = -1;
      item.dataset.visit = visit;
      const label = document.createElement("span");
      label.className = "pw-row";
      const twist = document.createElement("span");
      twist.className = "pw-twist";
      twist.setAttribute("aria-hidden", "true");
      const text = document.createElement("span");
      label.append(twist, text);
      item.append(label);
      this.rows.set(visit, { item, text, group: null });
    }
    return this.rows.get(visit);
  }

  dress({ item, text }, visit, selected) {
    const words = this.words(visit);
    if (text.textContent !== words) {
      text.textContent = words;
      text.title = this.replay.story.visits[visit].full ?? "";
      item.setAttribute("aria-label", words);  // otherwise its name would include all rows below
    }
    set(item, "aria-selected", String(visit === selected));
    item.classList.toggle("pw-current", visit === this.replay.current);
    item.classList.toggle("pw-line", this.line.has(visit));
  }

  /** The text of a row. */
  words(visit) {
    const { story, looks, roots } = this.replay;
    const facts = story.visits[visit], look = looks.get(visit);
    const name = facts.parent !== null ? facts.move : roots.length > 1 ? `pass ${roots.indexOf(visit) + 1}` : "root";
    const parts = [facts.shape === "memo" ? `${facts.player}, from the memo` : facts.player ?? "leaf"];
    if (facts.way) parts.push(facts.way);
    const { above, below, bound } = labelsOf(facts, look, this.notation);
    if (bound) parts.push(bound);
    if (above && above !== facts.player) parts.push(above);
    if (below && look.value === undefined) parts.push(`now ${below}`);
    parts.push(look.value ?? "open");
    if (look.cut) parts.push(`✂ ${facts.left_out.map(({ move, value }) => move || `${value.slice(1)} moves`).join(" ")}`);  // "+7"
    return `${name}: ${parts.join(", ")}${this.line.has(visit) ? " ★" : ""}`;
  }

  focus(visit) {
    const item = this.rows.get(visit)?.item;
    item?.focus();
    item?.firstElementChild.scrollIntoView({ block: "nearest" });
  }

  /** Scroll the list to a visit, without scrolling the page. */
  reveal(visit) {
    const row = this.rows.get(visit)?.item.firstElementChild, box = this.list;
    if (!row) return;
    const at = row.getBoundingClientRect(), frame = box.getBoundingClientRect();
    if (at.top < frame.top) box.scrollTop += at.top - frame.top - 8;
    else if (at.bottom > frame.bottom) box.scrollTop += at.bottom - frame.bottom + 8;
  }

  key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const visit = Number(item.dataset.visit);
    const items = [...this.list.querySelectorAll("[role=treeitem]")];
    const at = items.indexOf(item);
    const go = (other) => other && this.choose(Number(other.dataset.visit));
    const open = item.getAttribute("aria-expanded");
    const keys = {
      ArrowDown: () => go(items[at + 1]),
      ArrowUp: () => go(items[at - 1]),
      Home: () => go(items[0]),
      End: () => go(items.at(-1)),
      ArrowRight: () => (open === "false" ? this.toggle(visit, true) : open === "true" && go(items[at + 1])),
      ArrowLeft: () => (open === "true" ? this.toggle(visit, false) : go(item.parentElement.closest("[role=treeitem]"))),
      Enter: () => this.choose(visit),
      " ": () => this.choose(visit),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }

  choose(visit) {
    this.pick(visit);
    this.focus(visit);
  }
}

function group(item) {
  const list = document.createElement("ul");
  list.setAttribute("role", "group");
  item.append(list);
  return list;
}

function set(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
