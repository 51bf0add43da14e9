// What the page, its worker and the tests share: reader, engine, certificates, checker.

export { certify, components, cost, row, written } from "./certificate.js";
export { checkRow, NotProvedError, parseLine, RejectedError } from "./check.js";
export { Engine, facts, MOST_EVENTS } from "./engine.js";
export { Graph } from "./graph.js";
export { Readers } from "./reader.js";
export { digestOf, loadPhrases, PhraseError } from "./wordings.js";
export { ReadError } from "./text.js";
export { causes, publishedLabel } from "./published.js";
