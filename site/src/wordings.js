// Wordings of others: the phrases of phrase files, read next to the sentences of the grammar as
// grammar/phrases.py and grammar/eventhop/wordings.py do. A phrase is a whole sentence with slots,
// "{A} led to {B}"; a statement is [place, sign, place] of places [event, "-" or "+"].

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { parse, TomlError } from "smol-toml";
import { unlicensed } from "./licence.js";
import { bare, comparisons, ORDERS, SIDE, stopless, withoutStop } from "./sentences.js";
import { FaultError, foundAt, quoted, ReadError } from "./text.js";

const SLOT = /\{([A-Za-z][A-Za-z0-9_]*)\}/gu;
const NAME_LIMIT = 200;
const SIGN_OF = Object.fromEntries(Object.entries(ORDERS).map(([sign, order]) => [order, sign]));
const EVEN = "(?:at|with|equal to|same as|simultaneous (?:to|with))";
const SAME = "(?:the same|same|simultaneous|equal)(?: as| to| with|ly with)?";
const FORMS = [
  [`(?:before or ${EVEN}|at or before)`, "no later than"],
  [`(?:after or ${EVEN}|at or after)`, "no earlier than"],
  ["overlaps", "overlapped"],
  ...["at the same time as", "the same as", "equals"].map((form) => [SAME, form]),
];
const CLAIMS = {
  ...{ before: "A+ <= B-", after: "A- >= B+", overlaps: "A- < B+, B- < A+" },
  ...{ allen_precedes: "A+ < B-", allen_meets: "A+ = B-", allen_overlaps: "A- < B-, B- < A+, A+ < B+" },
  ...{ allen_finished_by: "A- < B-, A+ = B+", allen_contains: "A- < B-, B+ < A+" },
  ...{ allen_starts: "A- = B-, A+ < B+", allen_equals: "A- = B-, A+ = B+" },
  ...{ allen_started_by: "A- = B-, B+ < A+", allen_during: "B- < A-, A+ < B+" },
  ...{ allen_finishes: "B- < A-, A+ = B+", allen_overlapped_by: "B- < A-, A- < B+, B+ < A+" },
  ...{ allen_met_by: "A- = B+", allen_preceded_by: "A- > B+" },
};
const SAMPLES = [
  ["Harbour Fair", "Long Regatta", "Winter Ball", "Grain Market", "Boat Race", "Lantern Parade"],
  ["the quarrel", "the siege of Oldham", "a storm", "the feast", "the truce", "the thaw"],
  ["Alderley", "Brindle", "Corsham", "Dunmore", "Eastleigh", "Fenwick"],
];
const SYMBOLS = [["gate", "hill", "mill", "tide", "fair", "race"]];

/** A phrase file that is not admitted. */
export class PhraseError extends Error {}

const refuse = (phrase, reason) => new PhraseError(`phrase ${quoted(phrase)}: ${reason}`);
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
const oneLine = (text) => text.trim().split(/\s+/u).join(" ");
const small = (text) => text.slice(0, 1).toLowerCase() + text.slice(1);
const plain = (text) => text.replace(/[’ʼ]/gu, "'");
const eventsOf = (rows) => new Set(rows.flatMap(([left, , right]) => [left[0], right[0]]));
const renamed = (rows, names) =>
  rows.map(([[p, a], sign, [q, b]]) => [[names[p], a], sign, [names[q], b]]);
const statements = (relations) =>
  relations.map(({ left, order, right }) => [place(left), SIGN_OF[order], place(right)]);
const place = ({ event, bound }) => [event, bound === "start" ? "-" : "+"];
const ofEvents = (left, meaning, right) =>
  meaning.split(", ").map((part) => {
    const [p, sign, q] = part.split(" ");
    const side = (one) => [one[0] === "A" ? left : right, one[1]];
    return [side(p), sign, side(q)];
  });

/** The content of a phrase file, as certificates have it. */
export function loadPhrases(text) {
  let content;
  try {
    content = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new PhraseError(`line ${error.line}, column ${error.column}: not TOML`);
  }
  const unknown = Object.keys(content).find((key) => !["domain", "phrase"].includes(key));
  if (unknown) throw new PhraseError(`found the key ${quoted(unknown)}, expected domain and phrase`);
  const { domain, phrase } = content;
  if (!["temporal", "spatial", "logical"].includes(domain)) {
    throw new PhraseError("expected the domain temporal, spatial or logical");
  }
  if (!Array.isArray(phrase) || !phrase.length) throw new PhraseError("found no phrase");
  const rows = phrase.map((row) => {
    const extra = Object.keys(row).find((key) => !["text", "means", "not"].includes(key));
    if (extra) throw new PhraseError(`found the key ${quoted(extra)}, expected text, means and not`);
    const { text: written, means, not = [] } = row;
    const lists = [means, not].every((list) => Array.isArray(list) && list.every(isText));
    if (!isText(written) || !lists) throw new PhraseError("a phrase has a text, means and perhaps not");
    const sentence = oneLine(plain(written)).replace(/ ?\.$/u, "");
    if (!means.length) throw refuse(sentence, "empty meaning");
    const parts = sentence.split(SLOT).filter((_, n) => n % 2 === 0);
    const wordless = (part) => !/[\p{L}\p{N}_]/u.test(part);
    if (/[{}]/u.test(parts.join(" "))) throw refuse(sentence, "a slot is a word in braces: {A}");
    if (parts.length < 2) throw refuse(sentence, "found no slot");
    if (/[.;!?](?:\s|$)|\?/u.test(sentence)) throw refuse(sentence, "expected one sentence");
    if (parts.slice(1, -1).some(wordless) || wordless(parts.join(""))) {
      throw refuse(sentence, "found two slots without a word between them");
    }
    return { text: sentence, means: means.map(oneLine), not: not.map(oneLine) };
  });
  if (new Set(rows.map((row) => row.text)).size < rows.length) throw new PhraseError("a phrase twice");
  return { digest: digestOf(domain, rows), domain, phrase: rows };
}

const isText = (value) => typeof value === "string" && value.trim() !== "";

export function digestOf(domain, rows) {
  const content = [domain, rows.map(({ text, means, not }) => [text, means, not])];
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(content))));
}

/** All that follows from statements and durations: strict or not, by the two points. */
function closure(rows, events) {
  const points = [...events].sort().flatMap((event) => [`${event}-`, `${event}+`]);
  const least = new Map();
  const key = (p, q) => `${p}\0${q}`;
  const raise = (p, q, size) => least.set(key(p, q), Math.max(least.get(key(p, q)) ?? 0, size));
  for (let n = 0; n < points.length; n += 2) raise(points[n], points[n + 1], 2);
  for (const [left, sign, right] of rows) {
    const [p, q] = [left.join(""), right.join("")];
    const size = sign === "<" || sign === ">" ? 2 : 1;
    if (sign[0] !== ">") raise(p, q, size);
    if (sign[0] !== "<") raise(q, p, size);
  }
  for (const middle of points) {
    for (const low of points) {
      const first = least.get(key(low, middle));
      for (const high of first ? points : []) {
        const second = least.get(key(middle, high));
        if (second) raise(low, high, Math.max(first, second));
      }
    }
  }
  const kept = [...least].filter(([pair, size]) => size === 2 || new Set(pair.split("\0")).size > 1);
  return kept.map(([pair, size]) => `${pair}\0${size}`).sort();
}

const contradictory = (rows) =>
  closure(rows, eventsOf(rows)).some((row) => row.split("\0")[0] === row.split("\0")[1]);

function equivalent(first, second) {
  const events = eventsOf([...first, ...second]);
  return closure(first, events).join() === closure(second, events).join();
}

const inWords = (rows) =>
  rows
    .map(([[p, a], sign, [q, b]]) => {
      const point = (event, bound) => `${bound === "-" ? "start" : "end"} of ${event}`;
      return `${point(p, a)} ${ORDERS[sign].replace("_", " ")} ${point(q, b)}`;
    })
    .join(" and ");

/** The names in the slots, for each way in which a sentence is a phrase. */
function* matches(phrase, sentence, accepts) {
  const [text, head] = [plain(sentence), phrase.words[0]];
  if (small(text.slice(0, head.length)) !== small(head)) return;
  const { slots, words } = phrase;
  function* assign(slot, begin, names) {
    if (slot === slots.length) {
      yield names;
      return;
    }
    const [word, last] = [words[slot + 1], slot === slots.length - 1];
    let end = last ? text.length - word.length : text.indexOf(word, begin + 1);
    while (end > begin && end <= begin + NAME_LIMIT && text.startsWith(word, end)) {
      const name = accepts(sentence.slice(begin, end), begin === 0);
      if (name !== null && (names[slots[slot]] ?? name) === name) {
        yield* assign(slot + 1, end + word.length, { ...names, [slots[slot]]: name });
      }
      end = last ? -1 : text.indexOf(word, end + 1);
    }
  }
  yield* assign(0, head.length, {});
}

/** The phrases of some files, for the reader of a domain and a reading of places. */
export class Wordings {
  constructor(files, reader, temporal) {
    this.files = files;
    this.reader = reader;
    this.temporal = temporal;
    this.known = reader.tables.licences;
    this.logical = reader.domain === "logical";
    this.phrases = files.flatMap((file) => file.phrase.map((row) => this.#phrase(row)));
    const common = new Set(["and", "'s", ""]);
    for (const name of ["between", "articles", "prepositions"]) {
      for (const word of this.known[name]) common.add(word);
    }
    const parts = new Set(this.phrases.flatMap(({ words }) => words.map((part) => part.trim())));
    const marks = [...parts].filter((part) => part.split(/[\s,]+/u).some((word) => !common.has(word)));
    marks.sort((a, b) => b.length - a.length);
    const inside = `(?<![\\p{L}\\p{N}_])(?:${marks.map(escaped).join("|")})(?![\\p{L}\\p{N}_])`;
    this.marks = marks.length ? new RegExp(inside, "u") : null;
    for (const phrase of this.phrases) this.#admit(phrase);
  }

  #phrase({ text, means, not }) {
    const pieces = text.split(SLOT);
    const slots = pieces.filter((_, n) => n % 2);
    const rows = [];
    for (const statement of means) {
      for (const row of this.#meant(text, statement, [...new Set(slots)])) {
        if (!rows.some((other) => JSON.stringify(other) === JSON.stringify(row))) rows.push(row);
      }
    }
    if (contradictory(rows)) throw refuse(text, `meaning contradictory: ${inWords(rows)}`);
    if (equivalent(rows, [])) throw refuse(text, `empty meaning: ${inWords(rows)} is always true`);
    const named = eventsOf(rows);
    const unused = slots.find((slot) => !named.has(slot));
    if (unused) throw refuse(text, `found the slot {${unused}}, which means does not use`);
    return { text, not, words: pieces.filter((_, n) => n % 2 === 0), slots, rows };
  }

  /** What a statement says about slots: "start of A after end of B". */
  #meant(phrase, statement, slots) {
    const spelled = Object.fromEntries(slots.map((slot, n) => [slot, `slot${"x".repeat(n + 1)}`]));
    const back = Object.fromEntries(slots.map((slot) => [spelled[slot], slot]));
    const longest = [...slots].sort((a, b) => b.length - a.length).join("|");
    const digit = this.logical ? "[12]?" : "";
    const mark = new RegExp(`(?<![\\p{L}\\p{N}_])(?:\\{(${longest})\\}|(${longest}))(?=${digit}(?![\\p{L}\\p{N}_]))`, "gu");
    const text = statement.replace(/\.$/u, "").replace(mark, (_, first, second) => spelled[first ?? second]);
    const forms = [text];
    const head = /^(?:[A-Za-z]+ ){0,4}?slotx+(?:'s [a-z]+|\.[a-z]+|[12]\b)?/u.exec(text);
    if (head) {
      const rest = text.slice(head[0].length).trim().replaceAll("_", " ").replace(/^(?:is|was) /u, "");
      const rests = [rest, ...FORMS.map(([old, form]) => rest.replace(new RegExp(`^${old}\\b`, "u"), form))];
      for (const end of rests) for (const verb of ["", "was ", "is "]) forms.push(`${head[0]} ${verb}${end}`);
    }
    for (const reader of new Set([this.reader, this.temporal])) {
      const found = [];
      for (const form of forms) {
        const rows = attempt(() => statements(reader.sentences.read(form).relations));
        if (!rows || [...eventsOf(rows)].some((event) => !(event in back))) continue;
        if (!found.some((other) => equivalent(other, rows))) found.push(rows);
      }
      if (found.length > 1) throw refuse(phrase, `${quoted(statement)} has two meanings`);
      if (found.length) return renamed(found[0], back);
    }
    throw refuse(phrase, `found ${quoted(statement)} in means, expected a relation of two events or points`);
  }

  /** The words of a phrase that a name contains; null if there are none. */
  inside(name) {
    return this.marks?.exec(name)?.[0] ?? null;
  }

  /** The files with a phrase that one of the sentences is. */
  used(premise, claim, listed) {
    const parts = [premise, claim].flatMap((text) =>
      this.logical ? comparisons(text.trim()) : stopless(text.trim(), this.reader.sentences.abbreviation),
    );
    const marked = { quoted: new Set(), first: new Set(), inner: new Set() };
    const has = ({ text }) => {
      const phrase = this.phrases.find((one) => one.text === text);
      return parts.some((part) => !this.#matches(phrase, part, marked, listed).next().done);
    };
    return this.files.filter((file) => file.phrase.some(has));
  }

  /** The claim that a text states as a phrase; null if it is none. */
  claim(text, listed, marked, known) {
    const own = { quoted: new Set(), first: new Set(), inner: new Set() };
    const found = this.#meanings(withoutStop(text), own, listed);
    if (!found.length || this.#plainSentence(withoutStop(text), listed)) return null;
    if (found.length > 1) throw unread(text, two(found));
    const names = {};
    for (const name of eventsOf(found[0])) {
      const lower = own.first.has(name) && !known.has(name) && known.has(small(name));
      names[name] = lower ? small(name) : name;
    }
    for (const name of own.quoted) marked.quoted.add(name);
    const rows = renamed(found[0], names);
    const point = ([event, bound]) => ({ event, bound: bound === "-" ? "start" : "end" });
    if (rows.length === 1) {
      const [[left, sign, right]] = rows;
      return { left: point(left), order: ORDERS[sign], right: point(right) };
    }
    const sides = [...eventsOf(rows)];
    for (const [relation, meaning] of sides.length === 2 ? Object.entries(CLAIMS) : []) {
      for (const [left, right] of [sides, [...sides].reverse()]) {
        if (equivalent(ofEvents(left, meaning, right), rows)) return { left, relation, right };
      }
    }
    throw unread(text, "a claim states one relation of two points or of two events");
  }

  /** Whether a sentence is read without phrases, too. */
  #plainSentence(text, listed) {
    if (this.logical) return false;
    const read = attempt(() => this.reader.sentences.read(text));
    return read !== null && [...eventsOf(statements(read.relations))].every((name) => this.#plain(name, read.marked, listed));
  }

  /** The parts of a sentence: a phrase, or what `only` reads with the names that it is given. */
  sentence(sentence, marked, listed, only) {
    const [own, other] = [0, 1].map(() => ({ quoted: new Set(), first: new Set(), inner: new Set() }));
    const found = this.#meanings(sentence, own, listed);
    let parts;
    try {
      parts = only(other);
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      parts = [];
      if (!found.length) {
        const relations = attempt(() => this.reader.premise(sentence));
        if (!relations) throw error;
        parts = [statements(relations)];
      }
    }
    let rows = parts.flat();
    if (found.length && ![...eventsOf(rows)].every((name) => this.#plain(name, other, listed))) rows = [];
    if (rows.length && !found.some((one) => equivalent(one, rows))) found.push(rows);
    if (found.length !== 1) throw unread(sentence, two(found));
    for (const [name, set] of Object.entries(rows.length ? other : own)) {
      for (const one of set) marked[name].add(one);
    }
    return rows.length ? parts : [found[0]];
  }

  /** The statements of a comparison between symbols. */
  comparison(part, listed, only) {
    const marked = { quoted: new Set(), first: new Set(), inner: new Set() };
    const found = this.#meanings(part, marked, listed);
    const rows = attempt(only);
    if (!rows && !found.length) return only();
    if (rows && !found.some((other) => equivalent(rows, other))) found.unshift(rows);
    if (found.length > 1) throw unread(part, two(found));
    return found[0];
  }

  #meanings(sentence, marked, listed) {
    const found = [];
    for (const phrase of this.phrases) {
      for (const names of this.#matches(phrase, sentence, marked, listed)) {
        const rows = renamed(phrase.rows, names);
        if (!found.some((other) => equivalent(rows, other))) found.push(rows);
      }
    }
    return found;
  }

  *#matches(phrase, sentence, marked, listed) {
    const places = {};
    const add = (name, kind) => (places[name] ??= new Set()).add(kind);
    const accepts = (text, first) => {
      if (this.logical) {
        add(text, "inner");
        return SIDE.test(text) ? text : null;
      }
      if (text !== text.trim() || text.includes("  ")) return null;
      if (/^(?:"[^"]+"|“[^”]+”)$/u.test(text)) {
        add(text.slice(1, -1), "quoted");
        return text.slice(1, -1);
      }
      const name = bare(text.split(" "), first).join(" ");
      const leads = first && name === text;
      const free = listed.includes(name);
      if (!free && (this.inside(name) || unlicensed(name, leads, this.known) !== null)) return null;
      add(name, leads ? "first" : "inner");
      return /[\p{L}\p{N}_]/u.test(name) ? name : null;
    };
    for (const names of matches(phrase, sentence, accepts)) {
      const values = Object.values(names);
      for (const name of values) for (const kind of places[name]) marked[kind].add(name);
      if (new Set(values).size === values.length) yield names;
    }
  }

  #plain(name, marked, listed) {
    if (name.startsWith("\0") || listed.includes(name) || marked.quoted.has(name)) return true;
    const first = marked.first.has(name) && !marked.inner.has(name);
    return this.inside(name) === null && unlicensed(name, first, this.known) === null;
  }

  // Tests of a phrase

  #admit(phrase) {
    const slots = [...new Set(phrase.slots)];
    for (const some of this.logical ? SYMBOLS : SAMPLES) {
      const sample = (n) => some[n] ?? `${some[0]}${String.fromCharCode(92 + n)}`;
      const names = Object.fromEntries(slots.map((slot, n) => [slot, sample(n)]));
      const plainly = (all) =>
        Object.fromEntries(Object.entries(all).map(([slot, name]) => [slot, name.replace(/^(?:the|a) /u, "")]));
      this.#readsBack(phrase, names, renamed(phrase.rows, plainly(names)));
      for (const first of slots) {
        for (const second of slots.slice(slots.indexOf(first) + 1)) {
          const swapped = { ...names, [first]: names[second], [second]: names[first] };
          this.#readsBack(phrase, swapped, renamed(phrase.rows, plainly(swapped)));
        }
      }
      const more = { ...Object.fromEntries([..."ABCDEF"].map((slot, n) => [slot, sample(n)])), ...names };
      for (const text of phrase.not) {
        const written = fill(text, more);
        const [found] = this.#meaningsOf(written);
        if (found) throw refuse(phrase.text, `"not" has the sentence ${quoted(written)}, which is read as ${inWords(found)}`);
      }
      this.#keepsDirection(phrase, names, renamed(phrase.rows, plainly(names)));
    }
  }

  #readsBack(phrase, names, meant) {
    const text = fill(phrase.text, names);
    const found = this.#meaningsOf(text);
    if (!found.length) throw refuse(phrase.text, `cannot be read back from ${quoted(text)}`);
    const other = found.find((rows) => !equivalent(rows, meant));
    if (other) throw refuse(phrase.text, `${quoted(text)} has two meanings: ${inWords(meant)}; ${inWords(other)}`);
  }

  /** Compare a phrase with what the page reads without its words of degree. */
  #keepsDirection(phrase, names, meant) {
    const words = phrase.text.split(" ");
    if (this.logical || words.some((word) => this.known.unsaying.has(word))) return;
    const less = words.filter((word) => !this.known.degree.has(word) && !word.endsWith("ly"));
    const text = fill(less.join(" "), names);
    for (const found of less.length < words.length ? this.#builtMeanings(text) : []) {
      const weak = found.map(([p, sign, q]) => [p, sign[0] + (sign === "=" ? "" : "="), q]);
      if (contradictory([...weak, ...meant])) {
        throw refuse(phrase.text, `means ${inWords(meant)}, but ${quoted(text)} is read as ${inWords(found)}`);
      }
    }
  }

  #meaningsOf(text) {
    const marked = { quoted: new Set(), first: new Set(), inner: new Set() };
    const parts = this.logical ? comparisons(text) : stopless(text, this.reader.sentences.abbreviation);
    const found = parts.length === 1 ? this.#meanings(text, marked, []) : [];
    return [...found, ...this.#builtMeanings(text)];
  }

  #builtMeanings(text) {
    const marked = { quoted: new Set(), first: new Set(), inner: new Set() };
    const claim = (found) => (found.order ? statements([found]) : ofEvents(found.left, CLAIMS[found.relation], found.right));
    const built = [
      () => statements(this.reader.sentences.read(text).relations),
      () => statements(this.reader.premise(text)),
      () => claim(this.reader.claim(text)),
    ].map(attempt);
    return built.filter((rows) => rows && (this.logical || [...eventsOf(rows)].every((name) => this.#plain(name, marked, []))));
  }
}

const fill = (text, names) => text.replace(SLOT, (slot, name) => names[name] ?? slot);
const two = (found) => `the sentence has two meanings: ${found.slice(0, 2).map(inWords).join("; ")}`;

function unread(sentence, hint) {
  const expected = "a sentence about the order of events";
  return new FaultError({ position: 0, found: foundAt(sentence, 0), expected, hint });
}

/** What a function returns; null if a text cannot be read. */
function attempt(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof FaultError || error instanceof ReadError) return null;
    throw error;
  }
}
