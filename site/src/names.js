// Extracts names from tokens: grammar/eventhop/names.py.

import { allLower, BLANK, FaultError, foundAt, isAscii, isLower, isUpper, length } from "./text.js";
import { NOT_BLANK, Pattern, quoted, SPACES, stripEnd } from "./text.js";

export const NAME_LIMIT = 200;
const WORD = "[\\p{L}\\p{N}_]";
const STOP_INSIDE = new Pattern(`(?<!${WORD})(?<word>${WORD}*)\\.${BLANK}+(?<next>${NOT_BLANK})`);

let abbreviation = /^$/;

/** Words that may precede a full stop within a name; the tables have them. */
export function setAbbreviations(pattern) {
  abbreviation = new RegExp(`^(?:${pattern})$`, "u");
}

export class SymbolNames {
  ofPoint(token) {
    return token.text.split(SPACES).filter(Boolean).at(-1).slice(0, -1);
  }

  ofEvent(token) {
    return token.text;
  }
}

export class ProseNames {
  constructor(edges) {
    this.opening = new Pattern(edges.opening);
  }

  ofPoint(token) {
    return this.#name(token, this.opening.search(token.text)?.end ?? 0);
  }

  ofEvent(token) {
    return this.#name(token, 0);
  }

  #name(token, start) {
    const written = token.text.slice(start);
    const name = stripEnd(written.startsWith("the ") ? written.slice(4) : written);
    if (name === ".") {
      throw new FaultError({
        position: token.start + token.text.length - 1,
        found: quoted(name),
        expected: "a name",
        hint: "the text ends before the name of the second event",
      });
    }
    const stop = this.#sentenceInside(name);
    if (stop !== null) {
      throw new FaultError(runOn(name, stop, token.start + token.text.indexOf(name, start)));
    }
    return name;
  }

  #sentenceInside(name) {
    const stop = nextSentence(name);
    if (stop === null && name.includes(". ")) {
      return this.opening.search(name, name.indexOf(". "))?.start ?? null;
    }
    return stop;
  }
}

/** Where a name runs into the next sentence: after a full stop that ends no abbreviation. */
export function nextSentence(name) {
  for (let stop = STOP_INSIDE.search(name); stop; stop = STOP_INSIDE.search(name, stop.end)) {
    const { word, next } = stop.groups;
    const initial = length(word) === 1 && !isLower(next);
    if (!initial && !abbreviation.test(word)) return stop.end - next.length;
  }
  return null;
}

export function runOn(name, stop, position) {
  return {
    position: position + stop,
    found: foundAt(name, stop),
    expected: "a point at the start of the sentence",
    hint: "within a name, a full stop may follow an abbreviation, as in St. Mary's Fair",
  };
}

const folded = (name) => (isAscii(name) ? name : name.normalize("NFC").replace(/[’ʼ]/g, "'"));

function uncapitalised(name) {
  const first = Array.from(name.slice(0, 2))[0] ?? "";
  return first.toLowerCase() + name.slice(first.length);
}

/** Map the normal form of each name to its first spelling. */
export function spellings(names) {
  const first = new Map();
  for (const name of names) if (!first.has(folded(name))) first.set(folded(name), name);
  return first;
}

/** Match the name at the start of a claim to a known one, apart from its capital letter. */
export function normalizeSubject(name, known) {
  const bare = name.startsWith("The ") ? name.slice(4) : name;
  for (const candidate of [name, bare, uncapitalised(bare)]) {
    const spelled = known.get(folded(candidate));
    if (spelled !== undefined) return spelled;
  }
  return bare;
}

/** The item with one spelling for each event. */
export function normalize(item, texts, opensWithNames) {
  let spelled = item;
  if (!texts.every(isAscii)) {
    const names = namesOf(item);
    const first = spellings(names);
    spelled = renamed(spelled, new Map(names.map((name) => [name, first.get(folded(name))])));
  }
  if (opensWithNames && !texts.every(allLower)) spelled = lowerOpenings(spelled);
  return spelled;
}

/** Lower capitals at the start of sentences, where the logical domain has names. */
function lowerOpenings(item) {
  const fixed = new Set(item.premise.map((one) => one.right.event));
  fixed.add(sides(item.claim)[1]);
  const names = namesOf(item);
  const lower = new Set(names.filter((name) => !isUpper(name)));
  const changed = names.filter((name) => !fixed.has(name) && lower.has(uncapitalised(name)));
  return renamed(item, new Map(changed.map((name) => [name, uncapitalised(name)])));
}

export const sides = (claim) =>
  claim.order ? [claim.left.event, claim.right.event] : [claim.left, claim.right];

/** All names of an item in the order of their mention, with repetitions. */
export const namesOf = (item) => [
  ...item.premise.flatMap((one) => [one.left.event, one.right.event]),
  ...sides(item.claim),
];

function renamed(item, names) {
  const name = (old) => names.get(old) ?? old;
  const point = (old) => ({ ...old, event: name(old.event) });
  const relation = (old) => ({ ...old, left: point(old.left), right: point(old.right) });
  const { claim } = item;
  return {
    ...item,
    premise: item.premise.map(relation),
    claim: claim.order
      ? relation(claim)
      : { ...claim, left: name(claim.left), right: name(claim.right) },
  };
}
