// The page: its state, what a change of it leads to, and the views.

import { ChainView } from "./chain.js";
import { byId, h, show } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { ItemView } from "./item.js";
import { Quiz } from "./quiz.js";
import { ReportView } from "./report.js";
import { decode } from "./share.js";
import { Solver, solving, unpack } from "./solver.js";

const { Readers } = globalThis.Hopcheck;

const tables = JSON.parse(byId("tables").textContent);
const module = unpack("wasm").then(WebAssembly.compile);
const start = module.then((compiled) => [compiled, tables.encodings]);
const background = () => new Solver("clingo", solving(byId("core").textContent), start);
const solver = background();
const readers = new Readers(tables);
const item = new ItemView({ readers, solver, background });
const chain = new ChainView({ readers, module });
const quiz = new Quiz({ readers, solver, open: openItem });
const report = new ReportView({ readers, open: openItem, openChain });

const VIEWS = { item, chain, quiz, report };

function openView(name) {
  for (const one of Object.keys(VIEWS)) {
    byId(`view-${one}`).hidden = one !== name;
    byId(`nav-${one}`).toggleAttribute("aria-current", false);
  }
  byId(`nav-${name}`).setAttribute("aria-current", "page");
  document.title = name === "item" ? "hopcheck playground" : `${name} – hopcheck playground`;
  VIEWS[name].opened();
}

function openItem(values) {
  openView("item");
  item.open(values);
  byId("main").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function openChain(values) {
  chain.open(values);
  openView("chain");
  byId("main").focus({ preventScroll: true });
  scrollTo(0, 0);
}

for (const name of Object.keys(VIEWS)) byId(`nav-${name}`).addEventListener("click", () => openView(name));

const examples = byId("example");
EXAMPLES.forEach(({ group, items }, i) => {
  const options = items.map(({ name }, j) => h("option", { value: `${i} ${j}` }, name));
  examples.append(h("optgroup", { label: group }, options));
});
examples.append(h("option", { value: "", hidden: true }, "your own"));
examples.addEventListener("change", () => {
  const [i, j] = examples.value.split(" ");
  item.open({ ...EXAMPLES[i].items[j], kept: true });
});

async function fromLink() {
  if (!location.hash.startsWith("#i=")) return false;
  const values = await decode(location.hash);
  if (values) openItem(values);
  else show(byId("verdict"), h("p", { class: "error" }, "The link is damaged: it holds no item."));
  return true;
}

addEventListener("hashchange", fromLink);
fromLink().then((found) => {
  if (!found) item.open({ ...EXAMPLES[0].items[0], kept: true });
});
solver.ready.catch((error) => {
  show(byId("verdict"), h("p", { class: "error" }, `clingo does not start here: ${error.message}`));
});
