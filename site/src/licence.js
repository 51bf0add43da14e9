// Which names may be read: words that change the meaning of a sentence belong to no plain name, as in
// grammar/eventhop/words.py. The words are those of sentences.toml.

import { quoted, ReadError } from "./text.js";

const HINT = "if it is part of a name, list the name with --names";
const IDENTIFIED = /^(?:.* )?[a-z]{1,4}[0-9]+$/u;
const MARKS = /[,;:?!()[\]{}"“”]| [-–—] |—/u;
const WORD = /\p{L}+(?:['’-]\p{L}+)*|n't/gu;

const isCapital = (word) => /^\p{Lu}/u.test(word);
const isSmall = (word) => word[0] !== word[0].toUpperCase();

/** A name with a word that may change the meaning of its sentence. */
export class UnlicensedError extends ReadError {
  code = "unlicensed-words";
}

/** The words of each list, as sets. */
export function licences(lists) {
  return Object.fromEntries(Object.entries(lists).map(([name, words]) => [name, new Set(words)]));
}

/** The first word or mark for which a name is not plain; null if it is. */
export function unlicensed(name, first, known) {
  const mark = MARKS.exec(name);
  if (mark) return mark[0].trim();
  if (known.articles.has(name)) return name;
  const parts = name.split(/\s+/u).filter(Boolean);
  for (const end of [parts[0], parts.at(-1)]) if (known.prepositions.has(end)) return end;
  const words = [...name.matchAll(WORD)].map(([word]) => word.replaceAll("’", "'"));
  for (const [place, word] of words.entries()) {
    const small = word.toLowerCase();
    const said = first && place === 0 && !known.capitals.has(small) ? small : word;
    const stem = said.endsWith("'s") ? said.slice(0, -2) : said;
    const numbered = place && known.numbered.has(words[place - 1].toLowerCase());
    if (numbered && (word === "one" || word === "One")) continue;
    if (known.operators.has(said) || known.operators.has(stem) || said.endsWith("n't")) return word;
    const adverb = stem.length > 3 && stem.endsWith("ly") && stem === stem.toLowerCase();
    if (adverb && !known.nouns.has(stem)) return word;
    if (!isSmall(word)) continue;
    if (place === 0 && ["the", "a", "an"].includes(word) && words.length > 1) return word;
    if (place && known.articles.has(word) && !known.prepositions.has(words[place - 1])) return word;
    const between = words.slice(0, place).some(isCapital) && words.slice(place + 1).some(isCapital);
    if (between && !known.between.has(word)) return word;
  }
  const last = words.length > 1 ? words.at(-1) : "";
  if (last && isSmall(last)) {
    const past = last.endsWith("ed") && !known.nouns_in_ed.has(last);
    if (past || known.pasts.has(last) || known.particles.has(last)) return last;
  }
  return null;
}

/** Reject an item with a name that is not licensed. */
export function check(item, premise, claim, known, listed = [], marked = null, others = null) {
  if (item.domain === "logical") return;
  const points = item.premise.flatMap(({ left, right }) => [left.event, right.event]);
  const { left, right } = item.claim;
  const claimed = item.claim.order ? [left.event, right.event] : [left, right];
  const names = [...new Set([...points, ...claimed])];
  if (names.every((name) => IDENTIFIED.test(name))) return;
  const starts = !item.claim.order && !points.includes(left) ? left : null;
  const leads = (name) => name === starts || marked?.leading.has(name);
  const plain = names.filter((name) => !listed.includes(name) && !marked?.quoted.has(name));
  for (const name of plain) {
    const word = unlicensed(name, leads(name), known);
    if (word !== null) throw failure(premise, claim, name, word);
  }
  for (const name of others ? names.filter((one) => !listed.includes(one) && !marked?.quoted.has(one)) : []) {
    const word = others.inside(name);
    if (word !== null) throw failure(premise, claim, name, word);
  }
  for (const name of plain) {
    for (const other of names) {
      const [text, inside] = [name, other].map((some) => ` ${some.toLowerCase()} `);
      if (inside !== text && text.includes(inside)) {
        const [first] = text.replace(inside, " ").trim().split(/\s+/u);
        const [word] = name.slice(text.indexOf(` ${first} `)).trim().split(/\s+/u);
        throw failure(premise, claim, name, word);
      }
    }
  }
}

function failure(premise, claim, name, word) {
  const [part, text] = premise.includes(name) ? ["premise", premise] : ["claim", claim];
  const place = Math.max(text.indexOf(name), 0);
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "u").exec(name);
  const inside = whole ? whole.index : name.indexOf(word);
  const before = name.slice(0, Math.max(inside, 0)).trim();
  let found = quoted(word);
  if (before) {
    const rest = name.slice(inside + word.length).trim().split(/\s+/u).filter(Boolean);
    const after = text.slice(place + name.length).trim().split(/\s+/u).filter(Boolean);
    const next = rest[0] ?? after[0];
    found += ` between ${quoted(before)} and ${next ? quoted(next) : "the end of the text"}`;
  }
  const blanks = text.length - text.trimStart().length;
  const position = place + Math.max(inside, 0) - blanks;
  return new UnlicensedError(part, text, { position, found, expected: "a relation", hint: HINT });
}
