// Checks the certificate of a verdict by the conditions of docs/certificates.md. Shares nothing with
// what makes certificates: it reads the texts, and numbers and compares the points by itself.

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

// What each claim requires of start (a, b) and end (A, B) of its two events.
const REQUIRED = {
  before: "A<=b",
  after: "B<=a",
  overlaps: "a<B b<A",
  allen_precedes: "A<b",
  allen_preceded_by: "B<a",
  allen_meets: "A<=b b<=A",
  allen_met_by: "a<=B B<=a",
  allen_overlaps: "a<b b<A A<B",
  allen_overlapped_by: "b<a a<B B<A",
  allen_starts: "a<=b b<=a A<B",
  allen_started_by: "a<=b b<=a B<A",
  allen_finishes: "b<a A<=B B<=A",
  allen_finished_by: "a<b A<=B B<=A",
  allen_during: "b<a A<B",
  allen_contains: "a<b B<A",
  allen_equals: "a<=b b<=a A<=B B<=A",
};

/**
 * Check a line of `items.jsonl`, parsed as JSON.
 * @param readers the page's readers
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
  new Check(item).verdict(row.verdict, row.policy, row.certificate);
  if (row.policy === "published") {
    throw new NotProvedError("the label is that of the published procedure");
  }
}

/**
 * Parse a line of JSON; a name may occur only once in an object, and a whole number has no fraction
 * and no exponent.
 */
export function parseLine(text) {
  return new Json(text).parse();
}

class Check {
  constructor(item) {
    this.numbers = new Map();
    this.names = [];
    this.edges = [];
    this.relations = item.premise.map(({ left, order, right }) => {
      const [p, q] = [this.#mention(left), this.#mention(right)];
      const strict = order === "before" || order === "after";
      const ends = order === "after" || order === "not_before" ? { p: q, q: p } : { p, q };
      return { ...ends, strict, equal: order === "simultaneous" };
    });
    const { claim } = item;
    if (claim.order) {
      const [p, q] = [this.#mention(claim.left), this.#mention(claim.right)];
      this.needs = {
        before: [{ lower: p, strict: true, upper: q }],
        after: [{ lower: q, strict: true, upper: p }],
        simultaneous: [
          { lower: p, strict: false, upper: q },
          { lower: q, strict: false, upper: p },
        ],
      }[claim.order];
      this.claimed = [p, q];
    } else {
      const [a, b] = [claim.left, claim.right].map((event) => this.#mention({ event, bound: "start" }));
      const at = { a, A: a + 1, b, B: b + 1 };
      this.needs = REQUIRED[claim.relation].split(" ").map((one) => ({
        lower: at[one[0]],
        strict: !one.includes("="),
        upper: at[one.at(-1)],
      }));
      this.claimed = [a, a + 1, b, b + 1];
    }
    this.opposites = this.needs.map(({ lower, strict, upper }) => ({
      lower: upper,
      strict: !strict,
      upper: lower,
    }));
    // A point twice in a claim is paired with itself.
    this.pairs = this.claimed.flatMap((p, i) => this.claimed.slice(i + 1).map((q) => [p, q]));
    this.size = this.names.length;
    for (let p = 0; p < this.size; p += 2) this.edges.push([p, p + 1, true, 0]);
    for (const { p, q, strict, equal } of this.relations) {
      this.edges.push([p, q, strict, 1]);
      if (equal) this.edges.push([q, p, false, 1]);
    }
  }

  #mention({ event, bound }) {
    const start = `start of ${event}`;
    if (!this.numbers.has(start)) {
      for (const name of [start, `end of ${event}`]) {
        this.numbers.set(name, this.names.length);
        this.names.push(name);
      }
    }
    return this.numbers.get(start) + (bound === "end" ? 1 : 0);
  }

  #point(name) {
    require(typeof name === "string" && this.numbers.has(name), `${show(name)} is no point of the item`);
    return this.numbers.get(name);
  }

  verdict(verdict, policy, certificate) {
    fields(verdict, ["consistent", "hops", "label", "status"], "the verdict");
    fields(certificate, ["cycle", "distances", "timelines", "walks"], "the certificate");
    const { status, consistent } = verdict;
    require(typeof consistent === "boolean", "whether the premise is consistent is not stated");
    const walks = list(certificate.walks, "the walks").map((one) => this.#walk(one));
    const lines = list(certificate.timelines, "the timelines").map((one) => this.#timeline(one));
    const tables = list(certificate.distances, "the distances").map((one) => this.#distances(one));
    const cycle = certificate.cycle === null ? null : this.#walk(certificate.cycle);
    if (consistent) {
      require(cycle === null, "a consistent premise has no closed walk");
      require(lines.some((one) => one.slack.size === 0), "no timeline is a model of the premise");
    } else {
      const closed = cycle !== null && cycle.strict && cycle.first === cycle.last;
      require(closed, "no closed strict walk shows that the premise is inconsistent");
    }
    require(Object.hasOwn(PROOFS, String(status)) && typeof status === "string", "the status is unknown");
    if (status !== "contradictory") {
      const apart = ({ at, slack }) => this.pairs.every(([p, q]) => at[p] !== at[q] || !slack.has(at[p]));
      require(lines.some(apart), "no timeline keeps the points of the claim apart");
    }
    const proof = PROOFS[status](this, walks, lines, cycle);
    if (status === "unknown") {
      require(verdict.hops === null, "an open claim has no hops");
    } else {
      const hops = whole(verdict.hops, "hops");
      require(proof.every((walk) => walk.cost <= hops), "there are fewer hops");
      require(this.#fewest(status, hops, tables), "the distances do not show that many hops");
    }
    if (policy !== "published") {
      const undefinedLabel = status === "contradictory" || (policy === "global" && !consistent);
      const label = undefinedLabel ? "undefined" : String(status === "entailed");
      require(verdict.label === label, `the label is ${label}`);
    }
  }

  #walk(value) {
    fields(value, ["from", "steps"], "a walk");
    const first = this.#point(value.from);
    const passed = new Set([first]);
    let [at, strict, cost] = [first, false, 0];
    for (const step of list(value.steps, "the steps of a walk")) {
      if (step === null) {
        require(at % 2 === 0, "a duration leads from the start of an event");
        at += 1;
        strict = true;
      } else {
        const number = whole(step, "a step");
        require(number >= 0 && number < this.relations.length, `no relation ${number}`);
        const { p, q, strict: apart, equal } = this.relations[Number(number)];
        require(at === p || (equal && at === q), `relation ${number} does not go on where the walk is`);
        at = at === p ? q : p;
        strict ||= apart;
        cost += 1;
      }
      passed.add(at);
    }
    return { first, last: at, strict, cost, passed };
  }

  #timeline(value) {
    const at = new Array(this.size).fill(null);
    const pairs = list(value, "a timeline");
    for (const pair of pairs) {
      const two = Array.isArray(pair) && pair.length === 2;
      require(two, "a timeline has pairs of a point and an instant");
      const point = this.#point(pair[0]);
      require(at[point] === null, "each point has one instant");
      at[point] = whole(pair[1], "an instant");
    }
    require(pairs.length === this.size, "each point has one instant");
    const slack = new Set();
    for (const [p, q, strict] of this.edges) {
      require(at[p] <= at[q], "a timeline is not monotone");
      if (strict && at[p] === at[q]) slack.add(at[p]);
    }
    return { at, slack };
  }

  #distances(value) {
    fields(value, ["beyond", "from", "near"], "a table of distances");
    const source = this.#point(value.from);
    const beyond = whole(value.beyond, "a distance");
    const loose = new Array(this.size).fill(beyond);
    const strict = new Array(this.size).fill(beyond);
    for (const entry of list(value.near, "distances")) {
      require(Array.isArray(entry) && entry.length === 3, "distances are triples");
      const point = this.#point(entry[0]);
      loose[point] = whole(entry[1], "a distance");
      strict[point] = whole(entry[2], "a distance");
    }
    require(loose[source] <= 0n, "a point is at no distance from itself");
    for (const [p, q, isStrict, cost] of this.edges) {
      const [near, far] = [loose[p] + BigInt(cost), strict[p] + BigInt(cost)];
      const improved = strict[q] > far || (isStrict ? strict[q] > near : loose[q] > near);
      require(!improved, "a step improves a distance");
    }
    return { source, strict, any: loose.map((one, p) => (one < strict[p] ? one : strict[p])) };
  }

  #fewest(status, hops, tables) {
    const far = ({ lower, strict, upper }) =>
      hops === 0n ||
      tables.some((one) => one.source === lower && (strict ? one.strict : one.any)[upper] >= hops);
    if (status === "entailed") return this.needs.some(far);
    if (status === "refuted") return this.opposites.every(far);
    return this.pairs.every(([p, q]) => {
      if (p === q) return far({ lower: p, strict: true, upper: p });
      const [there, back] = [p, q].map((point) => tables.filter(({ source }) => source === point));
      return there.some((t) =>
        back.some((u) => t.strict[q] + u.any[p] >= hops && t.any[q] + u.strict[p] >= hops),
      );
    });
  }
}

const derives = (walk, { lower, strict, upper }) =>
  walk.first === lower && walk.last === upper && (walk.strict || !strict);

const refutes = ({ at, slack }, { lower, strict, upper }) =>
  at[upper] < at[lower] || (strict && at[upper] === at[lower] && !slack.has(at[lower]));

/** For each status, its proof: the walks whose relations are counted as hops. */
const PROOFS = {
  entailed(item, walks) {
    const all = walks.length === item.needs.length && item.needs.every((one, i) => derives(walks[i], one));
    require(all, "the walks do not derive the requirements of the claim");
    return walks;
  },
  refuted(item, walks) {
    const one = walks.length === 1 && item.opposites.some((need) => derives(walks[0], need));
    require(one, "no walk derives the opposite of a requirement");
    return walks;
  },
  unknown(item, walks, lines) {
    const open = (need) => lines.some((one) => refutes(one, need));
    require(item.needs.some(open), "no timeline shows that the claim cannot be derived");
    const unrefuted = item.opposites.every(open) && walks.length === 0;
    require(unrefuted, "no timeline shows that the claim cannot be refuted");
    return [];
  },
  contradictory(item, walks, lines, cycle) {
    const through =
      cycle !== null && item.pairs.some(([p, q]) => cycle.passed.has(p) && cycle.passed.has(q));
    require(through && walks.length === 0, "the closed walk does not pass two points of the claim");
    return [cycle];
  },
};

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
