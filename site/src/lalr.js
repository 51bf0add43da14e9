// Runs the tables of Lark: LALR(1) with a contextual lexer, which tries only the terminals that the
// state of the parser allows. benchmarks/reproduction/playground/export.py writes the tables.

/** A text that does not parse: where, and the terminals that were expected there. */
export class StopError extends Error {
  constructor(position, expected) {
    super(`stopped at ${position}`);
    this.position = position;
    this.expected = expected;
  }
}

export class Parser {
  /**
   * @param tables of one grammar
   * @param actions for each rule a function of the values of its parts
   */
  constructor(tables, actions) {
    this.tables = tables;
    this.actions = actions;
    this.lexers = new Map();
  }

  parse(text, start) {
    const { states, rules, lexers } = this.tables;
    const stack = [this.tables.start[start]];
    const values = [];
    let position = 0;
    for (;;) {
      const token =
        position < text.length
          ? this.#token(text, position, lexers[stack.at(-1)])
          : { type: "$END", text: "", start: text.length };
      position = token.start + token.text.length;
      for (;;) {
        const row = states[stack.at(-1)];
        const action = row[token.type];
        if (action === undefined) throw new StopError(token.start, terminals(row));
        if (action >= 0) {
          stack.push(action);
          values.push(token);
          break;
        }
        const { name, size } = rules[-1 - action];
        stack.length -= size;
        values.push(this.actions[name](values.splice(values.length - size, size)));
        stack.push(states[stack.at(-1)][name]);
        if (token.type === "$END" && stack.at(-1) === this.tables.end[start]) return values.at(-1);
      }
    }
  }

  #token(text, position, allowed) {
    const found = this.#match(text, position, allowed);
    if (found) return found;
    throw new StopError(position, new Set(allowed));
  }

  #match(text, position, allowed) {
    const key = allowed.join();
    if (!this.lexers.has(key)) this.lexers.set(key, this.#lexer(allowed));
    const lexer = this.lexers.get(key);
    lexer.lastIndex = position;
    const found = lexer.exec(text);
    if (!found) return null;
    const type = allowed.find((name) => found.groups[name] !== undefined);
    return { type, text: found[0], start: position };
  }

  #lexer(allowed) {
    // A lexer without terminals matches nothing.
    const parts = allowed.map((name) => `(?<${name}>${this.tables.terminals[name]})`);
    return new RegExp(parts.length ? parts.join("|") : "(?!)", "uy");
  }
}

const terminals = (row) => new Set(Object.keys(row).filter((name) => name === name.toUpperCase()));
