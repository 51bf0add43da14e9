// Ten items: guess the label, then see the proof. The items are random, and clingo gives the labels.

import { byId, h, show } from "./dom.js";
import { STATUS, Words } from "./words.js";

const { certify, facts, Graph } = globalThis.Hopcheck;

const NAMES = [
  ...["Lantern Parade", "Winter Market", "Harbour Opening", "Copper Regatta", "Miller's Feast"],
  ...["Cherry Tasting", "Ferry Strike", "Glass Fair", "Night Run", "Poetry Hour", "Book Sale"],
];
const CLAIMS = ["happens before", "happens after", "overlaps with"];
const LABELS = ["true", "false", "undefined"];
const ITEMS = 10;
const POOL = 60;

const draw = (count) => Math.floor(Math.random() * count);
const choose = (values) => values[draw(values.length)];

function shuffled(values) {
  const mixed = [...values];
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const j = draw(i + 1);
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed;
}

/** A random item about four or five events; half of the premises are told from a timeline. */
function randomItem(literals) {
  const events = shuffled(NAMES).slice(0, 4 + draw(2));
  const starts = events.map(() => draw(6));
  const ends = starts.map((start) => start + 1 + draw(3));
  const honest = Math.random() < 0.5;
  const sentences = Array.from({ length: 4 + draw(3) }, () => {
    const [a, b] = shuffled(events.keys()).slice(0, 2);
    const [p, q] = [draw(2), draw(2)];
    const [left, right] = [p ? ends[a] : starts[a], q ? ends[b] : starts[b]];
    let order = left === right ? "SIMULTANEOUS" : left < right ? "BEFORE" : "AFTER";
    if (!honest && Math.random() < 0.4) order = choose(["BEFORE", "AFTER", "SIMULTANEOUS"]);
    const phrase = choose(literals[order]).replace(/ the$/, "");
    return `The ${p ? "end" : "start"} of ${events[a]} ${phrase} the ${q ? "end" : "start"} of ${events[b]}`;
  });
  const [a, b] = shuffled(events).slice(0, 2);
  return { premise: sentences.join(". "), claim: `${a} ${choose(CLAIMS)} ${b}`, sentences };
}

export class Quiz {
  constructor({ readers, solver, open }) {
    Object.assign(this, { readers, solver, openItem: open });
    this.place = byId("view-quiz");
  }

  async opened() {
    if (this.items) return;
    show(this.place, h("p", { class: "hint" }, "Making ten items…"));
    try {
      this.items = await this.#make();
    } catch (error) {
      show(this.place, h("p", { class: "error" }, error.message));
      return;
    }
    this.at = 0;
    this.right = 0;
    this.#ask();
  }

  /** Ten items in random order, as evenly over the labels as ten can be. */
  async #make() {
    const { literals } = this.readers.tables.domains.temporal;
    const wanted = { true: 3, false: 4, undefined: 3 };
    const kept = [];
    for (let round = 0; round < 20 && kept.length < ITEMS; round += 1) {
      const some = Array.from({ length: POOL }, () => randomItem(literals));
      const graphs = some.map(({ premise, claim }) => new Graph(this.readers.read(premise, claim)));
      const verdicts = await this.solver.ask("decide", graphs.map((one, n) => facts(one, n)));
      some.forEach((item, n) => {
        if (!wanted[verdicts[n].label]) return;
        wanted[verdicts[n].label] -= 1;
        kept.push({ ...item, graph: graphs[n], verdict: verdicts[n] });
      });
    }
    return shuffled(kept);
  }

  #ask() {
    const item = this.items[this.at];
    const words = new Words(item.graph, "geometric");
    show(
      this.place,
      h("section", { class: "card quiz", "aria-labelledby": "quiz-title" },
        h("h2", { id: "quiz-title", tabindex: -1 }, `Item ${this.at + 1} of ${this.items.length}`),
        h("ol", {}, item.sentences.map((one) => h("li", {}, `${one}.`))),
        h("p", {}, h("strong", {}, `Claim: ${item.claim}.`)),
        h("p", { class: "hint" },
          "true: the premise forces the claim; undefined: the premise contradicts itself about the claim; ",
          "false: anything else. Meeting counts as before."),
        h("div", { class: "answers", role: "group", "aria-label": "Label" },
          LABELS.map((label) => h("button", { type: "button", "data-answer": label, onclick: () => this.#answer(label, words) }, label))),
        h("div", { id: "quiz-result", role: "status" })),
    );
    byId("quiz-title").focus();
  }

  #answer(guess, words) {
    const item = this.items[this.at];
    const { graph, verdict } = item;
    const right = guess === verdict.label;
    this.right += right ? 1 : 0;
    for (const button of this.place.querySelectorAll("[data-answer]")) {
      button.disabled = true;
      if (button.dataset.answer === verdict.label) button.classList.add("main");
    }
    const found = certify(graph, verdict);
    const walks = found.cycle && !found.walks.length ? [found.cycle] : found.walks;
    const last = this.at + 1 === this.items.length;
    show(
      byId("quiz-result"),
      h("p", { class: right ? "ok" : "bad" },
        `${right ? "✓ Right" : `✗ Not ${guess}`}: the label is ${verdict.label}. ${STATUS[verdict.status]}`),
      walks.map((walk) => h("ol", { class: "steps" }, walk.steps.map((step) => {
        const { text, reason } = words.step(step);
        return h("li", {}, `${text} `, h("span", { class: "reason" }, `– ${reason}`));
      }))),
      h("div", { class: "actions" },
        h("button", { type: "button", class: "main", id: "quiz-next", onclick: () => this.#next() }, last ? "Result" : "Next item"),
        h("button", { type: "button", onclick: () => this.openItem(item) }, "Open this item")),
    );
    byId("quiz-next").focus();
  }

  #next() {
    this.at += 1;
    if (this.at < this.items.length) {
      this.#ask();
      return;
    }
    const again = () => {
      this.items = null;
      this.opened();
    };
    show(
      this.place,
      h("section", { class: "card quiz" },
        h("h2", { id: "quiz-title", tabindex: -1 }, "Result"),
        h("p", {}, h("strong", {}, `${this.right} of ${this.items.length} labels were right.`)),
        h("button", { type: "button", class: "main", id: "quiz-again", onclick: again }, "Ten other items")),
    );
    byId("quiz-title").focus();
  }
}
