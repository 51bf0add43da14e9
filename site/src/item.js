// The view of one item: its texts, its verdict, the proof and the drawings.

import { byId, h, s, show } from "./dom.js";
import { network, stepMark } from "./network.js";
import { encode } from "./share.js";
import { judged, model, spread, Timeline } from "./timeline.js";
import { FAULT_WORDS, POLICIES, STATUS, Words } from "./words.js";

const { causes, certify, checkRow, components, facts, NotProvedError } = globalThis.Hopcheck;
const { Graph, loadPhrases, MOST_EVENTS, PhraseError, publishedLabel, ReadError, row } = globalThis.Hopcheck;

export class ItemView {
  constructor({ readers, solver, background }) {
    this.readers = readers;
    this.solver = solver;
    this.makeBackground = background;
    this.revision = 0;
    this.omitted = new Set();
    this.policy = "local";
    this.fields = Object.fromEntries(
      ["premise", "claim", "domain", "spatial", "names", "phrases"].map((name) => [name, byId(name)]),
    );
    this.fields.premise.addEventListener("input", () => {
      this.omitted.clear();
      this.#edited();
    });
    for (const name of ["claim", "domain", "spatial", "names", "phrases"]) {
      this.fields[name].addEventListener("input", () => this.#edited());
    }
    byId("phrases-file").addEventListener("change", async ({ target }) => {
      if (!target.files.length) return;
      this.fields.phrases.value = await target.files[0].text();
      target.value = "";
      this.#edited();
    });
    this.timeline = new Timeline(byId("timeline"), (at) => this.#judge(at));
    byId("timeline-reset").addEventListener("click", () => this.timeline.reset());
    let width = innerWidth;
    addEventListener("resize", () => {
      if (width === innerWidth || !this.result) return;
      width = innerWidth;
      this.#grow();
      this.#drawTimeline();
    });
  }

  opened() {
    if (this.result) this.#drawTimeline();
  }

  /** Show an item; `kept` keeps the choice of an example. */
  open({ premise, claim, domain = "", spatial = "geometric", policy = "local", names = [], phrases = "", kept = false }) {
    this.fields.premise.value = premise;
    this.fields.names.value = names.join("\n");
    if (names.length) byId("names-field").open = true;
    this.fields.phrases.value = phrases;
    if (phrases) byId("phrases-field").open = true;
    this.fields.claim.value = claim;
    this.fields.domain.value = domain;
    this.fields.spatial.value = spatial;
    this.policy = policy;
    this.omitted.clear();
    this.before = null;
    if (!kept) byId("example").value = "";
    this.#update();
  }

  #edited() {
    byId("example").value = "";
    this.#update();
  }

  /** The texts as they are decided, without the sentences that are left out. */
  #texts() {
    const { premise, claim, spatial, names } = this.fields;
    const text = premise.value;
    const kept = (this.omitted.size ? this.sentences : [])
      .filter((_, number) => !this.omitted.has(number))
      .map(({ from, to }) => text.slice(from, to));
    return {
      premise: this.omitted.size ? kept.join(". ") : text,
      claim: claim.value,
      domain: this.domain,
      spatial: spatial.value,
      policy: this.policy,
      names: names.value.split("\n").map((name) => name.trim()).filter(Boolean),
      phrases: this.phrases,
    };
  }

  /** The phrase file, if there is one that passes its tests. */
  #phraseFile() {
    const text = this.fields.phrases.value;
    let message = "";
    this.phrases = [];
    try {
      const files = text.trim() ? [loadPhrases(text)] : [];
      for (const file of files) this.readers.wordings(files, file.domain, this.fields.spatial.value);
      this.phrases = files;
    } catch (error) {
      if (!(error instanceof PhraseError)) throw error;
      message = error.message;
      byId("phrases-field").open = true;
    }
    this.fields.phrases.setAttribute("aria-invalid", String(Boolean(message)));
    byId("phrases-error").hidden = !message;
    byId("phrases-error").textContent = message;
  }

  #read() {
    const texts = this.#texts();
    const item = this.readers.read(texts.premise, texts.claim, texts);
    return { texts: { ...texts, phrases: this.readers.used(texts) }, item };
  }

  #update() {
    this.revision += 1;
    this.started = performance.now();
    const { premise, claim, domain, spatial } = this.fields;
    this.#phraseFile();
    this.domain = domain.value || this.readers.detect(premise.value, claim.value, this.phrases);
    const names = { temporal: "events in time", spatial: "places", logical: "symbols" };
    domain.options[0].text = `detected: ${names[this.domain]}`;
    byId("spatial-field").hidden = this.domain !== "spatial";
    this.#grow();
    try {
      const { texts, item } = this.#read();
      if (!this.omitted.size) this.sentences = sentencesOf(item);
      this.#fault(null);
      this.graph = new Graph(item);
      this.words = new Words(this.graph, texts.spatial);
      this.texts = texts;
      this.#listSentences();
      // For each relation the number of its sentence: those that are read are those that are kept.
      const kept = this.sentences.map((_, n) => n).filter((n) => !this.omitted.has(n));
      this.kept = sentencesOf(item).flatMap(({ relations }, n) => new Array(relations).fill(kept[n]));
      this.words.sentence = (relation) => this.kept[relation] + 1;
      this.#decide();
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      this.#fault(error);
      // A pronoun may have lost its antecedent: the sentences can be put back.
      if (this.omitted.size) this.#listSentences();
    }
  }

  /** The text area is as high as its text, up to a limit. */
  #grow() {
    const { premise } = this.fields;
    premise.style.height = "auto";
    premise.style.height = `${Math.min(premise.scrollHeight + 2, 420)}px`;
  }

  #fault(error) {
    for (const part of ["premise", "claim"]) {
      const place = byId(`${part}-error`);
      const here = error?.part === part;
      this.fields[part].setAttribute("aria-invalid", String(here));
      place.hidden = !here;
      if (!here) continue;
      const { code, line, column, found, expected, hint, position } = error;
      if (code === "unlicensed-words") byId("names-field").open = true;
      const go = () => {
        this.fields[part].focus();
        this.fields[part].setSelectionRange(position, this.fields[part].value.length);
      };
      show(
        place,
        `Line ${line}, column ${column}: found ${found}, expected ${expected}.`,
        hint ? ` (${hint.replace("with --names", "below")})` : "",
        h("button", { type: "button", onclick: go }, "Go there"),
      );
    }
    if (error) {
      this.result = null;
      show(byId("verdict"), h("p", { class: "hint" }, `No verdict: the ${error.part} cannot be read.`));
      for (const id of ["policies", "certificate"]) show(byId(id));
      if (error.part === "premise") show(byId("sentences"), h("li", {}, "The premise cannot be read."));
    }
    for (const card of ["proof", "timeline", "graph", "feasible"]) byId(`${card}-card`).hidden = Boolean(error);
  }

  // --- The verdict ---

  async #decide() {
    // One question at a time: while clingo works, only the newest item waits.
    this.pending = true;
    if (this.deciding) return;
    this.deciding = true;
    while (this.pending) {
      this.pending = false;
      const { graph, revision, policy } = this;
      const logical = policy === "published" ? "local" : policy;
      try {
        const [verdict] = await this.solver.ask("decide", [facts(graph)], logical);
        if (revision === this.revision) this.#decided(graph, verdict, logical);
      } catch (error) {
        if (revision === this.revision) {
          show(byId("verdict"), h("p", { class: "error" }, error.message));
        }
      }
    }
    this.deciding = false;
  }

  #decided(graph, verdict, policy) {
    const labels = { local: null, global: null, published: publishedLabel(graph) };
    labels[policy] = verdict.label;
    const { status, consistent } = verdict;
    const found = certify(graph, verdict);
    const label = this.policy === "published" ? labels.published : verdict.label;
    this.result = { graph, verdict: { status, consistent, label }, labels, found };
    this.#check();
    this.#showVerdict();
    this.#showPolicies();
    this.#showCertificate();
    this.#showProof();
    this.#drawTimeline();
    this.#background(policy === "local" ? "global" : "local");
  }

  #row() {
    const { graph, verdict } = this.result;
    return row({ id: "playground", ...this.texts }, graph, verdict);
  }

  #check() {
    try {
      const line = this.#row();
      if (line.verdict.label === null) line.verdict.label = "undefined";
      this.result.read = checkRow(line, this.readers);
      this.result.rejected = null;
    } catch (error) {
      this.result.rejected = error instanceof NotProvedError ? null : error.message;
    }
  }

  #showVerdict() {
    const { verdict, found } = this.result;
    const { status, consistent, label } = verdict;
    const now = `${label ?? "no label"} (${status})`;
    const changed = this.before && this.before !== now;
    const hops = found.hops === null ? "none" : String(found.hops);
    const fact = (name, value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
    show(
      byId("verdict"),
      h("p", {},
        h("span", { class: `label ${label ?? "undefined"}` }, label ?? "none"),
        h("strong", {}, STATUS[status])),
      h("p", { class: "read" }, "Claim: ", h("q", {}, this.words.claim())),
      h("dl", { class: "facts" },
        fact("Status", status),
        fact("Premise", consistent ? "consistent" : "inconsistent"),
        fact("Hops", hops),
        fact("Time", `${Math.round(performance.now() - this.started)} ms`)),
      changed ? h("p", { class: "changed" }, `Before your change: ${this.before}.`) : null,
    );
    this.before = now;
    document.documentElement.dataset.revision = String(this.revision);
    document.documentElement.dataset.milliseconds = String(performance.now() - this.started);
  }

  #showPolicies() {
    const { labels, graph, verdict } = this.result;
    const wrong = causes(graph, labels.local ?? (verdict.status === "contradictory" ? "undefined" : String(verdict.status === "entailed")));
    const choose = (policy) => () => {
      this.policy = policy;
      this.#update();
    };
    const reason = (policy) => {
      if (policy !== "published" || !wrong) return POLICIES[policy];
      return [`a wrong label, by ${wrong.length > 1 ? "faults" : "the fault"} of the procedure: `,
        wrong.map((one, i) => [i ? "; " : "", h("strong", {}, one), ` – ${FAULT_WORDS[one]}`])];
    };
    const focused = document.activeElement?.name === "policy";
    show(
      byId("policies"),
      h("table", {},
        h("caption", { class: "visually-hidden", hidden: true }, "Labels by policy"),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Policy"), h("th", { scope: "col" }, "Label"), h("th", { scope: "col" }, "Meaning"))),
        h("tbody", {}, Object.keys(labels).map((policy) =>
          h("tr", {},
            h("th", { scope: "row" },
              h("label", {}, h("input", { type: "radio", name: "policy", value: policy, checked: policy === this.policy, onchange: choose(policy) }), policy)),
            h("td", {}, this.#label(labels[policy], policy)),
            h("td", { class: "hint" }, reason(policy)))))),
    );
    if (focused) byId("policies").querySelector(`[value="${this.policy}"]`).focus();
  }

  #label(label, policy) {
    if (label === null) return policy === "published" ? "none" : "…";
    return h("span", { class: `label small ${label}` }, label);
  }

  #showCertificate() {
    const { rejected, read } = this.result;
    const state = h("span", { role: "status", class: "hint" });
    const copy = async (text, what) => {
      try {
        await navigator.clipboard.writeText(text);
        state.textContent = `${what} copied.`;
      } catch {
        state.textContent = `Copying is not allowed here; ${what} is below.`;
      }
      output.value = text;
      output.hidden = false;
    };
    const output = h("textarea", { rows: 3, readonly: true, hidden: true, "aria-label": "Copied text", id: "copied" });
    const link = async () => {
      const hash = await encode({ ...this.texts, domain: this.fields.domain.value, phraseText: this.fields.phrases.value });
      const url = `${location.href.split("#")[0]}${hash}`;
      history.replaceState(null, "", hash);
      copy(url, "Link");
    };
    show(
      byId("certificate"),
      h("p", { class: rejected === null ? "ok" : "bad" },
        rejected === null
          ? `✓ The certificate of this verdict was checked on this page${read ? ", and the texts were read by the proved reader" : ""}.`
          : `✗ The certificate was rejected: ${rejected}`),
      h("div", { class: "actions" },
        h("button", { type: "button", id: "copy-json", onclick: () => copy(JSON.stringify(this.#row()), "JSON") }, "Copy as JSON"),
        h("button", { type: "button", id: "copy-link", onclick: link }, "Copy link"),
        state),
      output,
      h("p", { class: "hint" }, "The JSON is a line that ", h("code", {}, "hopcheck check"), " reads."),
    );
  }

  // --- The sentences ---

  #listSentences() {
    const text = this.fields.premise.value;
    const focused = document.activeElement?.dataset?.sentence;
    show(
      byId("sentences"),
      this.sentences.map(({ from, to }, number) => {
        const out = this.omitted.has(number);
        const toggle = () => {
          if (out) this.omitted.delete(number);
          else this.omitted.add(number);
          this.#update();
        };
        const id = `sentence-${number}`;
        return h("li", { class: out ? "out" : "", "data-number": number },
          h("input", { type: "checkbox", id, checked: !out, onchange: toggle, "data-sentence": number }),
          h("label", { for: id }, `${number + 1}. ${text.slice(from, to)}`));
      }),
    );
    if (!this.sentences.length) show(byId("sentences"), h("li", {}, "The premise is empty."));
    if (focused) byId(`sentence-${focused}`)?.focus();
  }

  // --- The proof ---

  #showProof() {
    const { graph, verdict, found } = this.result;
    const { words } = this;
    const chains = [];
    const goals = verdict.status === "refuted" ? graph.opposites : graph.needs;
    for (const walk of found.walks) {
      const last = walk.steps.at(-1)?.to ?? walk.first;
      const goal = goals.find((one) => one.lower === walk.first && one.upper === last);
      chains.push({
        steps: walk.steps,
        end: walk.steps.length
          ? `So ${words.need(goal)}.`
          : `${words.point(walk.first)} and ${words.point(last)} are the same point.`,
      });
    }
    const cycle = found.cycle && {
      steps: found.cycle.steps,
      end: `So ${words.point(found.cycle.first)} would be before itself.`,
    };
    if (verdict.status === "contradictory") chains.push(cycle);
    const about = chains.length;
    if (found.cycle && !chains.includes(cycle)) {
      chains.push({ ...cycle, title: "A contradiction elsewhere in the premise" });
    }
    const steps = chains.flatMap((chain) => chain.steps);
    this.current = null;
    const list = chains.map(({ title, steps: some, end }) => [
      title ? h("h3", {}, title) : null,
      h("ol", { class: "steps" }, some.map((step) => {
        const { text, reason } = this.#step(step);
        return h("li", {}, `${text} `, h("span", { class: "reason" }, `– ${reason}`));
      })),
      h("p", { class: "conclusion" }, end),
    ]);
    const conclusion = {
      entailed: "Hence the claim follows.",
      refuted: "Hence the opposite of the claim follows.",
      contradictory: "No timeline orders the points of the claim.",
      unknown: verdict.consistent
        ? "No chain of sentences settles the claim. On one timeline of the premise it holds, on another it does not: see below."
        : "No chain of sentences settles the claim.",
    }[verdict.status];
    const walkThrough = steps.length
      ? h("div", { class: "actions" },
          h("button", { type: "button", id: "step-back", onclick: () => this.#go(-1) }, "Back"),
          h("button", { type: "button", id: "step-next", onclick: () => this.#go(1) }, "Next step"),
          h("button", { type: "button", id: "step-all", onclick: () => this.#go(null) }, "All steps"),
          h("span", { class: "hint", id: "step-number", role: "status" }))
      : null;
    list.splice(about, 0, h("p", {}, conclusion));
    show(byId("proof"), walkThrough, list);
    const drawing = network(graph, words, components(graph));
    show(byId("graph"), drawing);
    this.steps = steps;
    this.#highlight();
  }

  #step(step) {
    const { text, reason } = this.words.step(step);
    return { text, reason: step.relation === null ? reason : `sentence ${this.words.sentence(step.relation)}` };
  }

  #go(by) {
    const count = this.steps.length;
    if (by === null) this.current = null;
    else if (this.current === null) this.current = by > 0 ? 0 : count - 1;
    else this.current = Math.min(Math.max(this.current + by, 0), count - 1);
    this.#highlight();
  }

  #highlight() {
    const { current, steps } = this;
    const shown = current === null ? steps : steps.slice(0, current + 1);
    const used = new Set(shown.map(stepMark));
    const now = current === null ? null : stepMark(steps[current]);
    for (const path of byId("graph").querySelectorAll("[data-step]")) {
      path.classList.toggle("used", used.has(path.dataset.step));
      path.classList.toggle("current", path.dataset.step === now);
    }
    byId("proof").querySelectorAll(".steps li").forEach((line, number) => {
      line.classList.toggle("current", number === current);
      line.classList.toggle("ahead", current !== null && number > current);
    });
    const sentences = new Set(shown.filter((one) => one.relation !== null).map((one) => this.kept[one.relation]));
    const here = current === null ? null : steps[current].relation;
    for (const line of byId("sentences").children) {
      const number = Number(line.dataset.number);
      line.classList.toggle("used", sentences.has(number));
      line.classList.toggle("current", here !== null && number === this.kept[here]);
    }
    const place = byId("step-number");
    if (place) place.textContent = current === null ? "" : `Step ${current + 1} of ${steps.length}`;
  }

  // --- The timeline ---

  #drawTimeline() {
    const { graph, verdict, found } = this.result;
    const choices = [];
    if (verdict.consistent) {
      const holds = model(graph, graph.needs);
      const fails = graph.opposites.map((one) => model(graph, [one])).find(Boolean);
      if (holds) choices.push(["The claim holds", holds]);
      if (fails) choices.push(["The claim does not hold", fails]);
    }
    if (!choices.length) choices.push(["", found.timelines[0] ?? components(graph)]);
    const draw = (number) => {
      this.timeline.draw(graph, this.words, spread(choices[number][1]));
      this.#judge(this.timeline.at);
      byId("timeline-choice").querySelectorAll("button").forEach((one, n) => {
        one.setAttribute("aria-pressed", String(n === number));
      });
    };
    show(
      byId("timeline-choice"),
      choices.length > 1
        ? h("div", { class: "choice", role: "group", "aria-label": "Timelines of the premise" },
            choices.map(([name], number) => h("button", { type: "button", onclick: () => draw(number) }, name)))
        : verdict.consistent
          ? null
          : h("p", { class: "hint" }, "No timeline fits the whole premise; points on a contradiction coincide here."),
    );
    draw(0);
  }

  #judge(at) {
    const { fits, parts } = judged(this.graph, this.words, at);
    const place = byId("timeline-judged");
    place.className = fits ? "fits" : "error";
    show(place, parts);
  }

  // --- What may come later ---

  async #background(other) {
    const revision = this.revision;
    const { graph, verdict, labels } = this.result;
    this.behind ??= this.makeBackground();
    const text = facts(graph);
    const current = () => revision === this.revision && this.result;
    try {
      const [second] = await this.behind.ask("decide", [text], other);
      if (!current()) return;
      labels[other] = second.label;
      this.#showPolicies();
    } catch (error) {
      if (current()) show(byId("feasible"), h("p", { class: "error" }, error.message));
      return;
    }
    const { claim } = graph.item;
    if (claim.order || claim.left === claim.right) {
      show(byId("feasible"), h("p", { class: "hint" }, "The claim is not about two events."));
    } else if (graph.events.length > MOST_EVENTS) {
      show(byId("feasible"), h("p", { class: "hint" },
        `Timelines are enumerated for at most ${MOST_EVENTS} events; this item has ${graph.events.length}.`));
    } else {
      const sides = [claim.left, claim.right].map((name) => graph.events.indexOf(name));
      try {
        const found = await this.behind.ask("feasible", text, ...sides, verdict.consistent);
        if (current()) this.#showFeasible(found, claim, verdict.consistent);
      } catch (error) {
        if (current()) show(byId("feasible"), h("p", { class: "error" }, error.message));
      }
    }
  }

  #showFeasible(found, claim, consistent) {
    const count = found.length;
    show(
      byId("feasible"),
      h("p", {}, `${count} of Allen's thirteen relations can hold from ${claim.left} to ${claim.right}`,
        consistent ? "." : " if the sentences on contradictions are relaxed."),
      h("ul", { class: "allen" }, Object.entries(ALLEN).map(([name, [a, b, c, d]]) => {
        const possible = found.includes(name);
        return h("li", { class: possible ? "possible" : "" },
          name.replaceAll("_", " "),
          h("span", { class: "hint" }, possible ? "" : " (no)"),
          s("svg", { width: 100, height: 16, "aria-hidden": "true" },
            s("rect", { x: 2 + 16 * a, y: 1, width: 16 * (b - a), height: 5 }),
            s("rect", { x: 2 + 16 * c, y: 9, width: 16 * (d - c), height: 5 })));
      })),
    );
  }
}

/** The sentences of an item, each with its place in the text and the number of its relations. */
function sentencesOf({ premise }) {
  const found = [];
  for (const { from, to } of premise) {
    if (found.at(-1)?.from === from) found.at(-1).relations += 1;
    else found.push({ from, to, relations: 1 });
  }
  return found;
}

/** A picture of each relation: start and end of the two events. */
const ALLEN = {
  precedes: [0, 2, 3, 5],
  meets: [0, 3, 3, 6],
  overlaps: [0, 4, 2, 6],
  finished_by: [0, 6, 2, 6],
  contains: [0, 6, 2, 4],
  starts: [0, 3, 0, 6],
  equals: [0, 6, 0, 6],
  started_by: [0, 6, 0, 3],
  during: [2, 4, 0, 6],
  finishes: [3, 6, 0, 6],
  overlapped_by: [2, 6, 0, 4],
  met_by: [3, 6, 0, 3],
  preceded_by: [3, 5, 0, 2],
};
