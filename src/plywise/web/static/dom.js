// Make an element in one line: h("button", { class: "primary", onclick: go }, "Go"), or for SVG: s("circle", { r: 3 }).

const LONGEST = 8192;  // the most pixels of a picture in either direction

function made(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value; // the page's content security policy forbids the attribute
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(tag, properties = {}, ...children) {
  return made(document.createElement(tag), properties, children);
}

/** Change a text that is read out, if it is another one. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The notice for a link that names something missing, and what is shown instead. */
export function noSuch(kind, asked, opened) {
  return `There is no ${kind} “${asked}” here. Showing ${opened} instead.`;
}

/** A number of things: "1 move", "2 moves", "3 inaccuracies". */
export function counted(number, thing) {
  return `${number} ${number === 1 ? thing : thing.endsWith("y") ? `${thing.slice(0, -1)}ies` : `${thing}s`}`;
}

/** Download a file. */
export function save(content, type, name) {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The text of an SVG file as a PNG file, light, at twice its size or as large as a canvas can be. */
export async function pngOf(svg) {
  const light = svg.replaceAll("@media (prefers-color-scheme:dark)", "@media not all");
  const address = URL.createObjectURL(new Blob([light], { type: "image/svg+xml" }));
  const picture = new Image();
  try {
    picture.src = address;
    await picture.decode();
    const scale = Math.min(2, LONGEST / picture.width, LONGEST / picture.height);
    const canvas = h("canvas", { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  } finally {
    URL.revokeObjectURL(address);
  }
}

export function s(tag, properties = {}, ...children) {
  return made(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}
