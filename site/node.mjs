// The reader, the engine and the checker of the page in node, for tests and campaigns:
//   node site/node.mjs FOLDER read|decide|check < LINES > ANSWERS
// A line is an item { premise, claim, domain?, spatial?, names?, policy?, phrases? } as JSON, with phrase
// files as certificates have them, or as text with `phrases` alone; for `check` it is a line
// of items.jsonl. There is an answer for each line, in the same order.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

const BATCH = 64;
const [folder, mode] = process.argv.slice(2);
const file = (name) => readFileSync(join(folder, name), "utf8");
const core = new Function("require", `${file("core.js")}; return Hopcheck;`)(createRequire(import.meta.url));
const tables = JSON.parse(file("tables.json"));
const readers = new core.Readers(tables);
const engine =
  mode === "decide"
    ? await core.Engine.start(
        await WebAssembly.compile(readFileSync(join(folder, "clingo.wasm"))),
        tables.encodings,
      )
    : null;

function read(line) {
  const { premise, claim, domain, ...settings } = JSON.parse(line);
  try {
    settings.phrases = settings.phrases?.map((file) => (typeof file === "string" ? core.loadPhrases(file) : file));
    return { item: readers.read(premise, claim, { domain: domain ?? undefined, ...settings }) };
  } catch (error) {
    if (error instanceof core.PhraseError) return { refused: error.message };
    if (!(error instanceof core.ReadError)) throw error;
    const { part, line: row, column, message, hint } = error;
    return { error: { part, line: row, column, message, hint } };
  }
}

function check(line) {
  try {
    return { reason: null, read: core.checkRow(core.parseLine(line), readers) };
  } catch (error) {
    if (!(error instanceof core.RejectedError)) throw error;
    return { reason: error.message };
  }
}

function decide(lines) {
  const rows = lines.map((line) => ({ policy: "local", ...JSON.parse(line) }));
  const answers = lines.map(read);
  for (const policy of ["local", "global"]) {
    const asked = answers
      .map(({ item }, index) => ({ index, graph: item && new core.Graph(item) }))
      .filter(({ index, graph }) => graph && rows[index].policy === policy);
    if (!asked.length) continue;
    const texts = asked.map(({ graph }, number) => core.facts(graph, number));
    engine.decide(texts, policy).forEach((verdict, number) => {
      const { index, graph } = asked[number];
      const local = verdict.status === "contradictory" ? "undefined" : String(verdict.status === "entailed");
      answers[index] = {
        ...core.row(rows[index], graph, verdict),
        published: core.publishedLabel(graph),
        causes: core.causes(graph, local),
      };
    });
  }
  return answers;
}

let waiting = [];
const write = (answers) => process.stdout.write(answers.map((one) => `${JSON.stringify(one)}\n`).join(""));
function flush() {
  if (!waiting.length) return;
  write(mode === "decide" ? decide(waiting) : waiting.map(mode === "read" ? read : check));
  waiting = [];
}
for await (const line of createInterface({ input: process.stdin })) {
  waiting.push(line);
  if (waiting.length === BATCH) flush();
}
flush();
