// The procedure that labelled the published files, with its five faults as switches: Algorithms 1 to
// 7 of the paper as printed (solver/eventhop/published.py). It is no logic, and proves nothing.

export const FAULTS = [
  "simultaneous-exempt",
  "same-event-exempt",
  "seen-early",
  "pair-unchecked",
  "overlap-by-absence",
];

const ORDERS = ["before", "after", "simultaneous"];

/** The label of the procedure with some faults repaired; null for what it does not know. */
export function publishedLabel(graph, repaired = new Set()) {
  const { claim, premise } = graph.item;
  if (!premise.every((relation) => ORDERS.includes(relation.order))) return null;
  if (claim.order || !["before", "after", "overlaps"].includes(claim.relation)) return null;
  return new Procedure(graph, repaired).label(claim);
}

/** The smallest set of faults whose repair gives the right label; null if the label is right. */
export function causes(graph, right) {
  const label = publishedLabel(graph);
  if (label === null || label === right) return null;
  for (let size = 1; size <= FAULTS.length; size += 1) {
    for (const faults of combinations(FAULTS, size)) {
      if (publishedLabel(graph, new Set(faults)) === right) return faults;
    }
  }
  return null;
}

function* combinations(values, size, from = 0) {
  if (size === 0) yield [];
  else {
    for (let i = from; i < values.length; i += 1) {
      for (const rest of combinations(values, size - 1, i + 1)) yield [values[i], ...rest];
    }
  }
}

class Procedure {
  constructor(graph, repaired) {
    this.graph = graph;
    this.repaired = repaired;
  }

  label({ relation, left, right }) {
    const [a, b] = [left, right].map((name) => 2 * this.graph.events.indexOf(name));
    if (this.#contradictoryEvents(a, b)) return "undefined";
    const holds = {
      before: () => this.#strictlyBefore(a, b),
      after: () => this.#strictlyBefore(b, a),
      overlaps: () => this.#overlaps(a, b) || this.#overlaps(b, a),
    }[relation]();
    return String(holds);
  }

  /** Algorithm 1. */
  #overlaps(a, b) {
    if (this.#before(a + 1, a) || this.#before(b + 1, b)) return false;
    if (this.repaired.has("overlap-by-absence")) return this.#before(a, b + 1) && this.#before(b, a + 1);
    return (!this.#before(b, a) || this.#before(a, b)) && this.#before(b, a + 1);
  }

  /** Algorithm 2. */
  #before(p, q) {
    const reached = new Set();
    const seen = new Set();
    const stack = [[p, false]];
    const early = !this.repaired.has("seen-early");
    while (stack.length) {
      const [point, strict] = stack.pop();
      const state = early ? point : 2 * point + (strict ? 1 : 0);
      if (seen.has(state)) continue;
      seen.add(state);
      for (const step of this.graph.steps[point]) {
        const arrival = strict || step.strict;
        if (arrival) reached.add(step.to);
        stack.push([step.to, arrival]);
      }
    }
    return reached.has(q);
  }

  /** Algorithm 3. */
  #contradictoryEvents(a, b) {
    const pairs = [[a, b], [a, a + 1], [a, b + 1], [b, b + 1]];
    if (this.repaired.has("pair-unchecked")) pairs.push([a + 1, b + 1], [a + 1, b]);
    return pairs.some(([p, q]) => this.#contradictory(p, q));
  }

  /** Algorithm 4. */
  #contradictory(p, q) {
    const oneEvent = p % 2 === 0 && q === p + 1;
    if (oneEvent && !this.repaired.has("same-event-exempt")) return false;
    if (!this.#before(p, q) || !this.#before(q, p)) return false;
    return this.repaired.has("simultaneous-exempt") || !this.#equal(p, q);
  }

  /** Algorithm 6. */
  #equal(p, q) {
    const seen = new Set([p]);
    const stack = [p];
    while (stack.length) {
      for (const step of this.graph.steps[stack.pop()]) {
        if (!step.strict && !seen.has(step.to)) {
          seen.add(step.to);
          stack.push(step.to);
        }
      }
    }
    return p !== q && seen.has(q);
  }

  /** Algorithm 7. */
  #strictlyBefore(a, b) {
    return this.#before(a, b) && (this.#before(a + 1, b) || this.#equal(a + 1, b));
  }
}
