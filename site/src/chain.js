// The view of a chain of thought: each step with its verdict, and the proof of the first wrong one.

import { byId, h, show } from "./dom.js";
import { CHAINS } from "./examples.js";
import { Solver, unpack } from "./solver.js";
import { judged, spread, Timeline } from "./timeline.js";
import { Words } from "./words.js";

const { Graph } = globalThis.Hopcheck;

const MEANINGS = {
  restated: "the premise or an earlier step states it",
  follows: "it follows",
  contradicts: "the opposite follows",
  open: "the premise leaves it open",
  carried: "it follows from an earlier wrong step alone",
  withdrawn: "it is taken back",
  unread: "it was not read",
  none: "it states nothing",
};
const WAIT = 250;

export class ChainView {
  /**
   * @param readers of the page, for drawings
   * @param module a promise of the compiled clingo
   */
  constructor({ readers, module }) {
    Object.assign(this, { readers, module, revision: 0 });
    this.place = byId("view-chain");
  }

  opened() {
    if (!this.fields) this.#build();
    if (!this.solver) this.#start();
  }

  /** Show a chain; its steps are texts. */
  open({ premise, claim, steps, domain = "", spatial = "geometric", policy = "local" }) {
    if (!this.fields) this.#build();
    Object.entries({ premise, claim, steps: steps.join("\n"), domain, spatial, policy }).forEach(([name, value]) => {
      this.fields[name].value = value;
    });
    this.#edited();
  }

  #build() {
    const field = (name, label, element, hint) =>
      h("div", { class: "field" }, h("label", { for: element.id }, label), element, hint ? h("p", { class: "hint" }, hint) : null);
    const choice = (name, values) =>
      h("select", { id: `chain-${name}` }, values.map(([value, text]) => h("option", { value }, text)));
    this.fields = {
      premise: h("textarea", { id: "chain-premise", rows: 5, spellcheck: "false" }),
      claim: h("input", { id: "chain-claim", type: "text", spellcheck: "false", autocomplete: "off" }),
      steps: h("textarea", { id: "chain-steps", rows: 8, spellcheck: "false" }),
      domain: choice("domain", [["", "detected"], ["temporal", "events in time"], ["spatial", "places"], ["logical", "symbols"]]),
      spatial: choice("spatial", [["geometric", "western edge"], ["published", "eastern edge"]]),
      policy: choice("policy", ["local", "global", "published"].map((name) => [name, name])),
    };
    for (const element of Object.values(this.fields)) element.addEventListener("input", () => this.#edited());
    const examples = h("select", { id: "chain-example", onchange: () => this.open(CHAINS[examples.value]) },
      CHAINS.map(({ name }, number) => h("option", { value: number }, name)));
    const { premise, claim, steps, domain, spatial, policy } = this.fields;
    show(
      this.place,
      h("div", { class: "column" },
        h("section", { class: "card", "aria-labelledby": "chain-title" },
          h("h2", { id: "chain-title" }, "Chain of thought"),
          field("example", "Example", examples),
          field("premise", "Premise", premise),
          field("claim", "Claim", claim),
          field("steps", "Steps, one a line", steps, "The last one may give the answer: true, false or undefined."),
          h("div", { class: "settings" },
            field("domain", "Wording", domain), field("spatial", "Start of a place", spatial), field("policy", "Policy", policy)))),
      h("div", { class: "column" },
        h("section", { class: "card", "aria-labelledby": "chain-steps-title" },
          h("h2", { id: "chain-steps-title" }, "Verdicts"),
          h("div", { id: "chain-verdict", "aria-live": "polite" }))),
    );
    this.open(CHAINS[0]);
  }

  /** Start Python, once the page is there as a whole. */
  async #start() {
    const place = byId("chain-verdict");
    show(place, h("p", { class: "hint" }, "Starting Python, for some seconds…"));
    this.solver = new Promise((done) => {
      if (document.readyState === "loading") addEventListener("DOMContentLoaded", done);
      else done();
    }).then(async () => {
      if (!byId("python-worker")) throw new Error("this page has none; hopcheck explain --trace shows the same");
      const script = new TextDecoder().decode(await unpack("python-worker"));
      const values = Promise.all(["wasm", "library", "modules"].map((name) => unpack(`python-${name}`))).then(
        async ([wasm, library, modules]) => [await this.module, { wasm, library, modules }],
      );
      const solver = new Solver("the check of the chain", script, values);
      await solver.ready;
      return solver;
    });
    try {
      await this.solver;
      this.#decide();
    } catch (error) {
      show(place, h("p", { class: "error" }, `Python does not start here: ${error.message}`));
    }
  }

  #edited() {
    clearTimeout(this.timer);
    this.revision += 1;
    this.timer = setTimeout(() => this.#decide(), WAIT);
  }

  /** The chain as a line of a file. */
  #row() {
    const values = Object.fromEntries(Object.entries(this.fields).map(([name, { value }]) => [name, value]));
    const { premise, claim, steps, domain, spatial, policy } = values;
    const texts = steps.split("\n").filter((text) => text.trim());
    return { id: "playground", premise, claim, ...(domain ? { domain } : {}), spatial, policy, steps: texts.map((text) => ({ text })) };
  }

  async #decide() {
    if (!this.solver || this.deciding) return;
    const { revision } = this;
    this.deciding = true;
    const place = byId("chain-verdict");
    try {
      const found = await (await this.solver).ask("explain", JSON.stringify(this.#row()));
      if (revision !== this.revision) return;
      if (found.error === undefined) this.#show(place, found);
      else show(place, h("p", { class: "error" }, found.error));
    } catch (error) {
      if (revision === this.revision) show(place, h("p", { class: "error" }, error.message));
    } finally {
      this.deciding = false;
      if (revision !== this.revision) this.#decide();
      else document.documentElement.dataset.chain = String(revision);
    }
  }

  #show(place, { line, stated, proof, timelines, proved }) {
    const { first_error: first, verdict, supported, lucky } = line;
    const copied = h("textarea", { id: "chain-copied", rows: 3, readonly: true, hidden: true, "aria-label": "Copied text" });
    const copy = () => {
      navigator.clipboard?.writeText(JSON.stringify(line)).catch(() => {});
      copied.value = JSON.stringify(line);
      copied.hidden = false;
    };
    const wrong = () => [
      h("ul", { class: "reasons" }, proof.map((text) => h("li", {}, text))),
      this.#timelines(line, timelines),
    ];
    show(
      place,
      h("p", { class: "conclusion" },
        first < 0 ? "No step is wrong." : `Step ${first} is the first wrong one.`,
        ` The claim is ${verdict.status}, its label is ${verdict.label}; its status is ${supported}`,
        lucky ? "; the answer is right after an error." : "."),
      h("ol", { class: "chain", start: 0 }, line.steps.map((step, number) =>
        h("li", { class: step.verdict },
          h("span", { class: "step" }, step.text), " ",
          h("span", { class: "verdict", title: MEANINGS[step.verdict] }, step.verdict),
          step.statements.length
            ? h("ul", { class: "hint" }, stated[number].map((text, n) => h("li", {}, `${text} – ${MEANINGS[step.statements[n].verdict]}`)))
            : null,
          number === first ? wrong() : null))),
      h("p", { class: proved ? "ok" : "bad" },
        proved
          ? "✓ Both engines agree, and both checkers accept the certificate of each verdict."
          : "✗ The checker that is compiled from the proofs rejects the certificates."),
      h("div", { class: "actions" }, h("button", { type: "button", id: "chain-copy", onclick: copy }, "Copy as JSON")),
      copied,
      h("p", { class: "hint" }, "The JSON is a line that ", h("code", {}, "hopcheck check"), " reads."),
    );
    this.drawings?.forEach((draw) => draw());
  }

  /** Timelines that show why a step is wrong. */
  #timelines({ premise, claim, domain, spatial }, timelines) {
    this.drawings = [];
    if (!timelines.length) return null;
    const graph = new Graph(this.readers.read(premise, claim, { domain, spatial, names: [], phrases: [] }));
    const words = new Words(graph, spatial);
    return timelines.map(([name, instants]) => {
      const at = Object.fromEntries(instants);
      const points = graph.events.flatMap((event) => [at[`start of ${event}`], at[`end of ${event}`]]);
      const drawing = h("div", {});
      const result = h("p", { "aria-live": "polite" });
      const judge = (places) => {
        const { fits, parts } = judged(graph, words, places);
        result.className = fits ? "fits" : "error";
        show(result, parts);
      };
      this.drawings.push(() => {
        const timeline = new Timeline(drawing, judge);
        timeline.draw(graph, words, spread(points));
        judge(timeline.at);
      });
      return h("figure", {}, h("figcaption", {}, name[0].toUpperCase() + name.slice(1)), drawing, result);
    });
  }
}
