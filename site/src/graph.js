// An item as a graph of points: event e has the points 2e (its start) and 2e + 1 (its end). The
// engine's facts, the certificates and the drawings are made from it.

import { namesOf } from "./names.js";
import { ORDERS } from "./sentences.js";

/** The comparisons that define each claim: bound of the first event, sign, bound of the second. */
export const CLAIMS = {
  before: ["e<=s"],
  after: ["s>=e"],
  overlaps: ["s<e", "e>s"],
  allen_precedes: ["e<s"],
  allen_meets: ["e=s"],
  allen_overlaps: ["s<s", "e>s", "e<e"],
  allen_finished_by: ["s<s", "e=e"],
  allen_contains: ["s<s", "e>e"],
  allen_starts: ["s=s", "e<e"],
  allen_equals: ["s=s", "e=e"],
  allen_started_by: ["s=s", "e>e"],
  allen_during: ["s>s", "e<e"],
  allen_finishes: ["s>s", "e=e"],
  allen_overlapped_by: ["s>s", "s<e", "e>e"],
  allen_met_by: ["s=e"],
  allen_preceded_by: ["s>e"],
};

const SIGNS = Object.fromEntries(Object.entries(ORDERS).map(([sign, order]) => [order, sign]));

export class Graph {
  constructor(item) {
    this.item = item;
    this.events = [...new Set(namesOf(item))];
    const numbers = new Map(this.events.map((name, number) => [name, number]));
    const at = ({ event, bound }) => 2 * numbers.get(event) + (bound === "end" ? 1 : 0);
    this.size = 2 * this.events.length;
    this.relations = item.premise.map((one) => [at(one.left), SIGNS[one.order], at(one.right)]);
    // Steps by their first point: { from, to, strict, relation }; a duration has the relation null.
    this.steps = Array.from({ length: this.size }, () => []);
    this.events.forEach((_, event) => this.#step(2 * event, 2 * event + 1, true, null));
    this.relations.forEach(([p, sign, q], relation) => {
      if (sign[0] !== ">") this.#step(p, q, sign === "<", relation);
      if (sign[0] !== "<") this.#step(q, p, sign === ">", relation);
    });
    this.#claim(item.claim, at, numbers);
  }

  #step(from, to, strict, relation) {
    this.steps[from].push({ from, to, strict, relation });
  }

  #claim(claim, at, numbers) {
    let comparisons;
    if (claim.order) {
      const [p, q] = [at(claim.left), at(claim.right)];
      comparisons = [[p, SIGNS[claim.order], q]];
      this.claimed = [...new Set([p, q])];
      this.self = p === q;
    } else {
      const [p, q] = [2 * numbers.get(claim.left), 2 * numbers.get(claim.right)];
      comparisons = CLAIMS[claim.relation].map((one) => [
        p + (one[0] === "e" ? 1 : 0),
        one.slice(1, -1),
        q + (one.at(-1) === "e" ? 1 : 0),
      ]);
      this.claimed = [...new Set([p, p + 1, q, q + 1])];
      this.self = p === q;
    }
    this.needs = comparisons.flatMap(([p, sign, q]) => {
      if (sign === "=") return [need(p, false, q), need(q, false, p)];
      return sign[0] === "<" ? [need(p, sign === "<", q)] : [need(q, sign === ">", p)];
    });
    this.opposites = this.needs.map((one) => need(one.upper, !one.strict, one.lower));
    this.pairs = [];
    this.claimed.forEach((p, i) => {
      for (const q of this.claimed.slice(i + 1)) this.pairs.push([p, q]);
    });
    if (this.self) for (const p of this.claimed) this.pairs.push([p, p]);
  }

  /** The name of a point, as certificates write it. */
  point(number) {
    return `${number % 2 ? "end" : "start"} of ${this.events[number >> 1]}`;
  }
}

const need = (lower, strict, upper) => ({ lower, strict, upper });
