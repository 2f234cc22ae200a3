// The evaluation over the game, as a small SVG chart: one point per search, higher where Max is better.

import { h, s } from "./dom.js";

const WIDTH = 400, HEIGHT = 90, PAD = 6;

/** points: [{ply, value, text}]; scale: [low, high] or null; names: of Max and Min; plies: the length of the game. */
export function chart(element, { points, scale, names, plies }) {
  const most = Math.max(1, ...points.map((point) => Math.abs(point.value)));
  const [low, high] = scale ?? [-most, most];
  const x = (ply) => PAD + (WIDTH - 2 * PAD) * (ply / Math.max(8, plies));
  const y = (value) => PAD + (HEIGHT - 2 * PAD) * (1 - (value - low) / (high - low));
  const path = points.map(({ ply, value }, index) => `${index ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const zero = y(Math.max(low, Math.min(high, 0)));
  const last = points.at(-1);
  const heard = last ? `${points.length} evaluations, from ${points[0].text} to ${last.text}` : "no evaluation yet";
  element.replaceChildren(
    s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `Evaluation over the game: ${heard}` },
      s("line", { x1: 0, x2: WIDTH, y1: zero, y2: zero, class: "zero" }),
      points.length > 1 && s("path", { d: `${path}L${x(last.ply).toFixed(1)} ${zero}L${x(points[0].ply).toFixed(1)} ${zero}Z`, class: "area" }),
      points.length > 1 && s("path", { d: path, class: "curve" }),
      points.map(({ ply, value, text }) => s("circle", { cx: x(ply), cy: y(value), r: 2.4 },
        s("title", {}, `Move ${ply + 1}: ${text}`)))),
    h("p", { class: "row small soft ends" },
      h("span", {}, `↑ ${names[0]} is better`), names.length > 1 && h("span", {}, `↓ ${names[1]} is better`)));
}
