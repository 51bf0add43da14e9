// Runs the encodings in clingo: items as facts, shown atoms as verdicts.

import clingo from "clingo-wasm/clingo.js";

import { ORDERS } from "./sentences.js";

/** The exit statuses of a run that failed: out of memory, internal error, bad program. */
const FAILED = new Set([33, 65, 128]);

/** The most events of an item whose timelines are enumerated: the grounding is cubic. */
export const MOST_EVENTS = 12;

const ALLEN = [
  ...["precedes", "meets", "overlaps", "finished_by", "contains", "starts", "equals"],
  ...["started_by", "during", "finishes", "overlapped_by", "met_by", "preceded_by"],
];

/** The facts of an item, in the predicates that the headers of the encodings declare. */
export function facts(graph, index = 0) {
  const at = (point) => `at(${point >> 1},${point % 2 ? "end" : "start"})`;
  const { claim } = graph.item;
  const number = (name) => graph.events.indexOf(name);
  const lines = graph.events.map((_, event) => `event(${index},${event}).`);
  graph.relations.forEach(([p, sign, q], sentence) => {
    lines.push(`relation(${index},${sentence},${at(p)},${ORDERS[sign]},${at(q)}).`);
  });
  if (claim.order) {
    const side = ({ event, bound }) => `at(${number(event)},${bound})`;
    lines.push(`claim(${index},${claim.order},${side(claim.left)},${side(claim.right)}).`);
  } else {
    const relation = claim.relation.replace(/^allen_(.*)$/, "allen($1)");
    lines.push(`claim(${index},${relation},${number(claim.left)},${number(claim.right)}).`);
  }
  return lines.join("\n");
}

export class Engine {
  /**
   * @param module clingo as a compiled `WebAssembly.Module`
   * @param encodings texts of the programs by name
   */
  static async start(module, encodings) {
    const engine = new Engine();
    engine.encodings = encodings;
    engine.clingo = await clingo({
      print: (line) => engine.lines.push(line),
      printErr: (line) => engine.messages.push(line),
      instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
        return {};
      },
    });
    return engine;
  }

  /** Status, label and consistency of each item, given by the facts of all; in their order. */
  decide(texts, policy = "local") {
    const atoms = this.#run("claims", texts.join("\n"), 1, `-c policy=${policy}`);
    const verdicts = texts.map(() => ({ status: null, label: null, consistent: false }));
    for (const atom of atoms) {
      const [, name, index, value] = /^(\w+)\((\d+)(?:,(\w+))?\)$/.exec(atom);
      verdicts[index][name] = name === "consistent" ? true : value;
    }
    return verdicts;
  }

  /** The Allen relations that can hold between two events of an item, in Allen's order. */
  feasible(text, left, right, consistent) {
    const relaxed = consistent
      ? []
      : this.#run("cyclic_constraints", text, 0, "--enum-mode=cautious").map((atom) =>
          atom.replace("collapsed", "relaxed"),
        );
    const program = [text, ...relaxed.map((one) => `${one}.`), `query(0,${left},${right}).`];
    const atoms = this.#run("feasible", program.join("\n"), 0, "--enum-mode=brave");
    return ALLEN.filter((name) => atoms.includes(`related(0,${left},${right},${name})`));
  }

  /** The atoms of the last model of an encoding with facts: the only one, or all consequences. */
  #run(encoding, text, models, options) {
    return this.solve(`${this.encodings[encoding]}\n${text}`, `${options} ${models}`);
  }

  /** The atoms of the last model of a program. */
  solve(program, options) {
    this.lines = [];
    this.messages = [];
    const status = this.clingo.ccall("run", "number", ["string", "string"], [program, `--outf=2 ${options}`]);
    if (FAILED.has(status)) throw new Error(`clingo: ${this.messages.join(" ") || status}`);
    const witnesses = JSON.parse(this.lines.join("")).Call[0].Witnesses;
    if (!witnesses?.length) throw new Error("the encodings have no stable model");
    return witnesses.at(-1).Value;
  }
}
