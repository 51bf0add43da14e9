// Timelines: bars that can be dragged, with what the premise says about the new places.

import { h, s, shorten } from "./dom.js";

const ROW = 34;
const TOP = 26;
const LABEL = 150;
const NARROW_LABEL = 96;
const GAP = 2; // Grid units between neighbouring instants of a certificate.

/** Instants as small numbers: the same order, neighbours so many units apart. */
export function spread(at) {
  const places = [...new Set(at)].sort((p, q) => p - q);
  return at.map((instant) => GAP * places.indexOf(instant));
}

/** A timeline on which the premise and further needs hold, or null: components in their order. */
export function model(graph, needs) {
  const size = graph.size;
  const steps = graph.steps.flat().concat(
    needs.map(({ lower, strict, upper }) => ({ from: lower, to: upper, strict })),
  );
  // Longest paths by relaxation; what still grows after `size` rounds is on a cycle.
  const at = new Array(size).fill(0);
  for (let round = 0; round <= size; round += 1) {
    let grown = false;
    for (const { from, to, strict } of steps) {
      const least = at[from] + (strict ? 1 : 0);
      if (at[to] < least) {
        at[to] = least;
        grown = true;
      }
    }
    if (!grown) return at;
  }
  return null;
}

/** What does not hold on a timeline: numbers of relations, and events without duration. */
export function violations(graph, at) {
  const holds = {
    "<": (p, q) => at[p] < at[q],
    ">": (p, q) => at[p] > at[q],
    "=": (p, q) => at[p] === at[q],
    "<=": (p, q) => at[p] <= at[q],
    ">=": (p, q) => at[p] >= at[q],
  };
  const relations = graph.relations.flatMap(([p, sign, q], n) => (holds[sign](p, q) ? [] : [n]));
  const events = graph.events.flatMap((_, e) => (at[2 * e] < at[2 * e + 1] ? [] : [e]));
  return { relations, events };
}

export const claimHolds = (graph, at) =>
  graph.needs.every(({ lower, strict, upper }) =>
    strict ? at[lower] < at[upper] : at[lower] <= at[upper],
  );

export class Timeline {
  /**
   * @param element that contains the drawing
   * @param changed is called with the instants after each change
   */
  constructor(element, changed) {
    this.element = element;
    this.changed = changed;
  }

  draw(graph, words, at) {
    this.graph = graph;
    this.words = words;
    this.at = [...at];
    this.first = [...at];
    this.#render();
  }

  reset() {
    this.at = [...this.first];
    this.#render();
    this.changed(this.at);
  }

  #render() {
    const { graph } = this;
    const width = Math.max(this.element.clientWidth || 600, 280);
    this.label = width < 480 ? NARROW_LABEL : LABEL;
    this.low = Math.min(...this.at) - 2;
    this.high = Math.max(...this.at) + 2;
    this.unit = (width - this.label - 12) / (this.high - this.low);
    const height = TOP + ROW * graph.events.length + 6;
    this.bars = [];
    const focused = document.activeElement?.dataset?.handle;
    const svg = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "timeline" });
    for (let unit = this.low; unit <= this.high; unit += 1) {
      const x = this.#x(unit);
      svg.append(s("line", { class: "grid", x1: x, x2: x, y1: TOP - 8, y2: height - 4 }));
    }
    svg.append(s("text", { class: "axis", x: this.label, y: 12 }, "earlier"));
    svg.append(s("text", { class: "axis", x: width - 12, y: 12, "text-anchor": "end" }, "later"));
    graph.events.forEach((name, event) => svg.append(this.#row(name, event)));
    svg.addEventListener("pointerdown", (press) => this.#drag(press));
    this.svg = svg;
    this.element.replaceChildren(svg);
    this.#place();
    if (focused && this.element.dataset.refocus) {
      this.element.querySelector(`[data-handle="${focused}"]`)?.focus();
    }
  }

  #x(instant) {
    return this.label + (instant - this.low) * this.unit;
  }

  #row(name, event) {
    const y = TOP + ROW * event;
    const claimed = this.graph.claimed.some((p) => p >> 1 === event);
    const slider = (part, label) => ({
      class: `handle ${part}`,
      tabindex: 0,
      role: "slider",
      "aria-label": label,
      "data-handle": `${event} ${part}`,
      onkeydown: (key) => this.#key(key, event, part),
    });
    const letters = Math.floor(this.label / 7.2) - 1;
    const title = s("title", {}, name);
    const bar = {
      row: s("g", { class: claimed ? "event claimed" : "event" }),
      text: s("text", { x: 4, y: y + 19, class: "name" }, shorten(name, letters), title),
      body: s("rect", { y: y + 6, height: 18, rx: 3, ...slider("body", `${name}, both points`) }),
      start: s("rect", { y: y + 2, width: 10, height: 26, rx: 3, ...slider("start", this.words.point(2 * event)) }),
      end: s("rect", { y: y + 2, width: 10, height: 26, rx: 3, ...slider("end", this.words.point(2 * event + 1)) }),
    };
    bar.row.append(bar.text, bar.body, bar.start, bar.end);
    this.bars.push(bar);
    return bar.row;
  }

  /** Put the bars where their instants are, and mark those that the premise does not allow. */
  #place() {
    const wrong = violations(this.graph, this.at);
    this.bars.forEach(({ row, body, start, end }, event) => {
      const [from, to] = [this.at[2 * event], this.at[2 * event + 1]];
      const [left, right] = [this.#x(Math.min(from, to)), this.#x(Math.max(from, to))];
      body.setAttribute("x", left);
      body.setAttribute("width", Math.max(right - left, 2));
      start.setAttribute("x", this.#x(from) - 2);
      end.setAttribute("x", this.#x(to) - 8);
      for (const [handle, instant] of [[start, from], [end, to], [body, from]]) {
        handle.setAttribute("aria-valuenow", instant);
        handle.setAttribute("aria-valuemin", this.low);
        handle.setAttribute("aria-valuemax", this.high);
      }
      const bad = wrong.relations.some((n) => {
        const [p, , q] = this.graph.relations[n];
        return p >> 1 === event || q >> 1 === event;
      });
      row.classList.toggle("wrong", bad || wrong.events.includes(event));
    });
  }

  #points(event, part) {
    return { start: [2 * event], end: [2 * event + 1], body: [2 * event, 2 * event + 1] }[part];
  }

  #move(points, by) {
    if (!by) return;
    for (const p of points) this.at[p] += by;
    this.#place();
    this.changed(this.at);
  }

  #key(press, event, part) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }[press.key];
    if (!by) return;
    press.preventDefault();
    this.#move(this.#points(event, part), by);
    const moved = this.#points(event, part).map((p) => this.at[p]);
    if (Math.min(...moved) <= this.low || Math.max(...moved) >= this.high) {
      this.element.dataset.refocus = "1";
      this.#render();
      delete this.element.dataset.refocus;
    }
  }

  #drag(press) {
    const handle = press.target.closest?.("[data-handle]");
    if (!handle) return;
    press.preventDefault();
    handle.focus({ preventScroll: true });
    const [event, part] = handle.dataset.handle.split(" ");
    const points = this.#points(Number(event), part);
    const begin = points.map((p) => this.at[p]);
    const move = (now) => {
      const by = Math.round((now.clientX - press.clientX) / this.unit);
      this.#move(points, begin[0] + by - this.at[points[0]]);
    };
    const stop = () => {
      this.svg.removeEventListener("pointermove", move);
      this.svg.removeEventListener("pointerup", stop);
      this.svg.removeEventListener("pointercancel", stop);
      this.#render();
    };
    this.svg.setPointerCapture(press.pointerId);
    this.svg.addEventListener("pointermove", move);
    this.svg.addEventListener("pointerup", stop);
    this.svg.addEventListener("pointercancel", stop);
  }
}

/** In words, what the premise says about a timeline. */
export function judged(graph, words, at) {
  const { relations, events } = violations(graph, at);
  if (!relations.length && !events.length) {
    const holds = claimHolds(graph, at);
    return {
      fits: true,
      parts: [
        h("strong", {}, "The premise allows this timeline. "),
        `On it the claim ${holds ? "holds" : "does not hold"}.`,
      ],
    };
  }
  const broken = relations.map((n) => `sentence ${n + 1} (${words.relation(graph.relations[n])})`);
  const empty = events.map((e) => `${graph.events[e]} would end no later than it starts`);
  return {
    fits: false,
    parts: [
      h("strong", {}, "The premise does not allow this timeline: "),
      [...broken, ...empty].slice(0, 4).join("; "),
      broken.length + empty.length > 4 ? ` and ${broken.length + empty.length - 4} more` : "",
    ],
  };
}
