// Sentences that people write: "Before B started, A had ended". All readings of a sentence are found,
// and one with none or several is refused. What is read is the language of
// grammar/eventhop/sentences.lark, with the words of sentences.toml.
//
// A place is [event, bound] with the bound "-" or "+", a statement [place, sign, place]. A verb is
// { state, extras, end }: what it states of its subjects (null if nothing), what relative clauses
// state of its objects, and where it ends.

import { BLANK, FaultError, foundAt, SPACE } from "./text.js";

const MOST = 2000;
const MOST_TEXT = 20000;
const NAME_LIMIT = 200;
const SHARES = "A- < B+, B- < A+";
const EQUALS = "A- = B-, A+ = B+";
const SIGNS = { "<": "<", ">": ">", "=": "=", "==": "=", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">=" };
const ORDER = {
  ...{ before: "<", after: ">", earlier: "<", later: ">", same: "=", soon: "=", once: ">=", by: "<=" },
  ...{ when: "=", together: "=", not_earlier: ">=", not_later: "<=" },
};
const TIMED = ["same", "when", "together"];
const WHOLLY = [
  ...["the whole of the", "the whole of", "all of the", "all of", "the whole", "the entire"],
  ...["the period of the", "the period of"],
];
const LONGEST = 10;
const MOST_WORDS = 200;
const BARE = { before: "<", after: ">", earlier: "<", later: ">" };
const POINTED = { begin: "-", begun: "-", end: "+", ended: "+" };
const SMALL = {
  and: "and", "&": "and", but: "but", both: "both", which: "which", that: "that", it: "it",
  did: "did", does: "did", do: "did", had: "had", what: "what", then: "then", ",": ",",
};
/** Categories of words that say when something is. */
const TIMES = [
  ...["before", "after", "earlier", "later", "not_earlier", "not_later", "same", "when", "soon"],
  ...["once", "by", "between", "during", "while", "at-", "at+"],
];
const WAS = ["was", "is", "were", "are"];
const STARTS = [".start", ".begin", ".west"];
const ENDS = [".end", ".finish", ".east"];
const IT = "\0it";
const COPULAS = new Set(["was", "is", "were", "are", "came", "comes", "come", "had been", "will be", "had come", "will come"]);

/** Words at the end of a sentence about what comes next. */
const THEREAFTER = new Set([
  ...["after that", "after this", "afterwards", "afterward", "later", "later on"],
  ...["thereafter", "subsequently", "next"],
]);
/** Verbs of an end that may say that something is over: "with the race finished". */
const FINISHED = new Set(["finished", "ended", "concluded"]);
const FOLLOWED = new Set(["followed", "follows", "follow"]);
/** Verbs of a whole event before their subject: "after the soup came the salad". */
const INVERTED = new Set([
  ...["came", "comes", "come", "is", "are", "was", "were", "lies", "lie", "lay"],
  ...["stands", "stand", "stood", "sits", "sit", "sat"],
]);

/** The start of a sentence about what comes after the one before it, of which it is a part. */
const LATER = new RegExp(
  `[.;](${BLANK}+)([Tt]hen|[Aa]fterwards?|[Ll]ater|[Ss]ubsequently|[Tt]hereafter|[Aa]fter that)(?=,?${BLANK})`,
  "gu",
);

const CALLED_POINT = new RegExp(`(?<![\\p{L}\\p{N}_])(start|begin|end|finish)\\(([^${SPACE}()]+)\\)`, "gu");
const CALLED = new RegExp(`(?<![\\p{L}\\p{N}_])([a-z_]+)\\(([^${SPACE}(),]+), ?([^${SPACE}(),]+)\\)`, "gu");

const STOP = new RegExp(
  `"[^"]*"|“[^”]*”|(?:(?<![\\p{L}\\p{N}_])([\\p{L}\\p{N}_]*))?([.;!])${BLANK}+`,
  "gu",
);
const BLANKS = new RegExp(`(?<![.;!${SPACE}])(?:${BLANK}${BLANK}|(?! )${BLANK})`, "u");
const AFTERWARDS = new RegExp(
  `;(${BLANK}+)(?=[^.;!?]*${BLANK}(?:afterwards?|after that|later|thereafter|subsequently)(?:[.;!]|$))`,
  "gu",
);
const JOINTS = new RegExp(`,? and |, | & |; |\\.${BLANK}+`, "u");
export const SIDE = new RegExp(`^[^${SPACE}<>=≤≥.,;:!?()[\\]{}"]{1,200}$`, "u");
export const ORDERS = {
  ...{ "<": "before", ">": "after", "=": "simultaneous" },
  ...{ "<=": "not_after", ">=": "not_before" },
};

const isSmall = (text) => /^\p{Ll}/u.test(text);
const isLower = (text) => text !== "" && text[0] !== text[0].toUpperCase();
const perfect = (kind) => kind === "begun" || kind === "ended";
const beyond = (sign) => (sign === "<" ? "A+ < B-" : "A- > B+");
const edge = (sign) => (sign === "<" ? "-" : "+");
/** Whether "after the race and the picnic started" may mean the end of the race. */
const loose = (sign, targets) =>
  (sign === "<" || sign === ">") && Boolean(targets.loose) && targets.loose !== edge(sign);
/** Whether "was on before lunch" may say that an event ended before, too. */
const unclear = ({ sort, text }) =>
  sort === "going" && (text === "continued" || (text.endsWith(" on") && !text.endsWith("going on")));
const clauses = (some) => some.flatMap(({ clause }) => clause);

/** The statements of a meaning about A and B; a point of A alone if A has a bound. */
function meant(meaning, a, b) {
  const place = (side) => {
    const [event, bound] = side[0] === "A" ? a : b;
    return [event, side[1] ?? (bound || a[1])];
  };
  return meaning.split(", ").map((part) => {
    const [left, sign, right] = part.split(" ");
    return [place(left), sign, place(right)];
  });
}

const relates = (meaning, some) => (subjects) =>
  subjects.flatMap((a) => some.flatMap(({ name }) => meant(meaning, a, [name, ""])));

const inARow = (meaning) => (subjects) =>
  subjects.length < 2
    ? null
    : subjects.slice(1).flatMap((b, place) => meant(meaning, subjects[place], b));

const ordersPoints = (bound, orders) => (subjects) =>
  subjects.flatMap(([event, own]) =>
    orders.flatMap(([sign, { places }]) => places.map((spot) => [[event, bound ?? own], sign, spot])),
  );

const spans = (...orders) => (subjects) =>
  subjects.flatMap(([event]) => orders.map(([bound, sign, place]) => [[event, bound], sign, place]));

/** What two states say of each subject; null if one of them says nothing. */
const all = (first, second) =>
  first && second ? (subjects) => subjects.flatMap((a) => [...first([a]), ...second([a])]) : null;

const inOrder = (some) =>
  some.slice(1).map(({ name }, place) => [[some[place].name, "+"], "<", [name, "-"]]);

/** The sign of an order, of verbs that are perfect or not: "A had ended when B began". */
function timed(sign, kind, done, other) {
  if (!TIMED.includes(kind) || !(done || other)) return sign;
  if (kind !== "when" || (done && other)) return null;
  return done ? "<=" : ">=";
}

const goesOn = (places) => (subjects) =>
  subjects.flatMap(([event]) =>
    places.flatMap((place) => [
      [[event, "-"], "<", place],
      [[event, "+"], ">", place],
    ]),
  );

// Adverbials: what each states with a verb { sort, bound, done, text, first }, whose sort is point
// (with the bound "" if the subject is a point), whole, going, or both for the two points of an event;
// `first` if the adverbial is before the subject. Null if they mean nothing together.

const HAPPENED = { sort: "whole", text: "took place" };
const ends = ({ sort, bound }) => (sort === "point" ? [bound, bound] : ["-", "+"]);

const atPoints = (sign, kind, when, targets) => (main) => {
  if (main.sort === "point") {
    const found = timed(sign, kind, main.done || (!main.bound && targets.done), targets.done);
    return found === null ? null : ordersPoints(main.bound || null, [[found, targets]]);
  }
  if (Object.hasOwn(BARE, kind) && main.sort !== "both") {
    const bound = (sign === "<") === (main.sort === "whole") ? "+" : "-";
    return unclear(main) ? null : ordersPoints(bound, [[sign, targets]]);
  }
  return main.sort === "going" && when && !targets.done ? goesOn(targets.places) : null;
};

const atEvents = (sign, near, some) => (main) => {
  if (main.sort === "whole") return relates(beyond(sign), some);
  if (unclear(main) || main.sort === "both" || (main.sort === "point" && !near)) return null;
  // "The middle of the race" is no event.
  if (main.sort === "point" && !main.bound && some.some(({ name }) => /^[a-z]+ of /u.test(name))) return null;
  return relates(`A${main.sort === "going" ? edge(sign) : main.bound} ${sign} B${edge(sign)}`, some);
};

/** Before the subject, what had ended there may have ended before. */
const atMark = (place) => (main) => {
  if (main.sort === "going") return goesOn([place]);
  if (main.sort !== "point" || (main.done && !main.first)) return null;
  return ordersPoints(main.bound || null, [[main.done ? "<=" : "=", { places: [place] }]]);
};

const inside = (some) => (main) => {
  const [low, high] = ends(main);
  return main.sort === "going" ? null : relates(`A${low} > B-, A${high} < B+`, some);
};

const insideGoing = (some) => (main) => (main.sort === "point" && main.bound ? inside(some)(main) : null);

const between = (first, last) => (main) => {
  const [low, high] = ends(main);
  if (main.sort === "going") return null;
  return all(relates(`A${low} > B+`, [first]), relates(`A${high} < B-`, [last]));
};

const betweenPoints = (early, late) => (main) => {
  const [low, high] = ends(main);
  const after = ordersPoints(low || null, [[">", { places: [early] }]]);
  const before = ordersPoints(high || null, [["<", { places: [late] }]]);
  return main.sort === "going" ? null : all(after, before);
};

const goingAlone = (state) => (main) => (main.sort === "going" ? state : null);

/** What ``began and ended`` and an adverbial state. */
function bothPoints(of, first, second) {
  if (!first?.bound || !second?.bound || first.bound === second.bound) return null;
  return of({ sort: "both", text: "" }) ?? all(of(first), of(second));
}

function stated(subjects, verbs) {
  const found = [];
  for (const { state, extras } of verbs) {
    const part = state(subjects);
    if (part === null) return null;
    found.push(...part, ...extras);
  }
  return found;
}

const subjectsOf = (some) => some.map(({ name }) => [name, ""]);

/** All readings of the words of one sentence. */
class Words {
  constructor(words) {
    this.words = words;
    this.items = new Map();
  }

  is(at, ...kinds) {
    return at < this.words.length && kinds.includes(this.words[at].kind);
  }

  kind(at) {
    return this.words[at]?.kind ?? "";
  }

  *conjuncts(at) {
    for (const [first, end] of this.conjunct(at)) {
      yield [[first], end];
      for (const start of this.joints(end)) {
        for (const [rest, last] of this.conjuncts(start)) yield [[first, ...rest], last];
      }
    }
  }

  *joints(at) {
    const comma = this.is(at, ",");
    const inner = at + comma;
    if (this.is(inner, "and")) {
      yield inner + 1;
      if (this.is(inner + 1, "then")) yield inner + 2;
    }
    if (this.is(inner, "but", "though")) yield inner + 1;
    if (comma) {
      yield inner;
      if (this.is(inner, "then", "while", "whereas")) yield inner + 1;
    }
  }

  *also(at) {
    const inner = at + this.is(at, ",");
    if (this.is(inner, "and", "but")) yield inner + 1;
  }

  *conjunct(at) {
    yield* this.aboutEvents(at);
    yield* this.aboutPoints(at);
    yield* this.pair(at);
    yield* this.gapped(at);
    yield* this.fronted(at);
  }

  *verbs(at, one) {
    for (const verb of one(at)) {
      yield [verb];
      for (const start of this.also(verb.end)) {
        for (const rest of this.verbs(start, one)) yield [verb, ...rest];
      }
    }
  }

  *aboutEvents(at) {
    yield* this.participle(at);
    for (const [some, middle] of this.subjects(at)) {
      const aside = this.is(middle, ",") && this.is(middle + 1, "aside") && this.is(middle + 2, ",");
      const start = middle + 3 * aside;
      for (const verbs of this.verbs(start, (place) => this.verb(place))) {
        const found = stated(subjectsOf(some), verbs);
        if (!found) continue;
        let { end } = verbs.at(-1);
        const rows = [...found, ...clauses(some)];
        yield [rows, end];
        yield* this.otherEvent(rows, end);
        end += this.is(end, ",");
        end += this.is(end, "and");
        for (const [others, last] of this.is(end, "so_did") ? this.names(end + 1) : []) {
          const more = stated(subjectsOf(others), verbs);
          if (more) yield [[...rows, ...more, ...clauses(others)], last];
        }
      }
    }
  }

  /** ``Begun before B, A ended after C``. */
  *participle(at) {
    if (!this.is(at, "being")) return;
    for (const early of this.clauseVerbs(at + 1)) {
      if (!this.is(early.at(-1).end, ",")) continue;
      for (const [some, start] of this.subjects(early.at(-1).end + 1)) {
        for (const late of this.verbs(start, (place) => this.verb(place))) {
          const found = stated(subjectsOf(some), [...early, ...late]);
          if (found) yield [[...found, ...clauses(some)], late.at(-1).end];
        }
      }
    }
  }

  /** ``A began before B, but B ended later``: later than the other of the two events. */
  *otherEvent(rows, at) {
    const but = at + this.is(at, ",");
    if (!this.is(but, "but", "while", "whereas")) return;
    const events = [...new Set(rows.flatMap(([left, , right]) => [left[0], right[0]]))];
    for (const [some, end] of this.subjects(but + 1)) {
      const rest = events.filter((event) => event !== some[0].name);
      if (some.length !== 1 || events.length !== 2 || rest.length !== 1) continue;
      const objects = [{ name: rest[0], clause: [] }];
      const bound = POINTED[this.kind(end)];
      const later = this.is(end + 1, "next") && this.words[end + 1].text === "later";
      let verb = null;
      if (bound && (later || this.is(end + 1, "sooner"))) {
        verb = { state: relates(`A${bound} ${later ? ">" : "<"} B${bound}`, objects), extras: [], end: end + 2 };
      } else if (this.kind(end)[0] === "~") {
        verb = { state: relates(this.kind(end).slice(1), objects), extras: [], end: end + 1 };
      }
      for (const [more, last] of verb ? this.states(some, verb) : []) yield [[...rows, ...more], last];
    }
  }

  *aboutPoints(at) {
    for (const [places, start] of this.points(at)) {
      for (const verbs of this.verbs(start, (place) => this.pointVerb(place))) {
        const found = stated(places, verbs);
        if (found) yield [found, verbs.at(-1).end];
      }
    }
    for (const [place, start] of this.point(at)) yield* this.chain(place, start, []);
  }

  *chain(left, at, before) {
    if (!this.is(at, "sign")) return;
    for (const [right, end] of this.point(at + 1)) {
      const found = [...before, [left, SIGNS[this.words[at].text], right]];
      yield [found, end];
      yield* this.chain(right, end, found);
    }
  }

  *pair(at) {
    for (const [some, end] of this.subjects(at)) {
      if (some.length > 1) continue;
      for (const [found, last] of this.after(some, end)) yield [[...found, ...clauses(some)], last];
    }
  }

  /** What is after, or at the same time as, what a verb says of an event; ``then`` alone. */
  *after(some, at, then = false) {
    const sooner = this.happened(at, "+");
    if (!sooner) return;
    const starts = [...this.next(at + 1)].map((start) => [start, "-", ""]);
    const comma = this.is(at + 1, ",");
    let inner = at + 1 + comma;
    if (comma && !then) starts.push([inner, "-", "next"]);
    if (this.is(inner, "and") && !then) starts.push([inner + 1, "-", "next"], [inner + 1, undefined, "together"]);
    inner += this.is(inner, "and");
    if (this.is(inner, "only_then") && !then) starts.push([inner + 1, undefined, ""]);
    for (const [start, whole, last] of starts) {
      for (const [other, end] of this.subjects(start)) {
        const later = this.happened(end, whole);
        if (other.length > 1 || !later || (last && !this.is(end + 1, last))) continue;
        if (last === "next" && !THEREAFTER.has(this.words[end + 1].text)) continue;
        if (last === "together" && !POINTED[this.kind(at)]) continue;
        const row = [[some[0].name, sooner], last === "together" ? "=" : "<", [other[0].name, later]];
        const found = [row, ...clauses(other)];
        yield [found, end + 1 + Boolean(last)];
        if (last || this.is(start - 1, "only_then")) continue;
        for (const [more, place] of this.after(other, end, true)) yield [[...found, ...more], place];
      }
    }
  }

  /** ``, and then``, ``followed by``. */
  *next(at) {
    let inner = at + this.is(at, ",");
    inner += this.is(inner, "and");
    if (!this.is(inner, "then", "next")) return;
    yield inner + 1;
    if (this.is(inner + 1, ",")) yield inner + 2;
  }

  tookPlace(at) {
    return this.is(at, "whole") && !COPULAS.has(this.words[at].text);
  }

  /** The point of a verb; of one that says that an event took place, the given one. */
  happened(at, whole) {
    return this.tookPlace(at) ? whole : POINTED[this.kind(at)];
  }

  /** ``A took place before B, and B before C``; ``there was A before B``. */
  *gapped(at) {
    if (this.is(at, "held")) {
      for (const [some, start] of this.names(at + 1)) {
        for (const verb of this.timed(HAPPENED, start)) yield* this.states(some, verb);
      }
    }
    // "What followed A was B".
    for (const { state, extras, end } of this.is(at, "what") ? this.verb(at + 1) : []) {
      if (!this.is(end, "whole") || !WAS.includes(this.words[end].text)) continue;
      for (const [some, last] of this.names(end + 1)) yield* this.states(some, { state, extras, end: last });
    }
    for (const [some, middle] of this.subjects(at)) {
      if (this.is(middle, "precede", "follow") && this.words[middle].text.endsWith(" by")) {
        const meaning = beyond(this.is(middle, "precede") ? "<" : ">");
        for (const verb of this.related(meaning, middle + 1)) {
          for (const [found, last] of this.states(some, verb)) {
            for (const [more, place] of this.gaps(last, meaning)) yield [[...found, ...more], place];
          }
        }
      }
      const sign = this.is(middle, "whole") && BARE[this.kind(middle + 1)];
      if (!sign) continue;
      for (const verb of this.related(beyond(sign), middle + 2)) {
        for (const [found, last] of this.states(some, verb)) {
          for (const [more, place] of this.gaps(last)) yield [[...found, ...more], place];
        }
      }
    }
  }

  *gaps(at, by = "") {
    let inner = at + this.is(at, ",");
    inner += this.is(inner, "and");
    if (inner === at) return;
    for (const [some, middle] of this.names(inner)) {
      const sign = BARE[this.kind(middle)];
      const passed = by && this.words[middle]?.text === "by" ? by : "";
      const meaning = by ? passed : sign && beyond(sign);
      if (!meaning) continue;
      for (const verb of this.related(meaning, middle + 1)) {
        for (const [found, last] of this.states(some, verb)) {
          yield [found, last];
          for (const [more, place] of this.gaps(last, by)) yield [[...found, ...more], place];
        }
      }
    }
  }

  /** ``First came A, then B``, ``A, B and C took place in that order``. */
  *series(at) {
    for (const [some, end] of this.names(at)) {
      if (some.length > 1 && this.is(end, "in_order")) yield [[...inOrder(some), ...clauses(some)], end + 1];
    }
    for (const listed of this.is(at, "in_turn") ? [this.names(at + 1), this.listed(at + 1)] : []) {
      for (const [some, end] of listed) {
        if (some.length > 1) yield [[...inOrder(some), ...clauses(some)], end];
      }
    }
    const first = this.is(at, "first");
    for (const [item, end] of this.item(at + first)) {
      const start = end + (!first && this.is(end, "came_first"));
      const also = start + this.is(start, ",");
      for (const [other, last] of start > end && this.is(also, "and") ? this.item(also + 1) : []) {
        if (!this.is(last, "follow") || !FOLLOWED.has(this.words[last].text)) continue;
        const rows = [...inOrder([item, other]), ...clauses([item, other])];
        yield [rows, last + 1];
        if (this.is(last + 1, "it")) yield [rows, last + 2];
      }
      for (const [some, last] of this.then([item], start)) {
        const rows = [...inOrder(some), ...clauses(some)];
        yield [rows, last];
        if (start === end && !first && this.tookPlace(last)) yield [rows, last + 1];
      }
      if (first || !this.is(end + 1, ",")) continue;
      const bound = POINTED[this.kind(end)];
      const then = end + 2 + this.is(end + 2, "and");
      const came = /(?:^| )(?:came|comes|was|were|is)(?: |$)/u.test(this.words[then]?.text ?? "");
      if (!this.tookPlace(end) && !(bound && came)) continue;
      for (const [some, last] of this.then([item], end + 1)) {
        const rows = bound
          ? [[[item.name, bound], "<", [some[1].name, "-"]], ...inOrder(some.slice(1))]
          : inOrder(some);
        yield [[...rows, ...clauses(some)], last];
      }
    }
  }

  /** ``A, B, C``. */
  *listed(at) {
    for (const [item, end] of this.item(at)) {
      yield [[item], end];
      if (!this.is(end, ",")) continue;
      for (const [rest, last] of this.listed(end + 1)) yield [[item, ...rest], last];
    }
  }

  *then(before, at) {
    for (const start of this.next(at)) {
      for (const [item, end] of this.item(start)) {
        yield [[...before, item], end];
        yield* this.then([...before, item], end);
      }
    }
  }

  *subjects(at) {
    const marked = (some) => Object.assign([...some], { both: true });
    if (this.is(at, "both")) {
      for (const [some, end] of this.names(at + 1)) yield [marked(some), end];
    } else {
      for (const [some, end] of this.names(at)) {
        yield [some, end];
        if (this.is(end, "both")) yield [marked(some), end + 1];
      }
    }
  }

  objects(at) {
    return this.names(at + this.is(at, "both"));
  }

  *names(at) {
    for (const [item, end] of this.item(at)) {
      yield [[item], end];
      yield* this.more([item], end);
    }
  }

  *more(items, at) {
    const comma = this.is(at, ",");
    if (comma) for (const [item, end] of this.item(at + 1)) yield* this.more([...items, item], end);
    const inner = at + comma;
    if (!this.is(inner, "and")) return;
    for (const [item, end] of this.item(inner + 1)) {
      const every = [...items, item];
      const articles = !items[0].article || every.every(({ article }) => article);
      // "The fair and the race, held before lunch": perhaps both were.
      if (articles && !item.clause.length) yield [every, end];
    }
  }

  /** Clauses nest: each is read once. */
  item(at) {
    if (!this.items.has(at)) this.items.set(at, [...this.described(at)]);
    return this.items.get(at);
  }

  *described(at) {
    if (this.is(at, "it")) yield [{ name: IT, clause: [], article: true }, at + 1];
    if (!this.is(at, "name")) return;
    const { text: name, article } = this.words[at];
    yield [{ name, clause: [], article }, at + 1];
    for (const verb of this.is(at + 1, "that") ? this.verb(at + 2) : []) {
      const clause = stated([[name, ""]], [verb]);
      if (clause) yield [{ name, clause, article }, verb.end];
    }
    if (!this.is(at + 1, ",") || !this.is(at + 2, "which", "being")) return;
    for (const verbs of this.clauseVerbs(at + 3 + this.is(at + 3, "aside"))) {
      const { end } = verbs.at(-1);
      const clause = stated([[name, ""]], verbs);
      if (clause && this.is(end, ",", "stop")) yield [{ name, clause, article }, end + 1];
    }
  }

  *clauseVerbs(at) {
    for (const verb of this.verb(at)) {
      yield [verb];
      if (!this.is(verb.end, "and")) continue;
      for (const rest of this.clauseVerbs(verb.end + 1)) yield [verb, ...rest];
    }
  }

  *point(at) {
    if (this.is(at, "of-", "of+") && this.is(at + 1, "name")) {
      yield [[this.words[at + 1].text, this.kind(at)[2]], at + 2];
    }
    if (this.is(at, "name") && this.is(at + 1, "post")) {
      yield [[this.words[at].text, this.words[at + 1].text], at + 2];
    }
  }

  /** ``at the end of A``, ``to the end of A``. */
  *markedPoint(at, mark) {
    if (this.is(at, `${mark}-`, `${mark}+`) && this.is(at + 1, "name")) {
      yield [[this.words[at + 1].text, this.kind(at).at(-1)], at + 2];
    }
  }

  *points(at) {
    if (this.is(at, "s-", "s+")) {
      for (const [some, end] of this.names(at + 1)) {
        if (!clauses(some).length) yield [some.map(({ name }) => [name, this.kind(at)[1]]), end];
      }
    }
    for (const [place, end] of this.point(at)) {
      yield [[place], end];
      yield* this.morePoints([place], end);
    }
  }

  *morePoints(places, at) {
    const comma = this.is(at, ",");
    if (comma) {
      for (const [place, end] of this.point(at + 1)) yield* this.morePoints([...places, place], end);
    }
    const inner = at + comma;
    if (!this.is(inner, "and")) return;
    for (const [place, end] of this.point(inner + 1)) yield [[...places, place], end];
  }

  *targets(at, points = true) {
    if (points) {
      for (const [places, end] of this.points(at)) yield [{ places, extras: [], done: false }, end];
    }
    for (const [some, end] of this.subjects(at)) {
      const bound = POINTED[this.kind(end)];
      if (!bound) continue;
      const places = some.map(({ name }) => [name, bound]);
      const alone = some.length > 1 && !some.both ? bound : "";
      const done = perfect(this.kind(end));
      yield [{ places, extras: clauses(some), done, loose: alone }, end + 1];
    }
  }

  /** A sign, the kind of its word, and points. */
  *ordered(at) {
    const kind = this.kind(at);
    const sign = Object.hasOwn(ORDER, kind) && ORDER[kind];
    if (!sign) return;
    for (const [targets, end] of this.targets(at + 1, kind !== "together")) {
      if (!loose(sign, targets)) yield [sign, kind, targets, end];
    }
  }

  *related(meaning, at) {
    for (const [some, end] of this.objects(at)) {
      yield { state: relates(meaning, some), extras: clauses(some), end };
    }
  }

  /** A verb that says that an event began, ended, took place or was going on. */
  main(at) {
    const kind = this.kind(at);
    const text = this.words[at]?.text ?? "";
    if (POINTED[kind]) return { sort: "point", bound: POINTED[kind], done: perfect(kind), text };
    return kind === "whole" || kind === "going" ? { sort: kind, bound: "", done: false, text } : null;
  }

  /** What says when something was: ``before B began``, ``during B``. */
  *adverbials(at) {
    for (const [sign, kind, targets, end] of this.ordered(at)) {
      const when = ["same", "when"].includes(kind) || this.words[at].text.startsWith("by the time");
      yield { points: true, of: atPoints(sign, kind, when, targets), extras: targets.extras, end };
    }
    const sign = BARE[this.kind(at)];
    for (const [some, end] of sign ? this.objects(at + 1) : []) {
      const near = this.is(at, "before", "after");
      yield { of: atEvents(sign, near, some), extras: clauses(some), end };
    }
    for (const [place, end] of this.markedPoint(at, "at")) yield { of: atMark(place), extras: [], end };
    if (this.is(at, "between")) {
      for (const [first, middle] of this.item(at + 1)) {
        for (const [last, end] of this.is(middle, "and") ? this.item(middle + 1) : []) {
          yield { of: between(first, last), extras: clauses([first, last]), end };
        }
      }
      for (const [low, middle] of this.point(at + 1)) {
        for (const [high, end] of this.is(middle, "and") ? this.point(middle + 1) : []) {
          yield { of: betweenPoints(low, high), extras: [], end };
        }
      }
    }
    for (const [some, end] of this.is(at, "during", "all_through") ? this.objects(at + 1) : []) {
      const of = this.is(at, "during") ? inside(some) : goingAlone(relates("A- <= B-, A+ >= B+", some));
      yield { of, extras: clauses(some), end };
    }
    for (const [some, last] of this.is(at, "while", "same", "when") ? this.subjects(at + 1) : []) {
      const end = last + 1;
      const extras = clauses(some);
      if (this.is(at, "while") && this.is(last, "going", "whole")) yield { of: inside(some), extras, end };
      if (this.is(at, "when") && this.is(last, "going")) yield { of: insideGoing(some), extras, end };
      if (!this.is(at, "same", "when") || !this.tookPlace(last) || this.words[last].text.startsWith("ha")) continue;
      yield { of: goingAlone(relates("A- < B-, A+ > B+", some)), extras, end };
    }
  }

  /** What says so before a subject alone: ``until B began``, ``with B still going on``. */
  *first(at) {
    for (const [place, end] of this.markedPoint(at, "to")) {
      yield { of: goingAlone(ordersPoints("+", [["=", { places: [place] }]])), extras: [], end };
    }
    for (const [targets, end] of this.is(at, "until") ? this.targets(at + 1) : []) {
      yield { of: goingAlone(ordersPoints("+", [["=", targets]])), extras: targets.extras, end };
    }
    for (const [some, end] of this.is(at, "with") ? this.subjects(at + 1) : []) {
      const extras = clauses(some);
      if (this.is(end, "still")) yield { of: inside(some), extras, end: end + 1 };
      if (!this.is(end, "over") && !FINISHED.has(this.words[end]?.text)) continue;
      const places = some.map(({ name }) => [name, "+"]);
      yield { of: atPoints(">", "after", false, { places, extras, done: true }), extras, end: end + 1 };
    }
  }

  /**
   * A verb with adverbials: ``ended before B began but after C``. In "A started after B and before C",
   * perhaps all of A is before C.
   */
  *timed(main, at, points = false) {
    for (const { points: ofPoints, of, extras, end } of this.adverbials(at)) {
      const state = points && !ofPoints ? null : of(main);
      if (!state) continue;
      yield { state, extras, end };
      for (const start of this.also(end)) {
        const both = Boolean(main.bound) && this.is(start - 1, "and");
        if (both && !ofPoints) continue;
        for (const rest of this.timed(main, start, both)) {
          yield { state: all(state, rest.state), extras: [...extras, ...rest.extras], end: rest.end };
        }
      }
    }
  }

  /** ``A began at the same time as B but ended later``. */
  *sameThen(at, mine) {
    if (!this.is(at, "same", "earlier", "later", "not_earlier", "not_later")) return;
    for (const [some, end] of this.objects(at + 1)) {
      const verb = end + this.is(end, ",") + 1;
      const other = POINTED[this.kind(verb)];
      const later = this.is(verb + 1, "next") && this.words[verb + 1].text === "later";
      if (!this.is(verb - 1, "but", "and") || !other || other === mine || perfect(this.kind(verb))) continue;
      if (!later && !this.is(verb + 1, "sooner")) continue;
      const meaning = `A${mine} ${ORDER[this.kind(at)]} B${mine}, A${other} ${later ? ">" : "<"} B${other}`;
      yield { state: relates(meaning, some), extras: clauses(some), end: verb + 2 };
    }
  }

  *verb(at) {
    const kind = this.kind(at);
    const bound = POINTED[kind];
    const main = this.main(at);
    if (main) yield* this.timed(main, at + 1);
    if (bound) {
      yield* this.verbOfPoint(at, bound, perfect(kind));
      const meaning = { starts: "A- = B-, A+ < B+", finishes: "A- > B-, A+ = B+" }[this.words[at].text];
      if (meaning) yield* this.related(meaning, at + 1);
    } else if (kind === "whole") {
      const order = this.kind(at + 1);
      if (order[0] === "@") yield* this.related(order.slice(1), at + 2);
      if (BARE[order]) yield* this.relatedDid(beyond(BARE[order]), at + 2);
    } else if (kind === "precede" || kind === "follow") {
      yield* this.related(beyond(kind === "precede" ? "<" : ">"), at + 1);
      if (kind === "precede" && this.words[at].text.endsWith("followed by")) {
        for (const [item, start] of this.item(at + 1)) {
          for (const [some, end] of this.then([item], start)) {
            yield { state: relates(beyond("<"), [item]), extras: [...inOrder(some), ...clauses(some)], end };
          }
        }
      }
    } else if (/^[AB]/u.test(kind)) {
      yield* this.related(kind, at + 1);
      if (!kind.includes(",")) yield* this.relatedDid(kind, at + 1);
      if (kind === SHARES) yield { state: inARow(kind), extras: [], end: at + 1 };
    } else if (kind === "have-" || kind === "have+") {
      yield { state: inARow(`A${kind[4]} = B${kind[4]}`), extras: [], end: at + 1 };
    } else if (kind === "alike") {
      yield { state: inARow(EQUALS), extras: [], end: at + 1 };
    } else if (kind === "lasted_after" || (kind === "lasted" && this.is(at + 1, "after"))) {
      const start = at + 1 + (kind === "lasted");
      for (const [targets, end] of this.targets(start)) {
        if (loose(">", targets)) continue;
        yield { state: ordersPoints("+", [[">", targets]]), extras: targets.extras, end };
      }
      yield* this.related("A+ > B+", start);
    } else if (kind === "lasted") {
      for (const [targets, end] of this.targets(at + 1)) {
        yield { state: ordersPoints("+", [["=", targets]]), extras: targets.extras, end };
      }
      yield* this.related("A+ = B-", at + 1);
    } else if (kind === "lasted_from") {
      for (const [low, middle] of this.point(at + 1)) {
        for (const [high, end] of this.markedPoint(middle, "to")) {
          yield { state: spans(["-", "=", low], ["+", "=", high]), extras: [], end };
        }
      }
    } else if (kind === "throughout") yield* this.related("A- <= B-, A+ >= B+", at + 1);
  }

  *verbOfPoint(at, mine, done) {
    yield* this.compares(at + 1, mine);
    if (!done) yield* this.sameThen(at + 1, mine);
    const sameTime = !done || this.words[at + 1]?.text.includes(" same ");
    if (this.is(at + 1, "same", "when", "soon") && sameTime) {
      const same = `A${mine} = B${mine}`;
      if (!this.is(at + 1, "soon")) yield* this.related(same, at + 2);
      yield* this.relatedDid(same, at + 2);
    }
    if (this.is(at + 1, "together", "orderly")) {
      const sign = this.is(at + 1, "together") ? "=" : "<";
      yield { state: inARow(`A${mine} ${sign} B${mine}`), extras: [], end: at + 2 };
    }
    const other = this.main(at + 2);
    if (!this.is(at + 1, "and") || !other?.bound || other.bound === mine) return;
    if (this.is(at + 3, "together")) yield { state: inARow(EQUALS), extras: [], end: at + 4 };
    for (const { of, extras, end } of this.adverbials(at + 3)) {
      const state = bothPoints(of, this.main(at), other);
      if (state) yield { state, extras, end };
    }
  }

  /** Verbs that relate each subject to some events before *did*. */
  *relatedDid(meaning, at, ...words) {
    for (const verb of this.related(meaning, at)) {
      if (this.is(verb.end, "did", ...words)) yield { ...verb, end: verb.end + 1 };
    }
  }

  /** ``A ended before B did``, ``A ended earlier than B``, ``A was over before B was``. */
  *compares(at, mine) {
    const kind = this.kind(at);
    if (!BARE[kind] && !this.is(at, "not_earlier", "not_later")) return;
    const same = `A${mine} ${ORDER[kind]} B${mine}`;
    yield* this.relatedDid(same, at + 1, "had");
    if (!this.is(at, "before", "after")) {
      yield* this.related(same, at + 1);
      return;
    }
    for (const [some, end] of this.objects(at + 1)) {
      if (!this.is(end, "whole")) continue;
      const was = WAS.includes(this.words[end].text);
      const repeats = was && WAS.includes(this.words[at - 1].text.split(" ")[0]);
      if (!repeats && !this.tookPlace(end)) continue;
      const meaning = repeats ? same : `A${mine} ${ORDER[kind]} B${edge(ORDER[kind])}`;
      yield { state: relates(meaning, some), extras: clauses(some), end: end + 1 };
    }
  }

  *pointVerb(at) {
    const kind = this.kind(at);
    const signs = { precede: "<", follow: ">", coincide: "=", [EQUALS]: "=" };
    const sign = signs[kind] ?? kind.replace(/^order/u, "");
    if (kind === "whole") {
      yield* this.timed({ sort: "point", bound: "", done: false, text: "" }, at + 1);
      const bare = BARE[this.kind(at + 1)];
      if (bare && this.is(at + 2, "that_of")) yield* this.related(`A ${bare} B`, at + 3);
      if (this.is(at + 1, "together")) yield { state: inARow("A = B"), extras: [], end: at + 2 };
      if (WAS.includes(this.words[at].text)) {
        for (const [places, end] of this.points(at + 1)) {
          yield { state: ordersPoints(null, [["=", { places }]]), extras: [], end };
        }
      }
    } else if (kind === "coincided") yield { state: inARow("A = B"), extras: [], end: at + 1 };
    else if (kind === "in_order") yield { state: inARow("A < B"), extras: [], end: at + 1 };
    else if (["<", ">", "="].includes(sign)) {
      for (const [targets, end] of this.targets(at + 1)) {
        if (loose(sign, targets)) continue;
        yield { state: ordersPoints(null, [[sign, targets]]), extras: targets.extras, end };
      }
      if (kind !== EQUALS && this.is(at + 1, "that_of")) yield* this.related(`A ${sign} B`, at + 2);
    }
  }

  *fronted(at) {
    yield* this.cleft(at);
    for (const { of, extras, end } of [...this.adverbials(at), ...this.first(at)]) {
      const start = end + this.is(end, ",");
      yield* this.mainClause((main) => of({ ...main, first: true }), extras, start);
      for (const [some, middle] of this.subjects(start)) {
        const state = this.is(middle + 1, "and") && bothPoints(of, this.main(middle), this.main(middle + 2));
        if (state) yield* this.states(some, { state, extras, end: middle + 3 });
      }
    }
    for (const { of, extras, end } of this.adverbials(at)) {
      const start = end + this.is(end, ",");
      const state = of(HAPPENED);
      for (const [some, last] of state && this.is(start, "held") ? this.names(start + 1) : []) {
        yield* this.states(some, { state, extras, end: last });
      }
      // "After A ended, but before B, C took place".
      for (const second of this.is(start, "but", "and") ? this.adverbials(start + 1) : []) {
        const last = second.end + this.is(second.end, ",");
        const together = (main) => all(of(main), second.of(main));
        yield* this.mainClause(together, [...extras, ...second.extras], last);
      }
    }
    for (const [objects, end] of this.is(at, "before", "after") ? this.names(at + 1) : []) {
      const middle = end + this.is(end, ",");
      if (!this.is(middle, "whole") || !INVERTED.has(this.words[middle].text)) continue;
      const state = relates(beyond(BARE[this.kind(at)]), objects);
      for (const [some, last] of this.names(middle + 1)) {
        yield* this.states(some, { state, extras: clauses(objects), end: last });
      }
    }
  }

  /** What began, ended, took place or was going on, after an adverbial; several joined by *and*. */
  *mainClause(of, extras, at) {
    for (const [some, middle] of this.subjects(at)) {
      const main = this.main(middle);
      const state = main && of(main);
      for (const [found, end] of state ? this.states(some, { state, extras, end: middle + 1 }) : []) {
        yield [found, end];
        if (!this.is(end, "and")) continue;
        for (const [more, last] of this.mainClause(of, extras, end + 1)) yield [[...found, ...more], last];
      }
    }
  }

  /** ``it was after B ended that A began``, ``it was A that began before B``. */
  *cleft(at) {
    const text = this.words[at + 1]?.text;
    if (!this.is(at, "it") || !["was", "is", "was at", "is at"].includes(text)) return;
    for (const [place, end] of this.is(at + 1, "coincide") && text.endsWith("at") ? this.point(at + 2) : []) {
      if (this.is(end, "that")) yield* this.mainClause(atMark(place), [], end + 1);
    }
    if (!this.is(at + 1, "whole")) return;
    for (const { of, extras, end } of this.adverbials(at + 2)) {
      if (this.is(end, "that")) yield* this.mainClause(of, extras, end + 1);
    }
    for (const [some, end] of this.names(at + 2)) {
      for (const verb of this.is(end, "that") ? this.verb(end + 1) : []) yield* this.states(some, verb);
    }
  }

  *states(some, verb) {
    const found = stated(subjectsOf(some), [verb]);
    if (found) yield [[...found, ...clauses(some)], verb.end];
  }
}

/** All readings of a sentence; it may begin with a word that adds nothing. */
function* sentencesOf(words) {
  const aside = words.is(0, "aside", "terms") && words.is(1, ",");
  const first = words.is(0, "opener") ? 1 + words.is(1, ",") : 2 * aside;
  yield* words.conjuncts(first);
  for (const [found, end] of words.series(first)) yield [[found], end];
  if (!words.is(0, "though", "whereas")) return;
  for (const [early, middle] of words.conjunct(1)) {
    if (!words.is(middle, ",")) continue;
    for (const [late, end] of words.conjunct(middle + 1)) yield [[early, late], end];
  }
}

/** A name without its article. */
export function bare(words, first) {
  const lead = [first ? words[0].toLowerCase() : words[0], ...words.slice(1)];
  for (const article of WHOLLY) {
    const size = article.split(" ").length;
    if (lead.slice(0, size).join(" ") === article && words.length > size) return words.slice(size);
  }
  if (words.length > 1) {
    const [head, next] = words;
    if (head === "the" || (first && head === "The")) return words.slice(1);
    const article = ["a", "an"].includes(head) || (first && ["A", "An"].includes(head));
    if (article && isLower(next)) return words.slice(1);
  }
  return words;
}

/** The sentences of a text, and where each begins. */
function* apart(given, abbreviation) {
  const text = given
    .replace(LATER, (_, blank, word) => `,${blank}${word.toLowerCase()}`)
    .replace(AFTERWARDS, ",$1");
  let begin = 0;
  for (const stop of text.matchAll(STOP)) {
    if (!stop[2]) continue;
    if (stop[2] === "." && abbreviation.test(stop[1] ?? "")) continue;
    const end = stop.index + (stop[1] ?? "").length;
    yield [text.slice(begin, end), begin];
    begin = stop.index + stop[0].length;
  }
  yield [text.slice(begin), begin];
}

/** A text with straight apostrophes, without the stop of its last sentence. */
export const withoutStop = (text) => text.replace(/[’ʼ]/gu, "'").replace(/\s+$/u, "").replace(/[.!]$/u, "");

/** The sentences of a text without their stops. */
export const stopless = (text, abbreviation) =>
  [...apart(withoutStop(text), abbreviation)].map(([sentence]) => sentence);

/** The comparisons of a text between symbols. */
export const comparisons = (body) =>
  body
    .replace(/\.$/u, "")
    .replace(CALLED_POINT, "$2.$1")
    .replace(CALLED, "$2 $1 $3")
    .split(JOINTS);

/** Reads premises of one domain; `marked` gets the names in quotes, first and inner ones. */
export class Sentences {
  constructor(tables, abbreviation) {
    this.tables = tables;
    this.abbreviation = new RegExp(`^(?:${abbreviation})$`, "u");
  }

  /** The relations of a premise without blanks around it, and its names; phrases of others too. */
  read(body, others = null, listed = []) {
    const blank = BLANKS.exec(body);
    if (blank) throw this.unread(body, blank.index);
    if (body.length > MOST_TEXT) throw this.unread(body, 0);
    if (this.tables.signs) return this.#symbols(body, others, listed);
    const marked = { quoted: new Set(), first: new Set(), inner: new Set() };
    const parts = [];
    for (const [sentence, begin] of apart(withoutStop(body), this.abbreviation)) {
      const only = (names) => this.#only(sentence, begin, body, names);
      for (const rows of others ? others.sentence(sentence, marked, listed, only) : only(marked)) {
        parts.push({ rows, from: begin, to: begin + sentence.length });
      }
    }
    const small = new Map();
    for (const name of marked.first) {
      const low = name[0].toLowerCase() + name.slice(1);
      if (!marked.inner.has(name) && marked.inner.has(low)) small.set(name, low);
    }
    return { relations: this.#relations(this.#resolved(parts, body), small, body), marked };
  }

  /** The relations of one sentence, and its words; `marked` gets its names. */
  statement(text, marked) {
    const rows = this.#only(text, 0, text, marked).flat();
    return { rows, words: this.words };
  }

  /** The relations of comparisons between symbols. */
  comparison(text) {
    return comparisons(text).flatMap((part) => this.#comparison(part, text));
  }

  unread(text, position, hint = "") {
    const expected = "a sentence about the order of events";
    return new FaultError({ position, found: foundAt(text, position), expected, hint });
  }

  #relations(parts, small, body) {
    const point = ([event, bound]) => ({
      event: small.get(event) ?? event,
      bound: bound === "-" ? "start" : "end",
    });
    return parts.flatMap(({ rows, from, to }) =>
      rows.map(([left, sign, right]) => {
        return { left: point(left), order: ORDERS[sign], right: point(right), from, to };
      }),
    );
  }

  #only(sentence, begin, body, marked) {
    if (sentence.length > MOST || sentence.includes("?")) {
      throw this.unread(body, begin + Math.max(sentence.indexOf("?"), 0));
    }
    const words = [...this.#divided(sentence, begin, body, marked), { kind: "stop", text: "" }];
    this.words = words;
    if (words.length > MOST_WORDS) throw this.unread(body, begin);
    const found = new Map();
    const kinds = new Words(words);
    for (const [conjuncts, end] of sentencesOf(kinds)) {
      const last = end + (kinds.is(end, ",") && kinds.is(end + 1, "terms"));
      if (last + kinds.is(last, "terms") >= words.length - 1) found.set(JSON.stringify(conjuncts), conjuncts);
      if (found.size > 1) throw this.unread(body, begin, "the sentence has two meanings");
    }
    if (!found.size) throw this.unread(body, begin);
    return [...found.values()][0];
  }

  #divided(sentence, begin, body, marked) {
    const pieces = sentence.match(/"[^"]*"|“[^”]*”|,|[^\s,]+/gu) ?? [];
    const made = [];
    let name = [];
    let first = 0;
    const ended = () => {
      if (!name.length) return;
      const named = bare(name, first === 0);
      const text = named.join(" ");
      const alone = ["the", "a", "an", "The", "An"].includes(text);
      if (alone || text.length > NAME_LIMIT || !/[\p{L}\p{N}_]/u.test(text)) throw this.unread(body, begin);
      const article = named.length < name.length;
      const leads = !made.length || (made.length === 1 && made[0].kind === "both");
      (leads && !article ? marked.first : marked.inner).add(text);
      made.push({ kind: "name", text, article });
      name = [];
    };
    for (let here = 0; here < pieces.length; ) {
      const piece = pieces[here];
      const low = here === 0 ? piece.toLowerCase() : piece;
      if (/^["“]/u.test(piece) && piece.length > 2) {
        ended();
        if (made.at(-1)?.kind === "name") throw this.unread(body, begin);
        marked.quoted.add(piece.slice(1, -1));
        made.push({ kind: "name", text: piece.slice(1, -1), article: false });
        here += 1;
        continue;
      }
      const rest = [low, ...pieces.slice(here + 1)];
      let [kind, size] = this.#longest(rest);
      const before = made.length && !name.length ? made.at(-1).kind : "";
      const behind = before === "," || here === 0;
      const being = behind ? this.#participle(rest) : null;
      if (being) {
        made.push({ kind: "being", text: "" });
        [kind, size] = being;
      }
      if (!kind) {
        kind = (Object.hasOwn(SMALL, low) && SMALL[low]) || (Object.hasOwn(SIGNS, piece) && "sign");
        if (here === 0 && low === "with") kind = "with";
        if (POINTED[before] && piece === "first" && here === pieces.length - 1) kind = "sooner";
      }
      if (kind) {
        if (/^(?:of|s)[-+]$/u.test(kind) && name.at(-1)?.toLowerCase() === "the") name.pop();
        ended();
        const text = pieces.slice(here, here + size).join(" ");
        made.push({ kind, text: here === 0 ? text.toLowerCase() : text });
        here += size;
        continue;
      }
      if (piece === "the" && name.length && this.#closes(name.at(-1))) ended();
      if (!name.length) first = here;
      const [stem, post, used] = this.#post(pieces, here);
      name.push(stem);
      here += used;
      if (post) {
        ended();
        made.push({ kind: "post", text: post });
      }
    }
    ended();
    return made;
  }

  /** The kind of the longest phrase at the start of some words, and its length. */
  #longest(pieces) {
    for (let size = Math.min(pieces.length, LONGEST); size > 0; size -= 1) {
      const kind = this.tables.phrases[pieces.slice(0, size).join(" ")];
      if (kind) return [kind, size];
    }
    return [undefined, 1];
  }

  /** ``held`` before words that say when, as in ``the fair, held before lunch, …``. */
  #participle(pieces) {
    const lead = pieces[0] === "having" ? ["had"] : ["was", pieces[0]];
    for (let size = Math.min(pieces.length, LONGEST) - 1; size > 0; size -= 1) {
      const kind = this.tables.phrases[[...lead, ...pieces.slice(1, size)].join(" ")];
      if (!Object.hasOwn(POINTED, kind ?? "") && kind !== "whole") continue;
      if (TIMES.includes(this.#longest(pieces.slice(size))[0])) return [kind, size];
    }
    return null;
  }

  /** ``storm's end`` and ``storm.end``. */
  #post(pieces, here) {
    const piece = pieces[here];
    for (const suffix of [...STARTS, ...ENDS]) {
      if (piece.endsWith(suffix) && piece !== suffix) {
        return [piece.slice(0, -suffix.length), STARTS.includes(suffix) ? "-" : "+", 1];
      }
    }
    const owner = /^(.+)'s$|^(.*s)'$/u.exec(piece);
    for (const size of owner ? [2, 1] : []) {
      const noun = pieces.slice(here + 1, here + 1 + size).join(" ");
      const known = Object.hasOwn(this.tables.nouns, noun);
      if (known && pieces[here + 1 + size] !== "of") {
        return [owner[1] ?? owner[2], this.tables.nouns[noun], size + 1];
      }
    }
    return [piece, "", 1];
  }

  /** Whether a name ends before *the*: "after the end of the match the party began". */
  #closes(word) {
    return isSmall(word) && !this.tables.inside.includes(word);
  }

  /** The parts of a text, each pronoun replaced by the only event that it can stand for. */
  #resolved(parts, body) {
    const known = new Set();
    return parts.map(({ rows, ...place }) => {
      const named = new Set(rows.flatMap(([left, , right]) => [left[0], right[0]]));
      let found = rows;
      if (named.has(IT)) {
        const compared = new Set(
          rows.filter(([left, , right]) => [left[0], right[0]].includes(IT)).flatMap(([left, , right]) => [left[0], right[0]]),
        );
        let choices = [...known].filter((event) => !named.has(event));
        if (!choices.length) choices = [...named].filter((event) => !compared.has(event));
        if (choices.length !== 1) {
          const position = Math.max(body.toLowerCase().indexOf("it "), 0);
          throw this.unread(body, position, "the pronoun has not one antecedent");
        }
        const meaning = ([event, bound]) => [event === IT ? choices[0] : event, bound];
        found = rows.map(([left, sign, right]) => [meaning(left), sign, meaning(right)]);
      }
      for (const event of named) if (event !== IT) known.add(event);
      return { rows: found, ...place };
    });
  }

  /** ``gate2 = hill1 < hill2``, ``gate.end < hill.start``, ``gate meets hill``. */
  #symbols(body, others, listed) {
    const rows = comparisons(body).flatMap((part) => {
      const only = () => this.#comparison(part, body);
      return others ? others.comparison(part, listed, only) : only();
    });
    const parts = [{ rows, from: 0, to: body.length }];
    const marked = { quoted: new Set(), first: new Set(), inner: new Set() };
    return { relations: this.#relations(parts, new Map(), body), marked };
  }

  #comparison(part, body) {
    const rows = [];
    const pieces = part.split(/ ?(<=|>=|==|[<>=≤≥]) ?| ([a-z_]+(?: [a-z]+)*) /u);
    if (pieces.length === 1) throw this.unread(body, Math.max(body.indexOf(part), 0));
    for (let n = 0; n + 3 < pieces.length; n += 3) {
      const [left, sign, word, right] = pieces.slice(n, n + 4);
      rows.push(...this.#compared(left, sign ?? word, right, body));
    }
    return rows;
  }

  #compared(left, word, right, body) {
    const points = [left, right].map((side) => this.#symbol(side));
    const both = points.every((point) => point !== null);
    if (SIGNS[word] && both) return [[points[0], SIGNS[word], points[1]]];
    for (const [sign, words] of Object.entries(this.tables.signs)) {
      if (both && words.includes(word)) return [[points[0], sign, points[1]]];
    }
    for (const [meaning, words] of Object.entries(this.tables.relations)) {
      if (words.includes(word) && SIDE.test(left) && SIDE.test(right)) {
        return meant(meaning, [left, ""], [right, ""]);
      }
    }
    throw this.unread(body, Math.max(body.indexOf(left), 0));
  }

  #symbol(side) {
    for (const [suffixes, bound] of [[[...STARTS, "1"], "-"], [[...ENDS, "2"], "+"]]) {
      for (const suffix of suffixes) {
        const stem = side.slice(0, -suffix.length);
        if (side.endsWith(suffix) && SIDE.test(stem)) return [stem, bound];
      }
    }
    return null;
  }
}
