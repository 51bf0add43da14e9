// The graph of a premise: a row for each event, a column for each instant, an arrow for each sentence.

import { s, shorten } from "./dom.js";

const ROW = 44;
const COLUMN = 52;
const TOP = 20;
const LABEL = 132;

/**
 * Draw a graph.
 * @param at instants that no step leads back from; points of one instant are on one cycle, or equal
 * @returns the drawing; its paths have data-step "relation n" or "duration e"
 */
export function network(graph, words, at) {
  const columns = layout(graph, at);
  const width = LABEL + COLUMN * (Math.max(...columns) + 1);
  const height = TOP + ROW * graph.events.length;
  const x = (p) => LABEL + COLUMN * columns[p] + COLUMN / 2;
  const y = (p) => TOP + ROW * (p >> 1) + ROW / 2;
  const svg = s("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    class: "network",
    role: "img",
    "aria-label": `Graph of ${graph.relations.length} sentences about ${graph.events.length} events`,
  });
  const arrow = s("marker", {
    id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerUnits: "userSpaceOnUse", markerWidth: 9,
    markerHeight: 9, orient: "auto",
  });
  arrow.append(s("path", { d: "M0 0L8 4L0 8z" }));
  svg.append(s("defs", {}, arrow));
  graph.events.forEach((name, event) => {
    const [p, q] = [2 * event, 2 * event + 1];
    const claimed = graph.claimed.some((one) => one >> 1 === event);
    svg.append(
      s("text", { x: 4, y: y(p) + 5, class: claimed ? "name claimed" : "name" },
        shorten(name, 17), s("title", {}, name)),
      s("path", { d: `M${x(p)} ${y(p)}H${x(q)}`, class: "duration", "data-step": `duration ${event}` }),
    );
  });
  graph.relations.forEach(([p, sign, q], n) => {
    const [from, to] = sign[0] === ">" ? [q, p] : [p, q];
    const path = s("path", {
      d: curve(x(from), y(from), x(to), y(to), n),
      class: sign.includes("=") ? "relation equal" : "relation",
      "marker-end": sign === "=" ? null : "url(#arrow)",
      "data-step": `relation ${n}`,
    });
    path.append(s("title", {}, `${n + 1}. ${words.relation(graph.relations[n])}`));
    svg.append(path);
  });
  for (let p = 0; p < graph.size; p += 1) {
    const classes = graph.claimed.includes(p) ? "point claimed" : "point";
    const node = s("g", { class: classes, "data-point": p });
    const start = p % 2 === 0;
    node.append(
      start
        ? s("path", { d: `M${x(p) + 5} ${y(p) - 9}H${x(p) - 4}V${y(p) + 9}H${x(p) + 5}` })
        : s("path", { d: `M${x(p) - 5} ${y(p) - 9}H${x(p) + 4}V${y(p) + 9}H${x(p) - 5}` }),
      s("circle", { cx: x(p), cy: y(p), r: 4 }),
      s("title", {}, words.point(p)),
    );
    svg.append(node);
  }
  return svg;
}

/** Columns from left to right; the two points of an event never share one. */
function layout(graph, at) {
  const columns = new Array(graph.size);
  let column = 0;
  for (const instant of [...new Set(at)].sort((p, q) => p - q)) {
    const here = at.flatMap((one, p) => (one === instant ? [p] : []));
    const twice = here.some((p) => p % 2 === 0 && at[p + 1] === instant);
    for (const p of here) columns[p] = column + (twice && p % 2 === 1 ? 1 : 0);
    column += twice ? 2 : 1;
  }
  return columns;
}

/** A curve that leaves the rows of other events readable. */
function curve(x1, y1, x2, y2, n) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const size = Math.hypot(dx, dy) || 1;
  if (size === 1) return `M${x1} ${y1 - 6}C${x1 - 26} ${y1 - 38} ${x1 + 26} ${y1 - 38} ${x1 + 2} ${y1 - 7}`;
  // Both ends stay off the points; sentences about the same points bend differently.
  const [ux, uy] = [dx / size, dy / size];
  const bend = dy === 0 ? 20 + 4 * (n % 3) : 8 + 5 * (n % 3);
  const [cx, cy] = [(x1 + x2) / 2 + uy * bend, (y1 + y2) / 2 - ux * bend];
  const off = 8;
  const start = towards(x1, y1, cx, cy, off);
  const end = towards(x2, y2, cx, cy, off);
  return `M${start}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${end}`;
}

function towards(x, y, cx, cy, off) {
  const size = Math.hypot(cx - x, cy - y) || 1;
  return `${(x + ((cx - x) / size) * off).toFixed(1)} ${(y + ((cy - y) / size) * off).toFixed(1)}`;
}

/** The mark of a step in the drawing. */
export const stepMark = ({ from, relation }) =>
  relation === null ? `duration ${from >> 1}` : `relation ${relation}`;
