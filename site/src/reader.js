// Text to graph: a premise and a claim as an item. The grammars are those of Python, as the tables
// that Lark makes of them; this module turns what they recognise into items, as
// grammar/eventhop/parser.py and reader.py do.
//
// An item is { domain, premise: [relation], claim }. A relation is { left, order, right } of points
// { event, bound }, with the place `from`, `to` of its sentence in the text; a claim about events is
// { left, relation, right } with the names of two events.

import { writtenClaim } from "./claims.js";
import { ProseDiagnosis, SymbolDiagnosis } from "./diagnosis.js";
import { Parser, StopError } from "./lalr.js";
import { check, licences, UnlicensedError } from "./licence.js";
import { Sentences } from "./sentences.js";
import { normalize, normalizeSubject, ProseNames, setAbbreviations, spellings } from "./names.js";
import { SymbolNames } from "./names.js";
import { Wordings } from "./wordings.js";
import { FaultError, Pattern, quoted, ReadError, strip, stripStart, take } from "./text.js";

const ORDER_NAMES = ["BEFORE", "AFTER", "SIMULTANEOUS"];
const SEARCHED = 2000;

/** The phrases of one domain. */
class Words {
  constructor(tables, literals) {
    const claims = Object.keys(tables.claims);
    const orders = ORDER_NAMES.map((name) => this.#phrases(literals, name));
    this.literals = literals;
    this.orderTerminals = Object.keys(tables.orders);
    this.claimTerminals = claims;
    this.orderPhrases = orders.flat();
    this.claimPhrases = claims.flatMap((name) => literals[name]);
    this.defaults = orders.map(([first]) => first);
    this.examples = {
      order: this.defaults[0],
      claim: literals.CLAIM_BEFORE[0],
      allen: literals.ALLEN_MEETS[0],
    };
    this.enclosing = this.orderPhrases
      .map((phrase) => phrase.split(" … "))
      .filter((parts) => parts.length === 2);
  }

  #phrases(literals, name) {
    const closes = literals[`${name}_CLOSE`] ?? [];
    const enclosing = (literals[`${name}_OPEN`] ?? []).map((opens, i) => `${opens} … ${closes[i]}`);
    return [...literals[name], ...enclosing];
  }

  mark(point) {
    return this.literals[`${point}_MARK`][0];
  }
}

class ProseWording {
  constructor(words, edges, bounds) {
    this.names = new ProseNames(edges);
    this.opensWithNames = false;
    this.diagnosis = new ProseDiagnosis(words, edges, bounds);
    this.mark = new Pattern(`${edges.opening}(?:the )?`);
    this.example = quoted(words.examples.order);
  }

  claim(parsed, known) {
    let { left } = parsed;
    if (!known.has(left)) {
      left = normalizeSubject(left, spellings([...known, parsed.right]));
      this.#rejectPoint(parsed.left, 0, known);
    }
    if (!known.has(parsed.right)) this.#rejectPoint(parsed.right, parsed.position, known);
    return { left, relation: parsed.relation, right: parsed.right };
  }

  #rejectPoint(side, position, known) {
    const mark = this.mark.match(side);
    if (mark && known.has(side.slice(mark.end))) {
      throw new FaultError({
        position,
        found: quoted(side),
        expected: "an event",
        hint: `a claim about points uses a premise phrase, such as ${this.example}`,
      });
    }
  }
}

class SymbolWording {
  constructor(words) {
    this.names = new SymbolNames();
    this.opensWithNames = true;
    this.diagnosis = new SymbolDiagnosis(words);
    this.bounds = { [words.mark("START")]: "start", [words.mark("END")]: "end" };
    this.orders = { before: "before", after: "after", overlaps: "simultaneous" };
  }

  claim(parsed, known) {
    const { left, relation, right } = parsed;
    const both = [left, right];
    const pointed = both.every((side) => this.#isPoint(side));
    const asEvents = both.filter((side) => known.has(side)).length;
    const asPoints = both.filter((one) => this.#isPoint(one) && known.has(one.slice(0, -1))).length;
    const allen = relation.startsWith("allen_");
    if (asEvents > asPoints || (asPoints === 0 && (allen || !pointed))) {
      return { left, relation, right };
    }
    if (allen || !pointed || (asEvents === asPoints && asPoints > 0)) {
      throw new FaultError({
        position: 0,
        found: `${quoted(left)} and ${quoted(right)}`,
        expected: "two events or two points of the premise",
        hint: "events: mill < tide, mill meets tide; points: mill1 < tide2",
      });
    }
    return { left: this.#point(left), order: this.orders[relation], right: this.#point(right) };
  }

  #isPoint(side) {
    return side.length > 1 && Array.from(side).length > 1 && side.at(-1) in this.bounds;
  }

  #point(side) {
    return { event: side.slice(0, -1), bound: this.bounds[side.at(-1)] };
  }
}

/** Reads the texts of one domain. */
class Reader {
  constructor(tables, domain, spatial) {
    const { parser, bounds, literals, edges } = tables.domains[domain];
    const points = bounds[spatial];
    const words = new Words(tables, literals);
    this.domain = domain;
    this.tables = tables;
    this.wording =
      domain === "logical" ? new SymbolWording(words) : new ProseWording(words, edges, points);
    this.sentences = new Sentences(tables.sentences[domain][spatial], tables.abbreviation);
    this.bounds = { ...points };
    for (const [name, bound] of Object.entries(points)) this.bounds[`INNER_${name}`] = bound;
    this.parser = new Parser(parser, {
      premise: ([sentences]) => sentences,
      sentences: ([first, next]) => (next ? (first.push(next), first) : [first]),
      sentence: (parts) => this.#relation(parts),
      claim: ([claim]) => claim,
      event_claim: ([left, relation, right]) => ({
        left: this.wording.names.ofEvent(left),
        relation: tables.claims[relation.type],
        right: this.wording.names.ofEvent(right),
        position: right.start,
      }),
    });
  }

  #relation(parts) {
    const [left, order, right] = parts;
    const last = parts.at(-1);
    const stop = /^\.\s+/u.exec(left.text);
    return {
      left: this.#point(left),
      order: this.tables.orders[order.type],
      right: this.#point(right),
      from: left.start + (stop ? stop[0].length : 0),
      to: last.start + last.text.length,
    };
  }

  #point(token) {
    return { event: this.wording.names.ofPoint(token), bound: this.bounds[token.type] };
  }

  #parse(part, text) {
    const body = strip(text);
    if (!body && part === "premise") return [];
    try {
      return this.parser.parse(body, part);
    } catch (error) {
      if (error instanceof StopError) {
        throw new ReadError(part, text, this.wording.diagnosis[part](body, error));
      }
      if (error instanceof FaultError) throw new ReadError(part, text, error.fault);
      throw error;
    }
  }

  read(premise, claim, names = [], others = null) {
    for (const [part, text] of [["premise", premise], ["claim", claim]]) {
      const control = /[\x00-\x08\x0e-\x1f\x7f]/u.exec(text);
      if (!control) continue;
      const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
      const position = control.index - text.length + stripStart(text).length;
      const found = `the control character U+${code}`;
      throw new ReadError(part, text, { position, found, expected: "characters that can be seen", hint: "" });
    }
    let refused;
    try {
      return this.#resolved(this.premise(premise), premise, claim, names, null, others);
    } catch (error) {
      const unlicensed = error instanceof UnlicensedError;
      if (!(error instanceof ReadError) || (error.part === "claim" && !unlicensed)) throw error;
      refused = error;
    }
    return this.#written(premise, claim, names, refused, others);
  }

  /** A claim that no premise precedes. */
  claim(text) {
    const parsed = this.#parse("claim", text);
    return parsed.order ? parsed : this.wording.claim(parsed, new Set());
  }

  /** An item whose premise is in sentences that people write. */
  #written(premise, claim, names, refused, others) {
    const body = strip(premise);
    let found;
    try {
      found = this.sentences.read(body, others, names);
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      if (refused instanceof UnlicensedError) throw refused;
      if (error.fault.hint) throw new ReadError("premise", premise, error.fault);
      const pointed = /(?:^|\s)(?:start|end) of /iu.test(premise);
      if (this.domain === "temporal" && !pointed && !refused.hint) {
        refused.hint = `sentences that are read: ${this.tables.formats}`;
      }
      throw refused;
    }
    const blanks = premise.length - stripStart(premise).length;
    const relations = found.relations.map((row) => ({
      ...row,
      from: row.from + blanks,
      to: row.to + blanks,
    }));
    return this.#resolved(relations, premise, claim, names, found.marked, others);
  }

  #resolved(relations, premise, claim, names, marked, others) {
    const known = new Set(relations.flatMap((row) => [row.left.event, row.right.event]));
    const found = marked ?? { quoted: new Set(), first: new Set(), inner: new Set() };
    found.leading = leading(found);
    let resolved;
    try {
      resolved = others?.claim(strip(claim), names, found, known);
      if (!resolved) {
        const [parsed, written] = this.#claim(claim, known, found, names);
        resolved = parsed.order || written ? parsed : this.wording.claim(parsed, known);
      }
    } catch (error) {
      if (error instanceof FaultError) throw new ReadError("claim", claim, error.fault);
      throw error;
    }
    for (const name of leading(found)) found.leading.add(name);
    const item = { domain: this.domain, premise: relations, claim: resolved };
    const read = normalize(item, [premise, claim], this.wording.opensWithNames);
    check(read, premise, claim, this.tables.licences, names, found, others);
    return read;
  }

  #claim(text, known, marked, names) {
    const read = () => writtenClaim(text, this.sentences, known, marked, names, this.tables.licences);
    const written = /["“]/u.test(text) ? read() : null;
    if (written) return [written, true];
    try {
      return [this.#parse("claim", text), false];
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      const found = read();
      if (found) return [found, true];
      throw error;
    }
  }

  /** The relations of a premise, each with the place of its sentence in the text. */
  premise(text) {
    const blanks = text.length - stripStart(text).length;
    return this.#parse("premise", text).map((one) => ({
      ...one,
      from: one.from + blanks,
      to: one.to + blanks,
    }));
  }
}

/** Names at the start of a sentence alone, whose capital need not be their own. */
const leading = ({ first, inner }) => new Set([...first].filter((name) => !inner.has(name)));

/** The readers of all domains. */
export class Readers {
  constructor(tables) {
    setAbbreviations(tables.abbreviation);
    this.tables = { ...tables, licences: licences(tables.names) };
    this.made = new Map();
    this.signatures = Object.entries(tables.domains).map(([domain, { signature }]) => ({
      domain,
      opening: new Pattern(signature.opening),
      claim: new Pattern(signature.claim),
    }));
  }

  /** The domain of an item, from its first sentence or else its claim; by default, temporal. */
  detect(premise, claim, phrases = []) {
    const used = (file) => this.wordings([file], file.domain)?.used(premise, claim, []).length;
    const worded = new Set(phrases.filter(used).map((file) => file.domain));
    if (worded.size === 1) return [...worded][0];
    const [first, second] = [premise, claim].map((text) => take(stripStart(text), SEARCHED));
    const has = (test) => this.signatures.find(test)?.domain;
    return (
      has(({ opening }) => opening.match(first)) ??
      has(({ opening }) => opening.match(second)) ??
      has(({ claim: pattern }) => pattern.search(second)) ??
      has(({ opening }) => opening.search(first)) ??
      "temporal"
    );
  }

  /**
   * Read an item, or throw a `ReadError`; `names` may contain any word, and `phrases` are phrase files
   * as `loadPhrases` returns them.
   */
  read(premise, claim, settings = {}) {
    const { spatial = "geometric", names = [], phrases = [] } = settings;
    const { domain = this.detect(premise, claim, phrases) } = settings;
    const others = this.wordings(phrases, domain, spatial);
    return this.of(domain, spatial).read(premise, claim, names, others);
  }

  /** The phrase files that a reader of the texts needs. */
  used({ premise, claim, domain, spatial, names = [], phrases = [] }) {
    return this.wordings(phrases, domain, spatial)?.used(premise, claim, names) ?? [];
  }

  /** The phrases of a domain; null if there are none. Throws a `PhraseError` if a test fails. */
  wordings(files, domain, spatial = "geometric") {
    const chosen = files.filter((file) => file.domain === domain);
    if (!chosen.length) return null;
    const key = `${domain} ${spatial} ${chosen.map((file) => file.digest).join()}`;
    if (this.others?.key !== key) {
      const made = new Wordings(chosen, this.of(domain, spatial), this.of("temporal"));
      this.others = { key, made };
    }
    return this.others.made;
  }

  of(domain, spatial = "geometric") {
    const key = `${domain} ${spatial}`;
    if (!this.made.has(key)) this.made.set(key, new Reader(this.tables, domain, spatial));
    return this.made.get(key);
  }
}
