// The evaluation over the game, as a small SVG chart: one point per search, higher where Max is better.  A click shows the position.

import { counted, h, s } from "./dom.js";

const WIDTH = 400, HEIGHT = 90, PAD = 6;

/**
 * points: [{ply, value, text, verdict, judgement}]; scale: [low, high] or null; names: of Max and Min; plies: the length of the game;
 * at: the ply on the board; go(ply): shows another.
 */
export function chart(element, { points, scale, names, plies, at, go }) {
  const most = Math.max(1, ...points.map((point) => Math.abs(point.value)));
  const [low, high] = scale ?? [-most, most];
  const x = (ply) => PAD + (WIDTH - 2 * PAD) * (ply / Math.max(8, plies));
  const y = (value) => PAD + (HEIGHT - 2 * PAD) * (1 - (value - low) / (high - low));
  const path = points.map(({ ply, value }, index) => `${index ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const zero = y(Math.max(low, Math.min(high, 0)));
  const last = points.at(-1);
  const judged = points.filter(({ verdict }) => verdict).length;
  const heard = last ? `${counted(points.length, "evaluation")}, from ${points[0].text} to ${last.text}${judged ? `, ${counted(judged, "mistake")}` : ""}` : "no evaluation yet";
  const picture = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `Evaluation over the game: ${heard}` },
    s("line", { x1: 0, x2: WIDTH, y1: zero, y2: zero, class: "zero" }),
    s("line", { x1: x(at), x2: x(at), y1: 0, y2: HEIGHT, class: "at" }),
    points.length > 1 && s("path", { d: `${path}L${x(last.ply).toFixed(1)} ${zero}L${x(points[0].ply).toFixed(1)} ${zero}Z`, class: "area" }),
    points.length > 1 && s("path", { d: path, class: "curve" }),
    points.map(({ ply, value, text, verdict, judgement }) => s("circle", { cx: x(ply), cy: y(value), r: verdict ? 4 : 2.4, class: verdict ? "judged" : null },
      s("title", {}, verdict ? judgement : `Move ${ply + 1}: ${text}`))));
  picture.addEventListener("click", ({ clientX }) => {
    const { left, width } = picture.getBoundingClientRect();
    const ply = Math.round((((clientX - left) / width) * WIDTH - PAD) / (WIDTH - 2 * PAD) * Math.max(8, plies));
    go(Math.max(0, Math.min(plies, ply)));
  });
  element.replaceChildren(picture, h("p", { class: "row small soft ends" },
    h("span", {}, `↑ ${names[0]} is better`), names.length > 1 && h("span", {}, `↓ ${names[1]} is better`)));
}
