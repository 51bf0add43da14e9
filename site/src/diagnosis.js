// Why and where a text does not parse: the same analysis as grammar/eventhop/diagnosis.py, with the
// patterns that it uses.

import { nextSentence, runOn, NAME_LIMIT } from "./names.js";
import { longer, nearest } from "./similar.js";
import { BLANK, fault, isSpaceAt, NOT_BLANK, Pattern, quoted, take } from "./text.js";

const ARTICLE = " the";
const GAP = "…";
const SEARCHED = 4 * NAME_LIMIT;
const NAME = `a name of at most ${NAME_LIMIT} characters on one line`;

export class ProseDiagnosis {
  constructor(words, edges, bounds) {
    const pattern = (source) => new Pattern(source);
    this.words = words;
    this.opening = pattern(edges.opening);
    this.mark = pattern(`(?:${ARTICLE})? (${edges.mark})`);
    this.stop = pattern(`\\.${BLANK}{1,20}(?=${edges.opening})`);
    this.phrase = pattern(`${edges.phrase}(?= |$)`);
    this.link = pattern(edges.link);
    this.close = pattern(`${edges.close}(?=\\.?$)`);
    this.claimPhrase = pattern(`${edges.claim_phrase}(?= |$)`);
    const marks = Object.keys(bounds).map((point) => quoted(`${words.mark(point)}X`));
    this.point = `a point such as ${marks.join(" or ")}`;
  }

  premise(text, stop) {
    for (const [start, sentence] of this.#sentences(text, stop.position)) {
      const found = this.#sentence(sentence);
      if (found) return { ...found, position: found.position + start };
    }
    return fault(text, stop.position, this.point);
  }

  claim(whole) {
    const text = take(whole, SEARCHED);
    const phrase = this.claimPhrase.search(` ${text}`);
    if (phrase) return this.#around(text, Math.max(phrase.start - 1, 0), phrase.end - 1);
    const found = this.opening.match(text) ? this.#sentence(text) : null;
    return found ?? this.#noRelation(text, 0, this.words.claimPhrases, this.words.examples.claim, null);
  }

  *#sentences(text, position) {
    let start = 0;
    for (let stop = this.stop.search(text); stop; stop = this.stop.search(text, stop.end)) {
      if (stop.start >= position) {
        yield [start, take(text.slice(start, stop.start), SEARCHED)];
      }
      start = stop.end;
    }
    yield [start, take(text, SEARCHED, start)];
  }

  #sentence(text) {
    const opening = this.opening.match(text);
    if (!opening) return fault(text, 0, this.point);
    const link = this.link.search(`${text} `, opening.end - 1);
    if (!link) return this.#noLink(text, opening.end);
    if (link.start < opening.end) return fault(text, opening.end, NAME);
    return nameFault(text, opening.end, link.start) ?? this.#secondPoint(text, link);
  }

  #secondPoint(text, link) {
    const start = Math.min(link.end, text.length);
    let end = text.length;
    const another = this.link.search(text, start);
    if (another) {
      const stop = nextSentence(text.slice(start, another.start));
      if (stop !== null) return runOn(text.slice(start), stop, start);
      return fault(text, another.start + 1, "the end of the sentence");
    }
    for (const [opens, closes] of this.words.enclosing) {
      if (link.text.startsWith(` ${withoutArticle(opens)}`)) {
        const close = this.close.search(text, start);
        if (!close) return fault(text, end, quoted(closes));
        end = close.start;
      }
    }
    return nameFault(text, start, end);
  }

  #noLink(text, start) {
    const phrase = this.phrase.search(text, start - 1);
    if (phrase) return fault(text, phrase.end + 1, this.point);
    const mark = this.mark.search(text, start);
    const { orderPhrases, examples } = this.words;
    return this.#noRelation(text, start, orderPhrases, examples.order, mark ? mark.start : null);
  }

  #noRelation(text, start, phrases, example, ends) {
    const near = nearest(text, phrases.map(bare), start, ends);
    if (!near) return fault(text, start, `a name and a relation such as ${quoted(example)}`);
    const intended = quoted(phrases.find((phrase) => bare(phrase) === near.phrase));
    return {
      position: near.start,
      found: quoted(text.slice(near.start, near.end)),
      expected: `a relation such as ${intended}`,
      hint: `did you mean ${intended}?`,
    };
  }

  #around(text, start, end) {
    const another = this.claimPhrase.search(text, end);
    if (another) return fault(text, another.start + 1, "the end of the claim");
    return (
      nameFault(text, 0, start) ??
      nameFault(text, end + 1, text.length) ??
      fault(text, 0, `${NAME} on either side of the relation`)
    );
  }
}

const withoutArticle = (phrase) =>
  phrase.endsWith(ARTICLE) ? phrase.slice(0, -ARTICLE.length) : phrase;

const bare = (phrase) => withoutArticle(phrase.split(` ${GAP}`)[0]);

/** Why the text between two positions is not a name; null if it is one. */
function nameFault(text, start, end) {
  const name = text.slice(start, end);
  if (isSpaceAt(name, 0)) return fault(text, start, NAME);
  const short = name.startsWith("the ") ? name.slice(4) : name;
  if (name.startsWith("the the ") || longer(short, NAME_LIMIT)) return fault(text, start, NAME);
  if (name.includes("\n")) return fault(text, start + name.indexOf("\n"), NAME);
  return null;
}

export class SymbolDiagnosis {
  constructor(words) {
    const symbols = words.defaults.map(quoted);
    const [start, end] = ["START", "END"].map((point) => quoted(`mill${words.mark(point)}`));
    this.orders = words.orderTerminals;
    this.claims = words.claimTerminals;
    this.order = `${symbols.slice(0, -1).join(", ")} or ${symbols.at(-1)}`;
    this.relation = `${symbols.join(", ")} or a word such as ${quoted(words.examples.allen)}`;
    this.point = `a point such as ${start} or ${end}`;
  }

  premise(text, stop) {
    if (this.orders.some((name) => stop.expected.has(name))) return symbolFault(text, stop, this.order);
    return symbolFault(text, stop, stop.expected.has("DOT") ? "the end of the sentence" : this.point);
  }

  claim(text, stop) {
    if (this.claims.some((name) => stop.expected.has(name))) return symbolFault(text, stop, this.relation);
    const end = stop.expected.has("DOT");
    return symbolFault(text, stop, end ? "the end of the claim" : 'an event such as "mill"');
  }
}

const LONG_NAME = new Pattern(`(?:(?![<>=.])${NOT_BLANK}){${NAME_LIMIT + 2}}`);

function symbolFault(text, stop, expected) {
  let { position } = stop;
  while (position < text.length && isSpaceAt(text, position)) position += 1;
  const hint = LONG_NAME.match(text, position) ? `a name has at most ${NAME_LIMIT} characters` : "";
  return { ...fault(text, position, expected), hint };
}
