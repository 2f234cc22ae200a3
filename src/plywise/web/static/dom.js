// Making elements in one line: h("button", { class: "primary", onclick: go }, "Go"), and the same for SVG: s("circle", { r: 3 }).

function made(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value; // as an attribute, the page's policy forbids it
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(tag, properties = {}, ...children) {
  return made(document.createElement(tag), properties, children);
}

/** What to say when an address asks for something that is not there, and what was opened instead. */
export function noSuch(kind, asked, opened) {
  return `There is no ${kind} “${asked}” here: ${opened} was opened instead.`;
}

/** Let somebody keep a file. */
export function save(content, type, name) {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function s(tag, properties = {}, ...children) {
  return made(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}
