// Checks the certificate of a verdict with the checker that is compiled from the Coq proofs. Shares
// nothing with what makes certificates: it reads the texts and numbers the points by itself.

import { answer } from "../../solver/eventhop/certificates/proved.js";
import { digestOf } from "./wordings.js";

/** A line that does not prove its verdict. */
export class RejectedError extends Error {}

/** A line in which nothing is wrong, but whose label no certificate proves. */
export class NotProvedError extends RejectedError {
  constructor(reason) {
    super(`not proved: ${reason}`);
  }
}

function require(condition, reason) {
  if (!condition) throw new RejectedError(reason);
}

const FIELDS = ["id", "premise", "claim", "domain", "spatial", "policy", "verdict", "certificate"];
const CHOICES = {
  domain: ["temporal", "spatial", "logical"],
  spatial: ["geometric", "published"],
  policy: ["local", "global", "published"],
};

const STATUSES = ["entailed", "refuted", "unknown", "contradictory"];
const LABELS = ["true", "false", "undefined"];
const ORDERS = ["before", "after", "simultaneous", "not_after", "not_before"];
// The kinds of claims in the order of the compiled checker: about events, and about points.
const EVENTS = ["before", "after", "overlaps"];
const ALLEN = [
  ...["precedes", "meets", "overlaps", "finished_by", "contains", "starts", "equals"],
  ...["started_by", "during", "finishes", "overlapped_by", "met_by", "preceded_by"],
].map((name) => `allen_${name}`);
const POINTS = ["before", "after", "simultaneous"];
const FAULTS = [
  "simultaneous-exempt",
  "same-event-exempt",
  "seen-early",
  "pair-unchecked",
  "overlap-by-absence",
];

/**
 * Check a line of `items.jsonl`, parsed as JSON.
 * @param readers the page's readers
 * @returns whether the proved checker has read the texts itself
 * @throws RejectedError with the reason
 */
export function checkRow(row, readers) {
  const whole = isObject(row) && FIELDS.every((name) => Object.hasOwn(row, name));
  require(whole, `a line needs the fields ${[...FIELDS].sort().join(", ")}`);
  if (row.verdict === null && row.certificate === null) {
    throw new NotProvedError("no verdict is given of a text that could not be read");
  }
  for (const [name, values] of Object.entries(CHOICES)) {
    require(values.includes(row[name]), `the ${name} is unknown`);
  }
  const texts = ["id", "premise", "claim"].every((name) => typeof row[name] === "string");
  require(texts, "id, premise and claim are strings");
  const { names = [] } = row;
  require(Array.isArray(names), "names: not an array");
  require(names.every((name) => typeof name === "string"), "names are strings");
  const { phrases = [] } = row;
  require(Array.isArray(phrases), "phrases: not an array");
  for (const file of phrases) {
    fields(file, ["digest", "domain", "phrase"], "a phrase file");
    require(Array.isArray(file.phrase), "phrase: not an array");
    for (const part of file.phrase) fields(part, ["means", "not", "text"], "a phrase");
    require(file.digest === digestOf(file.domain, file.phrase), "the digest of a phrase file does not fit it");
    require(file.domain === row.domain, "a phrase file is of another domain");
  }
  let item;
  try {
    item = readers.read(row.premise, row.claim, row);
  } catch (error) {
    throw new RejectedError(`the texts cannot be read: ${error.message}`);
  }
  const before = withTexts(row, readers.tables);
  const found = answer(before + new Line(item).of(row));
  require(found.startsWith("accepted"), "the proved checker rejects the certificate");
  return before !== "" && found === "accepted";
}

const known = new Set();

/** The texts of an item, which stand before its numbers; none with phrases of the user. */
function withTexts({ domain, spatial, premise, claim, phrases }, { forms, wordings }) {
  if (phrases?.length) return "";
  const reading = domain === "spatial" ? spatial : "geometric";
  const number = forms.findIndex(([of, by]) => of === domain && by === reading);
  if (!known.has(number)) require(answer(wordings[number]) === "accepted", "a wording is malformed");
  known.add(number);
  return `texts ${number} ${coded(premise)} ${coded(claim)} `;
}

function coded(text) {
  const digits = (place) => text.charCodeAt(place).toString(16).padStart(4, "0");
  return `x${Array.from({ length: text.length }, (_, place) => digits(place)).join("")}`;
}

/**
 * Parse a line of JSON; a name may occur only once in an object, and a whole number has no fraction
 * and no exponent.
 */
export function parseLine(text) {
  return new Json(text).parse();
}

/** The line of integers of an item, a verdict and a certificate: see proofs/README.md. */
class Line {
  constructor({ premise, claim }) {
    this.numbers = new Map();
    const relations = premise.map(({ left, order, right }) => [
      this.#mention(left),
      ORDERS.indexOf(order),
      this.#mention(right),
    ]);
    const sides = [claim.left, claim.right].map((side) =>
      claim.order ? this.#mention(side) : this.#mention({ event: side, bound: "start" }) / 2,
    );
    this.item = [counted(relations), kindOf(claim), sides];
  }

  #mention({ event, bound }) {
    const start = `start of ${event}`;
    if (!this.numbers.has(start)) {
      for (const name of [start, `end of ${event}`]) this.numbers.set(name, this.numbers.size);
    }
    return this.numbers.get(start) + (bound === "end" ? 1 : 0);
  }

  #point(name) {
    require(typeof name === "string" && this.numbers.has(name), `${show(name)} is no point of the item`);
    return this.numbers.get(name);
  }

  of({ verdict, policy, certificate, repaired = [] }) {
    fields(verdict, ["consistent", "hops", "label", "status"], "the verdict");
    fields(certificate, ["cycle", "distances", "timelines", "walks"], "the certificate");
    const { status, consistent, label, hops } = verdict;
    require(typeof consistent === "boolean", "whether the premise is consistent is not stated");
    const known = list(repaired, "repaired").every((fault) => FAULTS.includes(fault));
    require(known && (!repaired.length || policy === "published"), "a fault is unknown");
    const faults = [...new Set(repaired)].map((fault) => 1 << FAULTS.indexOf(fault));
    const { cycle } = certificate;
    return [
      this.item,
      CHOICES.policy.indexOf(policy) + faults.reduce((sum, bit) => sum + bit, 0),
      choice(STATUSES, status, "the status"),
      Number(consistent),
      choice(LABELS, label, "the label"),
      index(hops, "hops"),
      counted(list(certificate.walks, "the walks").map((walk) => this.#walk(walk))),
      counted(cycle === null ? [] : [this.#walk(cycle)]),
      counted(list(certificate.timelines, "the timelines").map((line) => this.#timeline(line))),
      counted(list(certificate.distances, "the distances").map((table) => this.#distances(table))),
    ].flat(Infinity).join(" ");
  }

  #walk(value) {
    fields(value, ["from", "steps"], "a walk");
    const steps = list(value.steps, "the steps of a walk");
    return [this.#point(value.from), counted(steps.map((step) => index(step, "a step")))];
  }

  #timeline(value) {
    const at = new Array(this.numbers.size).fill(null);
    const pairs = list(value, "a timeline");
    for (const pair of pairs) {
      const two = Array.isArray(pair) && pair.length === 2;
      require(two, "a timeline has pairs of a point and an instant");
      const point = this.#point(pair[0]);
      require(at[point] === null, "each point has one instant");
      at[point] = whole(pair[1], "an instant");
    }
    require(pairs.length === at.length, "each point has one instant");
    return counted(at);
  }

  #distances(value) {
    fields(value, ["beyond", "from", "near"], "a table of distances");
    const beyond = whole(value.beyond, "a distance");
    const loose = new Array(this.numbers.size).fill(beyond);
    const strict = [...loose];
    for (const entry of list(value.near, "distances")) {
      require(Array.isArray(entry) && entry.length === 3, "distances are triples");
      const point = this.#point(entry[0]);
      loose[point] = whole(entry[1], "a distance");
      strict[point] = whole(entry[2], "a distance");
    }
    return [this.#point(value.from), counted(loose), counted(strict)];
  }
}

/** The number of the kind of a claim. */
function kindOf({ order, relation }) {
  const weak = ["not_after", "not_before"].indexOf(order);
  if (weak >= 0) return EVENTS.length + POINTS.length + ALLEN.length + weak;
  if (order) return EVENTS.length + POINTS.indexOf(order);
  const allen = ALLEN.indexOf(relation);
  return allen < 0 ? EVENTS.indexOf(relation) : EVENTS.length + POINTS.length + allen;
}

const counted = (values) => [values.length, values];

/** A number from 0, or -1 for null. */
function index(value, what) {
  if (value === null) return -1;
  const number = whole(value, what);
  require(number >= 0n, `${what} is less than 0`);
  return number;
}

function choice(values, value, what) {
  require(values.includes(value), `${what} is unknown`);
  return values.indexOf(value);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Fraction);

function fields(value, names, what) {
  const same = isObject(value) && Object.keys(value).sort().join() === names.join();
  require(same, `${what} has the fields ${names.join(", ")}`);
}

function list(value, what) {
  require(Array.isArray(value), `${what}: not an array`);
  return value;
}

/** A whole number; `parseLine` gives them as BigInt, rows made on the page as numbers. */
function whole(value, what) {
  if (typeof value === "bigint") return value;
  require(Number.isSafeInteger(value), `${what} is no whole number: ${show(value)}`);
  return BigInt(value);
}

function show(value) {
  return String(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one))).slice(0, 40);
}

/** A number with a fraction or an exponent, which is never whole, though JavaScript may round it. */
class Fraction {}

/** A parser of JSON that keeps whole numbers of any size and rejects names that occur twice. */
class Json {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  parse() {
    const value = this.#value(0);
    this.#blanks();
    if (this.at < this.text.length) this.#fail();
    return value;
  }

  #fail() {
    throw new RejectedError(`not a line of JSON: at character ${this.at}`);
  }

  #blanks() {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1;
  }

  #take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found?.[0];
  }

  #value(depth) {
    if (depth > 500) this.#fail();
    this.#blanks();
    const letter = this.text[this.at];
    if (letter === "{") return this.#members(depth);
    if (letter === "[") return this.#elements(depth);
    if (letter === '"') return this.#string();
    const word = this.#take(/true|false|null/y);
    if (word) return { true: true, false: false, null: null }[word];
    const number = this.#take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (number === undefined) this.#fail();
    return /[.eE]/.test(number) ? new Fraction() : BigInt(number);
  }

  #string() {
    const written = this.#take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    if (written === undefined) this.#fail();
    return JSON.parse(written);
  }

  #members(depth) {
    const object = {};
    this.at += 1;
    this.#blanks();
    if (this.#take(/\}/y)) return object;
    do {
      this.#blanks();
      if (this.text[this.at] !== '"') this.#fail();
      const name = this.#string();
      if (Object.hasOwn(object, name)) throw new RejectedError("a name occurs twice in an object");
      this.#blanks();
      if (!this.#take(/:/y)) this.#fail();
      const value = this.#value(depth + 1);
      Object.defineProperty(object, name, { value, enumerable: true });
      this.#blanks();
    } while (this.#take(/,/y));
    if (!this.#take(/\}/y)) this.#fail();
    return object;
  }

  #elements(depth) {
    const array = [];
    this.at += 1;
    this.#blanks();
    if (this.#take(/\]/y)) return array;
    do {
      array.push(this.#value(depth + 1));
      this.#blanks();
    } while (this.#take(/,/y));
    if (!this.#take(/\]/y)) this.#fail();
    return array;
  }
}
