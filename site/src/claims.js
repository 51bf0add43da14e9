// Claims in the words that people use: "The picnic ended before the parade", or a question. As in
// grammar/eventhop/claims.py, whole events are ordered as in the published claims.

import { unlicensed } from "./licence.js";
import { ORDERS } from "./sentences.js";
import { FaultError } from "./text.js";

const DO = ["did", "does", "do", "will"];
const BE = ["was", "were", "is", "are", "had", "has", "have"];
const MOVED = 12;
const POINTED = /^(?:begin|begun|end|ended|post|sign|(?:of|s|at|have)[-+])$/u;
const WHOLE = {
  "+ < -": ["before", "allen_precedes"],
  "- > +": ["after", "allen_preceded_by"],
  "+ <= -": ["before", "before"],
  "- >= +": ["after", "after"],
};
// Claims about two events in comparisons of points, as in check.py.
const CLAIMS = {
  before: "e<=s", after: "s>=e", overlaps: "s<e e>s", allen_precedes: "e<s", allen_preceded_by: "s>e",
  allen_meets: "e=s", allen_met_by: "s=e", allen_overlaps: "s<s e>s e<e",
  allen_overlapped_by: "s>s s<e e>e", allen_starts: "s=s e<e", allen_started_by: "s=s e>e",
  allen_finishes: "s>s e=e", allen_finished_by: "s<s e=e", allen_during: "s>s e<e",
  allen_contains: "s<s e>e", allen_equals: "s=s e=e",
};

/** A claim of a text, null if it is none; `marked` gets its names. */
export function writtenClaim(text, sentences, known, marked, names, licences) {
  const trimmed = text.trim();
  if (sentences.tables.signs) {
    try {
      return claimOf(sentences.comparison(trimmed));
    } catch (error) {
      if (error instanceof FaultError) return null;
      throw error;
    }
  }
  const every = [...statements(trimmed)].flatMap((form) => {
    const own = { quoted: new Set(), first: new Set(), inner: new Set() };
    try {
      const { rows, words } = sentences.statement(form, own);
      return [{ rows, words, own }];
    } catch (error) {
      if (error instanceof FaultError) return [];
      throw error;
    }
  });
  const plain = every.filter(({ rows, own }) =>
    eventsOf(rows).every((name) => {
      if (names.includes(name) || own.quoted.has(name)) return true;
      const leads = own.first.has(name) && !own.inner.has(name);
      return name !== "\0it" && unlicensed(name, leads, licences) === null;
    }),
  );
  const claims = plain.map((form) => claimFrom(form, known, marked));
  if (new Set(claims.map((claim) => JSON.stringify(claim))).size !== 1 || !claims[0]) return null;
  for (const list of ["quoted", "first", "inner"]) {
    for (const name of plain[0].own[list]) marked[list].add(name);
  }
  return claims[0];
}

const eventsOf = (rows) => [...new Set(rows.flatMap(([left, , right]) => [left[0], right[0]]))];

function* statements(text) {
  const plain = text.replace(/\?$/u, "").replace(/[’ʼ]/gu, "'").replace(/\s/gu, " ").trimEnd();
  const stopless = plain.replace(/[.!]$/u, "");
  const [first, ...words] = stopless.split(" ");
  const verb = first.toLowerCase();
  if (DO.includes(verb)) yield words.join(" ");
  else if (BE.includes(verb)) {
    for (let cut = 1; cut < Math.min(words.length, MOVED + 1); cut += 1) {
      yield [...words.slice(0, cut), verb, ...words.slice(cut)].join(" ");
    }
  } else if (!text.endsWith("?")) yield stopless;
}

function claimFrom({ rows, words, own }, known, marked) {
  const spelled = (name) => {
    const lower = name[0].toLowerCase() + name.slice(1);
    const upper = name[0].toUpperCase() + name.slice(1);
    if (known.has(name)) return name;
    if (own.first.has(name) && !own.inner.has(name) && known.has(lower)) return lower;
    return marked.first.has(upper) && !marked.inner.has(upper) ? upper : name;
  };
  const stated = rows.map(([[p, a], sign, [q, b]]) => [[spelled(p), a], sign, [spelled(q), b]]);
  const others = words.filter(({ kind }) => kind !== "name" && kind !== "stop");
  if (stated.length === 1 && !others.some(({ kind }) => POINTED.test(kind))) {
    const [[left, a], sign, [right, b]] = stated[0];
    const strict = others.some(({ kind, text }) => kind[0] === "@" || text.includes("strictly"));
    const relations = WHOLE[`${a} ${sign} ${b}`];
    if (relations) return { left, relation: relations[Number(strict)], right };
  }
  return claimOf(stated);
}

/** The claim that states the same; about two points, or about two events. */
function claimOf(stated) {
  const point = ([event, bound]) => ({ event, bound: bound === "-" ? "start" : "end" });
  if (stated.length === 1) {
    const [[left, sign, right]] = stated;
    return { left: point(left), order: ORDERS[sign], right: point(right) };
  }
  const sides = eventsOf(stated);
  if (sides.length !== 2) return null;
  for (const [left, right] of [sides, sides.toReversed()]) {
    for (const [relation, comparisons] of Object.entries(CLAIMS)) {
      const form = comparisons.split(" ").map((text) => {
        const bound = (letter) => (letter === "s" ? "-" : "+");
        return [[left, bound(text[0])], text.slice(1, -1), [right, bound(text.at(-1))]];
      });
      if (closure(form, sides) === closure(stated, sides)) return { left, relation, right };
    }
  }
  return null;
}

/** All that follows from relations and durations, as text. */
function closure(stated, events) {
  const points = events.flatMap((event) => [`${event}-`, `${event}+`]);
  const least = points.map(() => points.map(() => 0));
  const add = (p, q, size) => {
    const [low, high] = [points.indexOf(p), points.indexOf(q)];
    least[low][high] = Math.max(least[low][high], size);
  };
  for (const event of events) add(`${event}-`, `${event}+`, 2);
  for (const [left, sign, right] of stated) {
    const [p, q] = [left.join(""), right.join("")];
    const size = sign === "<" || sign === ">" ? 2 : 1;
    if (sign[0] !== ">") add(p, q, size);
    if (sign[0] !== "<") add(q, p, size);
  }
  for (const middle of points.keys()) {
    for (const low of points.keys()) {
      for (const high of points.keys()) {
        const [first, second] = [least[low][middle], least[middle][high]];
        if (first && second) least[low][high] = Math.max(least[low][high], first, second);
      }
    }
  }
  for (const place of points.keys()) if (least[place][place] === 1) least[place][place] = 0;
  return JSON.stringify(least);
}
