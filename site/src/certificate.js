// Makes the certificate of a verdict: see docs/certificates.md. What is made here proves nothing
// until check.js has accepted it.

/**
 * @param graph of the item
 * @param verdict status and consistent, as an engine has decided them
 * @returns { hops, walks, cycle, timelines, distances } in numbers of points; a walk is
 *   { first, steps } with the steps of the graph
 */
export function certify(graph, { status, consistent }) {
  const search = new Searches(graph);
  const found = { hops: null, walks: [], cycle: null, timelines: [], distances: [] };
  if (status === "contradictory") {
    found.cycle = search.around(graph.pairs);
  } else {
    found.timelines.push(search.order.timeline());
    if (!consistent) {
      found.cycle = search.around(Array.from({ length: graph.size }, (_, p) => [p, p]));
    }
  }
  let goals = [];
  if (status === "entailed") {
    found.walks = graph.needs.map((one) => search.walk(one));
    found.hops = Math.max(...found.walks.map(cost));
    goals = graph.needs.map((one) => one.lower);
  } else if (status === "refuted") {
    const walks = graph.opposites.map((one) => search.walk(one)).filter(Boolean);
    found.walks = [walks.reduce((best, one) => (cost(one) < cost(best) ? one : best))];
    found.hops = cost(found.walks[0]);
    goals = graph.opposites.map((one) => one.lower);
  } else if (status === "unknown") {
    const open = graph.needs.find((one) => !search.walk(one));
    for (const one of [open, ...graph.opposites]) {
      if (!found.timelines.some((at) => refutes(graph, at, one))) {
        found.timelines.push(search.order.counterexample(one));
      }
    }
  } else {
    found.hops = cost(found.cycle);
    goals = graph.claimed;
  }
  if (found.hops) {
    found.distances = [...new Set(goals)].map((from) => search.from(from).table(found.hops));
  }
  return found;
}

/** The number of relations on a walk; durations are free. */
export const cost = (walk) => walk.steps.filter(({ relation }) => relation !== null).length;

class Searches {
  constructor(graph) {
    this.graph = graph;
    this.order = new Order(graph);
    this.made = new Map();
  }

  from(point) {
    if (!this.made.has(point)) this.made.set(point, new Search(this.graph, point));
    return this.made.get(point);
  }

  /** A shortest walk that derives a need, or null. */
  walk({ lower, strict, upper }) {
    const search = this.from(lower);
    const kinds = strict ? [1] : [0, 1];
    const best = kinds.reduce((a, b) => (search.distance(upper, b) < search.distance(upper, a) ? b : a));
    return search.walk(upper, best);
  }

  /** A shortest closed walk with a strict step through both points of one of the pairs. */
  around(pairs) {
    let best = null;
    for (const [p, q] of pairs) {
      const choices =
        p === q
          ? [[{ lower: p, strict: true, upper: p }]]
          : [true, false].map((strict) => [
              { lower: p, strict, upper: q },
              { lower: q, strict: !strict, upper: p },
            ]);
      for (const needs of choices) {
        const walks = needs.map((one) => this.walk(one));
        if (walks.some((one) => one === null)) continue;
        const walk = { first: p, steps: walks.flatMap((one) => one.steps) };
        if (best === null || cost(walk) < cost(best)) best = walk;
      }
    }
    return best;
  }
}

/** The fewest relations of walks from a point, with and without a strict step. */
class Search {
  constructor(graph, source) {
    this.graph = graph;
    this.source = source;
    // State 2p: at p by loose steps alone; 2p + 1: at p after a strict step.
    this.distances = new Array(2 * graph.size).fill(Infinity);
    this.before = new Array(2 * graph.size).fill(null);
    this.distances[2 * source] = 0;
    const done = new Array(2 * graph.size).fill(false);
    // Steps cost nothing or 1: states at the same distance come before those one further.
    let [near, far] = [[2 * source], []];
    while (near.length) {
      const state = near.pop();
      if (!done[state]) {
        done[state] = true;
        for (const step of graph.steps[state >> 1]) {
          const next = 2 * step.to + (step.strict || state % 2 ? 1 : 0);
          const distance = this.distances[state] + (step.relation === null ? 0 : 1);
          if (distance < this.distances[next]) {
            this.distances[next] = distance;
            this.before[next] = [state, step];
            (step.relation === null ? near : far).push(next);
          }
        }
      }
      if (!near.length) [near, far] = [far, []];
    }
  }

  distance(point, strict) {
    return this.distances[2 * point + strict];
  }

  walk(point, strict) {
    if (this.distance(point, strict) === Infinity) return null;
    const steps = [];
    for (let state = 2 * point + strict; this.before[state]; ) {
      const [previous, step] = this.before[state];
      steps.push(step);
      state = previous;
    }
    return { first: this.source, steps: steps.reverse() };
  }

  reaches(point) {
    return Math.min(this.distance(point, 0), this.distance(point, 1)) < Infinity;
  }

  /** Lower bounds up to a number of hops, which is what has to be shown. */
  table(hops) {
    const near = [];
    for (let point = 0; point < this.graph.size; point += 1) {
      const bounds = [0, 1].map((strict) => Math.min(this.distance(point, strict), hops));
      if (bounds.some((one) => one < hops)) near.push([point, ...bounds]);
    }
    return { from: this.source, beyond: hops, near };
  }
}

/** For each point the number of its component, in topological order. */
export const components = (graph) => new Order(graph).timeline();

/** The components of the points in topological order. */
class Order {
  constructor(graph) {
    this.graph = graph;
    this.next = graph.steps.map((steps) => steps.map(({ to }) => to));
  }

  /** A number for each point: equal in a component, and rising along steps between components. */
  timeline() {
    return numbered(this.next);
  }

  /** A monotone timeline on which a need that cannot be derived does not hold. */
  counterexample({ lower, upper }) {
    const after = reachable(this.next, lower);
    const at = this.timeline();
    if (!after[upper]) return at.map((instant, point) => instant + (after[point] ? at.length : 0));
    // lower <= upper follows: all points between the two are put to one instant.
    const backwards = this.next.map(() => []);
    this.next.forEach((targets, from) => targets.forEach((to) => backwards[to].push(from)));
    const ahead = reachable(backwards, upper);
    const merged = this.next.map((targets, point) =>
      after[point] && ahead[point] ? [...targets, lower] : targets,
    );
    return numbered(merged);
  }
}

function reachable(next, from) {
  const found = next.map(() => false);
  found[from] = true;
  const waiting = [from];
  while (waiting.length) {
    for (const to of next[waiting.pop()]) {
      if (!found[to]) {
        found[to] = true;
        waiting.push(to);
      }
    }
  }
  return found;
}

/** Tarjan's components without recursion; sources get the smallest numbers. */
function numbered(next) {
  const size = next.length;
  const index = new Array(size).fill(-1);
  const low = new Array(size).fill(0);
  const component = new Array(size).fill(-1);
  const open = [];
  let visited = 0;
  let components = 0;
  for (let root = 0; root < size; root += 1) {
    if (index[root] !== -1) continue;
    const calls = [[root, 0]];
    while (calls.length) {
      const call = calls.at(-1);
      const [point, tried] = call;
      if (tried === 0) {
        index[point] = low[point] = visited;
        visited += 1;
        open.push(point);
      }
      if (tried < next[point].length) {
        call[1] += 1;
        const to = next[point][tried];
        if (index[to] === -1) calls.push([to, 0]);
        else if (component[to] === -1) low[point] = Math.min(low[point], index[to]);
        continue;
      }
      if (low[point] === index[point]) {
        let member;
        do {
          member = open.pop();
          component[member] = components;
        } while (member !== point);
        components += 1;
      }
      calls.pop();
      if (calls.length) {
        const [caller] = calls.at(-1);
        low[caller] = Math.min(low[caller], low[point]);
      }
    }
  }
  return component.map((one) => components - 1 - one);
}

function refutes(graph, at, { lower, strict, upper }) {
  if (at[upper] < at[lower]) return true;
  if (!strict || at[upper] > at[lower]) return false;
  return !graph.steps.flat().some((step) => step.strict && at[step.from] === at[step.to] && at[step.from] === at[lower]);
}

/** A certificate with names of points, as `items.jsonl` has it. */
export function written(graph, { walks, cycle, timelines, distances }) {
  const walk = ({ first, steps }) => ({
    from: graph.point(first),
    steps: steps.map(({ relation }) => relation),
  });
  return {
    walks: walks.map(walk),
    cycle: cycle && walk(cycle),
    timelines: timelines.map((at) => at.map((instant, point) => [graph.point(point), instant])),
    distances: distances.map(({ from, beyond, near }) => ({
      from: graph.point(from),
      beyond,
      near: near.map(([point, ...bounds]) => [graph.point(point), ...bounds]),
    })),
  };
}

/** An item with its verdict and certificate, as a line of `items.jsonl` has them. */
export function row(given, graph, verdict) {
  const { id = "given", premise, claim, spatial = "geometric", policy, names = [], phrases = [] } = given;
  const certificate = certify(graph, verdict);
  const listed = names.filter((name) => graph.events.includes(name)).sort();
  const { status, label, consistent } = verdict;
  return {
    id,
    premise,
    claim,
    domain: graph.item.domain,
    spatial,
    policy,
    ...(listed.length ? { names: listed } : {}),
    ...(phrases.length ? { phrases } : {}),
    verdict: { status, label, consistent, hops: certificate.hops },
    certificate: written(graph, certificate),
  };
}
