// Verdicts and proofs in words.

const ORDER = {
  temporal: ["is before", "is at the same time as"],
  spatial: ["is west of", "is on the same longitude as"],
  logical: ["<", "="],
};

/** Names points and comparisons in the wording of an item. */
export class Words {
  constructor(graph, spatial) {
    const { domain } = graph.item;
    this.graph = graph;
    [this.before, this.equal] = ORDER[domain];
    this.marks =
      domain === "temporal"
        ? ["start of ", "end of "]
        : spatial === "published"
          ? ["eastern edge of ", "western edge of "]
          : ["western edge of ", "eastern edge of "];
    this.symbols = domain === "logical";
  }

  point(p) {
    const name = this.graph.events[p >> 1];
    return this.symbols ? `${name}${(p % 2) + 1}` : `${this.marks[p % 2]}${name}`;
  }

  /** A step of a walk: what follows, and from what. */
  step({ from, to, strict, relation }) {
    const weak = relation !== null && this.graph.relations[relation][1].length === 2;
    const order = strict ? this.before : this.equal;
    return {
      text: weak
        ? this.need({ lower: from, strict, upper: to })
        : `${this.point(from)} ${order} ${this.point(to)}`,
      reason: relation === null ? this.duration : `sentence ${relation + 1}`,
    };
  }

  get duration() {
    if (this.graph.item.domain === "spatial") return "every place has some width";
    return "every event takes time";
  }

  need({ lower, strict, upper }) {
    if (this.symbols) return `${this.point(lower)} ${strict ? "<" : "≤"} ${this.point(upper)}`;
    const order = strict ? this.before : `${this.before} or ${this.equal.replace(/^is /, "")}`;
    return `${this.point(lower)} ${order} ${this.point(upper)}`;
  }

  relation([p, sign, q]) {
    const [from, to] = sign[0] === ">" ? [q, p] : [p, q];
    if (sign.length === 2) return this.need({ lower: from, strict: false, upper: to });
    return `${this.point(from)} ${sign === "=" ? this.equal : this.before} ${this.point(to)}`;
  }

  claim() {
    const { claim } = this.graph.item;
    if (claim.order) {
      const { lower, strict, upper } = this.graph.needs[0];
      return this.relation([lower, strict ? "<" : "=", upper]);
    }
    const name = claim.relation === "overlaps" ? "overlaps with" : claim.relation.replace("allen_", "").replaceAll("_", " ");
    return `${claim.left} ${name} ${claim.right}`;
  }
}

/** One sentence about a status. */
export const STATUS = {
  entailed: "The premise forces the claim.",
  refuted: "The premise rules the claim out.",
  unknown: "The premise leaves the claim open.",
  contradictory: "The premise contradicts itself about the points of the claim.",
};

export const POLICIES = {
  local: "undefined only where points of the claim contradict each other (the paper's definition)",
  global: "undefined where anything in the premise contradicts itself (classical logic)",
  published: "what the paper's algorithms answer as printed, faults included; no logic, so no proof",
};

export const FAULT_WORDS = {
  "simultaneous-exempt": "points that are derivably equal are never called contradictory",
  "same-event-exempt": "an event whose end is derivably before its start is exempted",
  "seen-early": "the search marks a point as seen with or without a strict step, and misses later strict ones",
  "pair-unchecked": "two of the six pairs of points are never looked at",
  "overlap-by-absence": "overlap is concluded from the absence of an order of the two starts",
};
