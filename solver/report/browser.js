// Lists, filters and draws the findings of a report. docs/report.md describes the data block.
"use strict";

(() => {
  const SPARE = 8; // rows kept outside the visible part
  const MOST_EVENTS = 16; // of a drawing
  const MOST_NAMED = 12; // events of a timeline in words
  const ORDERS = ["before", "after", "simultaneous with", "at or before", "at or after"];
  const STEPS = ["simultaneous with", "before", "at or before"];
  const SVG = "http://www.w3.org/2000/svg";

  // Texts of a file are only ever added as text, never parsed as markup.
  function make(tag, name, ...children) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...children);
    return element;
  }

  function shape(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const isolated = (text) => make("bdi", "", text);
  const plain = (number) => number.toLocaleString("en");
  const counted = (number, noun) => `${plain(number)} ${noun}${number === 1 ? "" : "s"}`;

  // ---- the proof of an item in words, as `explain` prints it ----

  const pointName = (proof, point) =>
    `${point % 2 ? "end" : "start"} of ${proof.events[point >> 1]}`;

  function stepInWords(proof, [source, target, kind, sentence]) {
    const reason = sentence ? `sentence ${sentence}` : "each event lasts";
    const order = STEPS[kind];
    return `${pointName(proof, source)} ${order} ${pointName(proof, target)} (${reason})`;
  }

  function walkInWords(proof, walk, first) {
    const lines = walk.map((step, place) => `${first + place}. ${stepInWords(proof, step)}`);
    if (walk.length > 1) {
      const kinds = walk.map((step) => step[2]);
      const order = STEPS[[1, 2].find((kind) => kinds.includes(kind)) ?? 0];
      const ends = [walk[0][0], walk[walk.length - 1][1]].map((point) => pointName(proof, point));
      lines.push(`So ${ends[0]} ${order} ${ends[1]}.`);
    }
    return lines;
  }

  function timelineInWords(proof, times) {
    const spans = proof.events.slice(0, MOST_NAMED).map((name, event) => {
      const known = [times[2 * event], times[2 * event + 1]].filter((time) => time !== null);
      if (known.length === 2) return `${name} ${known[0]} to ${known[1]}`;
      return known.length ? `${name} at ${known[0]}` : name;
    });
    const more = proof.events.length - MOST_NAMED;
    return spans.join(", ") + (more > 0 ? ` and ${counted(more, "more event")}` : "");
  }

  function elsewhereInWords(proof) {
    if (!proof.elsewhere.length) return [];
    const where = "on the timeline, that is one instant:";
    const steps = proof.elsewhere.map((step, at) => `${at + 1}. ${stepInWords(proof, step)}`);
    return [`The premise contradicts itself elsewhere; ${where}`, ...steps];
  }

  function sentencesInWords(numbers) {
    if (numbers.length === 1) return `sentence ${numbers[0]} alone`;
    return `sentences ${numbers.slice(0, -1).join(", ")} and ${numbers[numbers.length - 1]}`;
  }

  function cycleInWords(proof) {
    const [forward, backward] = proof.walks;
    const lines = walkInWords(proof, forward, 1);
    if (!backward.length) return [...lines, "No timeline puts a point before itself."];
    lines.push("But also:", ...walkInWords(proof, backward, forward.length + 1));
    lines.push("No timeline has both.");
    if (proof.core.length) {
      const core = sentencesInWords(proof.core);
      lines.push(`The conflict is among ${core}; dropping any one ends it.`);
    }
    return lines;
  }

  function inWords(proof) {
    if (proof.kind === "cycle") return cycleInWords(proof);
    if (proof.kind === "timelines") {
      const fit = proof.consistent ? "" : " apart from its contradiction";
      return [
        `Two timelines fit the premise${fit}:`,
        `In the first the claim holds: ${timelineInWords(proof, proof.times[0])}.`,
        `In the second it does not: ${timelineInWords(proof, proof.times[1])}.`,
        ...elsewhereInWords(proof),
      ];
    }
    const lines = [];
    let number = 1;
    for (const walk of proof.walks) {
      lines.push(...walkInWords(proof, walk, number));
      number += walk.length;
    }
    const holds = proof.status === "entailed" ? "holds" : "cannot hold";
    lines.push(`Hence “${proof.asks}” ${holds}.`);
    const apart = timelineInWords(proof, proof.times[0]);
    lines.push(`No contradiction: this timeline keeps the points apart: ${apart}.`);
    return [...lines, ...elsewhereInWords(proof)];
  }

  // ---- the proof of an item as a drawing ----

  const NAME = 15, BAR = 10, ROW = 44, PAD = 14, WIDEST = 150;

  // Columns for the points of a contradiction: no timeline exists, so they follow the walk.
  function columnsOfCycle(proof) {
    const columns = new Array(2 * proof.events.length).fill(null);
    let column = 0;
    for (const [source, target, kind] of proof.walks.flat()) {
      columns[source] ??= column;
      columns[target] ??= columns[source] + (kind ? 1 : 0);
      column = columns[target];
    }
    return columns;
  }

  function drawTimeline(proof, times, walks, { width, numbered }) {
    const touched = new Set(walks.flat().flatMap(([source, target]) => [source >> 1, target >> 1]));
    for (let event = 0; event < proof.claimed; event++) touched.add(event);
    const all = proof.events.map((_, event) => event);
    let events = walks.length ? all.filter((event) => touched.has(event)) : all;
    events = events.slice(0, MOST_EVENTS);
    const first = (event) => times[2 * event] ?? times[2 * event + 1] ?? Infinity;
    if (walks.length) events = events.sort((a, b) => first(a) - first(b) || a - b);
    const known = events.flatMap((event) => [times[2 * event], times[2 * event + 1]])
      .filter((time) => time !== null);
    const least = Math.min(...known), range = Math.max(...known) - least || 1;
    const unit = Math.min(WIDEST, (width - 2 * PAD - 30) / range);
    const x = (time) => PAD + 15 + (time - least) * unit;
    const y = (event) => events.indexOf(event) * ROW + NAME + BAR;
    const height = events.length * ROW + (numbered ? 22 : 8);
    const size = { viewBox: `0 0 ${width} ${height}`, width, height };
    const svg = shape("svg", { ...size, class: "timeline", role: "img" });
    if (numbered) {
      for (const time of new Set(known)) {
        const line = { x1: x(time), x2: x(time), y1: 0, y2: height - 18, class: "instant" };
        svg.append(shape("line", line));
        svg.append(shape("text", { x: x(time), y: height - 5, class: "number" }, String(time)));
      }
    }
    for (const event of events) svg.append(...drawEvent(proof, event, times, x, y(event), width));
    for (const [number, walk] of walks.entries()) {
      for (const step of walk) svg.append(...drawStep(step, times, x, y, number));
    }
    return { svg, leftOut: proof.events.length - events.length };
  }

  function drawEvent(proof, event, times, x, y, width) {
    const role = event < proof.claimed ? ["left", "right"][event] : "other";
    const [start, end] = [times[2 * event], times[2 * event + 1]];
    const most = Math.floor((width - 2 * PAD) / 7);
    const full = proof.events[event];
    const name = full.length > most ? `${full.slice(0, most - 1)}…` : full;
    const label = shape("text", { x: PAD, y: y - BAR - 1, class: `name ${role}` }, name);
    label.append(shape("title", {}, full));
    const bar = (from, to, more = "") => shape("rect", {
      x: Math.min(from, to), y: y - BAR / 2, height: BAR, class: `event ${role}${more}`,
      width: Math.max(Math.abs(to - from), 3),
    });
    if (start !== null && end !== null) {
      return [label, bar(x(start), x(end), end < start ? " impossible" : "")];
    }
    if (start !== null) return [label, bar(x(start), x(start) + 24, " open")];
    return end === null ? [label] : [label, bar(x(end) - 24, x(end), " open")];
  }

  function drawStep([source, target, step, sentence], times, x, y, number) {
    const [x1, y1] = [x(times[source]), y(source >> 1)];
    const [x2, y2] = [x(times[target]), y(target >> 1)];
    const back = x2 < x1 || (x2 === x1 && y1 === y2);
    const weak = step === 2, strict = step > 0;
    const kind = `${step === 1 ? "step" : "same"}${back ? " back" : ""} walk-${number % 3}`;
    const reach = back ? 46 : Math.max((x2 - x1) / 2, 0);
    const lift = y1 === y2 && sentence ? 20 : 0;
    const [a, b] = strict || back ? [reach, reach] : [0, 0];
    const curve = `M${x1} ${y1}C${x1 + a} ${y1 - lift} ${x2 - b} ${y2 - lift} ${x2} ${y2}`;
    const drawn = [shape("path", { d: curve, class: kind })];
    if (weak || !strict) drawn.push(shape("path", { d: curve, class: "gap" }));
    if (strict) {
      const head = `M${x2} ${y2}l-8 -4.5v9z`;
      drawn.push(shape("path", { d: head, class: `head${back ? " back" : ""}` }));
    }
    for (const [cx, cy] of [[x1, y1], [x2, y2]]) {
      drawn.push(shape("circle", { cx, cy, r: 3.5, class: "point" }));
    }
    if (sentence) {
      const [t, u] = back ? [0.25, 0.75] : [0.5, 0.5];
      const weights = [u ** 3, 3 * u * u * t, 3 * u * t * t, t ** 3];
      const along = (...ends) => ends.reduce((sum, end, n) => sum + end * weights[n], 0);
      const [cx, cy] = [along(x1, x1 + a, x2 - b, x2), along(y1, y1 - lift, y2 - lift, y2)];
      const wide = 8 + 3.5 * String(sentence).length;
      const place = { x: cx - wide, y: cy - 9, width: 2 * wide, height: 18, rx: 9 };
      const box = { ...place, class: `badge${back ? " back" : ""}` };
      drawn.push(shape("rect", box));
      drawn.push(shape("text", { x: cx, y: cy + 4, class: "number" }, String(sentence)));
    }
    return drawn;
  }

  function draw(proof, width) {
    const parts = [];
    const add = (title, times, walks, numbered) => {
      const { svg, leftOut } = drawTimeline(proof, times, walks, { width, numbered });
      svg.setAttribute("aria-label", title);
      parts.push(make("figure", "", make("figcaption", "", title), svg));
      if (leftOut > 0) {
        const text = `And ${counted(leftOut, "more event")}, not drawn.`;
        parts.push(make("p", "note", text));
      }
    };
    if (proof.kind === "cycle") {
      add("The arrows lead from a point back to itself", columnsOfCycle(proof), proof.walks, false);
    } else if (proof.kind === "timelines") {
      add("The claim holds", proof.times[0], [], true);
      add("The claim does not hold", proof.times[1], [], true);
    } else {
      add("The proof, on a timeline that fits the premise", proof.times[0], proof.walks, false);
    }
    return parts;
  }

  // ---- one finding in full ----

  function sentenceList(proof) {
    const used = new Set(proof.walks.flat().map((step) => step[3]));
    const items = proof.premise.map(([left, order, right], place) => {
      const text = `${pointName(proof, left)} ${ORDERS[order]} ${pointName(proof, right)}`;
      return make("li", used.has(place + 1) ? "used" : "", isolated(text));
    });
    return make("ol", "sentences", ...items);
  }

  function describe(proof, width) {
    const hops = proof.hops === null ? "" : `, ${counted(proof.hops, "hop")}`;
    return [
      sentenceList(proof),
      make("h3", "", `Why it is ${proof.label}: ${proof.status}${hops}`),
      make("ul", "words", ...inWords(proof).map((line) => make("li", "", isolated(line)))),
      make("div", "timelines", ...draw(proof, width)),
    ];
  }

  // ---- the table ----

  class Browser {
    constructor(host, columns, proofs) {
      this.host = host;
      this.columns = columns;
      this.proofs = proofs; // lines of JSON, parsed when needed
      this.size = columns[0].values.length;
      this.chosen = {}; // name of a column -> number of the choice
      this.words = [];
      this.found = columns[0].values.map((_, row) => row);
      this.at = 0; // place of the selected row among the found ones
      this.opened = null;
      this.keys = this.makeKeys();
      this.build();
      this.readAddress();
      addEventListener("hashchange", () => this.readAddress());
      addEventListener("resize", () => {
        this.measure();
        this.show();
        if (this.opened !== null) this.open(this.opened);
      });
    }

    // Where a finding is; the second one of the same place is `place~2`.
    makeKeys() {
      const seen = new Map();
      return this.columns[0].values.map((place) => {
        seen.set(place, (seen.get(place) ?? 0) + 1);
        return seen.get(place) > 1 ? `${place}~${seen.get(place)}` : String(place);
      });
    }

    choices(column, row) {
      const value = column.values[row];
      return Array.isArray(value) ? value : [value];
    }

    text(column, row) {
      if (!column.choices) return String(column.values[row]);
      return this.choices(column, row).map((choice) => column.choices[choice]).join(", ");
    }

    // For each row, whether one of its cells has the word, in any case.
    having(word) {
      const pattern = new RegExp(word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "iu");
      const found = new Uint8Array(this.size);
      for (const column of this.columns) {
        const has = column.choices?.map((choice) => pattern.test(choice));
        if (has && !has.includes(true)) continue;
        for (let row = 0; row < this.size; row++) {
          found[row] ||= has
            ? this.choices(column, row).some((choice) => has[choice])
            : pattern.test(column.values[row]);
        }
      }
      return found;
    }

    build() {
      this.search = make("input", "");
      Object.assign(this.search, { type: "search", spellcheck: false });
      this.search.placeholder = 'Search words or "a phrase"';
      this.search.setAttribute("aria-label", "Search texts");
      this.search.addEventListener("input", () => this.changed());
      this.selects = new Map();
      const filters = make("div", "filters", this.search);
      for (const column of this.columns.filter((one) => one.choices && one.choices.length > 1)) {
        const select = make("select", "");
        select.setAttribute("aria-label", column.title);
        select.append(new Option(`${column.title}: all`, ""));
        column.choices.forEach((name, choice) => select.append(new Option(name, choice)));
        select.addEventListener("change", () => this.changed());
        this.selects.set(column, select);
        filters.append(select);
      }
      this.clear = make("button", "", "Clear");
      this.clear.type = "button";
      this.clear.addEventListener("click", () => this.reset());
      filters.append(this.clear);
      this.count = make("p", "count");
      this.count.setAttribute("role", "status");
      this.shown = this.columns.filter((column) => column.width !== undefined);
      this.head = make("div", "line head");
      const title = (column) => make("span", column.minor ? "minor" : "", column.title);
      this.head.append(...this.shown.map(title));
      this.space = make("div", "space");
      this.grid = make("div", "rows", this.space);
      this.grid.tabIndex = 0;
      this.grid.setAttribute("role", "listbox");
      this.grid.setAttribute("aria-label", "Findings");
      this.grid.addEventListener("scroll", () => this.show());
      this.grid.addEventListener("keydown", (event) => this.pressed(event));
      this.space.addEventListener("click", (event) => {
        const line = event.target.closest("[data-at]");
        if (line) this.select(Number(line.dataset.at), true);
      });
      this.article = make("article", "opened");
      this.article.tabIndex = -1;
      const share = ({ width }) => `minmax(0, ${width || 30}fr)`;
      const widths = (columns) => columns.map(share).join(" ");
      this.host.style.setProperty("--columns", widths(this.shown));
      this.host.style.setProperty("--major", widths(this.shown.filter((column) => !column.minor)));
      const table = make("div", "table", this.head, this.grid);
      this.host.replaceChildren(filters, this.count, table, this.article);
      document.addEventListener("keydown", (event) => {
        if (event.key !== "/" || event.target.closest("input, select, textarea")) return;
        event.preventDefault();
        this.search.focus();
      });
      this.measure();
    }

    measure() {
      this.rowHeight = parseFloat(getComputedStyle(this.host).getPropertyValue("--row")) || 34;
    }

    // ---- filters and the address ----

    changed() {
      for (const [column, select] of this.selects) {
        if (select.value === "") delete this.chosen[column.name];
        else this.chosen[column.name] = Number(select.value);
      }
      // Words, or phrases between quotes; all of them have to occur.
      const words = this.search.value.match(/"[^"]*"?|[^\s"]+/g) ?? [];
      this.words = words.map((word) => word.replaceAll('"', "")).filter(Boolean);
      this.close();
      this.filter();
    }

    reset() {
      this.search.value = "";
      for (const select of this.selects.values()) select.value = "";
      this.changed();
    }

    filter() {
      const active = this.columns.filter((column) => column.name in this.chosen);
      const fits = (column, row) => this.choices(column, row).includes(this.chosen[column.name]);
      const having = this.words.map((word) => this.having(word));
      const matching = [];
      for (let row = 0; row < this.size; row++) {
        if (having.every((found) => found[row])) matching.push(row);
      }
      this.found = matching.filter((row) => active.every((column) => fits(column, row)));
      // What each choice would leave, given the search and the other filters.
      for (const [column, select] of this.selects) {
        const others = active.filter((one) => one !== column);
        const counts = new Array(column.choices.length).fill(0);
        for (const row of matching) {
          if (!others.every((one) => fits(one, row))) continue;
          for (const choice of this.choices(column, row)) counts[choice]++;
        }
        counts.forEach((number, choice) => {
          select.options[choice + 1].textContent = `${column.choices[choice]} (${plain(number)})`;
        });
      }
      const all = counted(this.size, "finding");
      const some = `${plain(this.found.length)} of ${all}`;
      const part = this.found.length === this.size ? all : some;
      this.count.textContent = this.found.length ? part : `No finding matches (0 of ${all}).`;
      this.clear.hidden = !this.words.length && !active.length;
      this.at = 0;
      this.grid.scrollTop = 0;
      this.show();
      this.writeAddress();
    }

    writeAddress() {
      const parts = new URLSearchParams();
      if (this.search.value.trim()) parts.set("q", this.search.value.trim());
      for (const [column] of this.selects) {
        const choice = this.chosen[column.name];
        if (choice !== undefined) parts.set(column.name, column.choices[choice]);
      }
      if (this.opened !== null) parts.set("open", this.keys[this.opened]);
      const address = parts.toString();
      if (address !== location.hash.slice(1) && (address || location.hash.includes("="))) {
        history.replaceState(null, "", `#${address}`);
      }
    }

    readAddress() {
      const parts = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
      this.search.value = parts.get("q") ?? "";
      for (const [column, select] of this.selects) {
        const choice = column.choices.indexOf(parts.get(column.name));
        select.value = choice < 0 ? "" : choice;
      }
      const key = parts.get("open");
      this.changed();
      if (key === null) return;
      const place = this.found.indexOf(this.keys.indexOf(key));
      if (place >= 0) this.select(place, true);
      else this.count.textContent += ` There is no finding ${key} among them.`;
    }

    // ---- rows ----

    show() {
      const height = this.found.length * this.rowHeight;
      this.space.style.height = `${height}px`;
      const top = Math.max(Math.floor(this.grid.scrollTop / this.rowHeight) - SPARE, 0);
      const shown = Math.ceil(this.grid.clientHeight / this.rowHeight);
      const end = Math.min(top + shown + 2 * SPARE, this.found.length);
      const lines = [];
      for (let at = top; at < end; at++) lines.push(this.line(at));
      this.space.replaceChildren(...lines);
      const active = this.found.length ? `finding-${this.at}` : "";
      this.grid.setAttribute("aria-activedescendant", active);
    }

    line(at) {
      const row = this.found[at];
      const line = make("div", "line");
      for (const column of this.shown) {
        const cell = make("span", column.minor ? "minor" : "", isolated(this.text(column, row)));
        cell.title = this.text(column, row);
        if (column.mark) cell.classList.add("marked");
        line.append(cell);
      }
      line.id = `finding-${at}`;
      line.dataset.at = at;
      line.setAttribute("role", "option");
      line.setAttribute("aria-selected", String(at === this.at));
      line.setAttribute("aria-setsize", this.found.length);
      line.setAttribute("aria-posinset", at + 1);
      if (row === this.opened) line.classList.add("open");
      line.style.top = `${at * this.rowHeight}px`;
      return line;
    }

    select(at, open) {
      if (!this.found.length) return;
      this.at = Math.min(Math.max(at, 0), this.found.length - 1);
      const top = this.at * this.rowHeight, { scrollTop, clientHeight } = this.grid;
      const below = top + this.rowHeight - clientHeight;
      if (top < scrollTop) this.grid.scrollTop = top;
      else if (below > scrollTop) this.grid.scrollTop = below;
      if (open || this.opened !== null) this.open(this.found[this.at]);
      this.show();
    }

    open(row) {
      this.opened = row;
      const width = Math.max(Math.min(this.host.clientWidth - 34, 720), 240);
      const parts = [make("h3", "", isolated(this.text(this.columns[0], row)))];
      const facts = make("dl", "facts");
      for (const column of this.columns.slice(1)) {
        const text = this.text(column, row);
        if (column.long && text) parts.push(make("p", "text", isolated(text)));
        else if (text) facts.append(make("dt", "", column.title), make("dd", "", isolated(text)));
      }
      parts.splice(1, 0, facts);
      const proof = JSON.parse(this.proofs[row] || "null");
      if (proof) parts.push(...describe(proof, width));
      this.article.replaceChildren(...parts);
      this.writeAddress();
    }

    close() {
      this.opened = null;
      this.article.replaceChildren();
    }

    pressed(event) {
      const page = Math.max(Math.floor(this.grid.clientHeight / this.rowHeight) - 1, 1);
      const moves = {
        ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
      };
      if (event.key in moves) this.select(this.at + moves[event.key], false);
      else if (event.key === "Enter" || event.key === " ") this.select(this.at, true);
      else if (event.key === "Escape") { this.close(); this.show(); this.writeAddress(); }
      else return;
      event.preventDefault();
    }
  }

  const columns = JSON.parse(document.getElementById("findings-columns").textContent);
  const proofs = document.getElementById("findings-proofs").textContent.trim().split("\n");
  new Browser(document.getElementById("findings"), columns, proofs);
})();
