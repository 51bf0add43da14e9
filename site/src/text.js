// Texts as Python sees them: its whitespace, and lengths in characters rather than in UTF-16 units.
// Positions within this program are in UTF-16 units; `characters` converts them for messages.

export const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const LEADING = new RegExp(`^[${SPACE}]+`, "u");
const TRAILING = new RegExp(`[${SPACE}]+$`, "u");
export const WORDS = new RegExp(`[^${SPACE}]+`, "gu");
export const SPACES = new RegExp(`[${SPACE}]+`, "gu");

export const stripStart = (text) => text.replace(LEADING, "");
export const stripEnd = (text) => text.replace(TRAILING, "");
export const strip = (text) => stripEnd(stripStart(text));

export const isUpper = (letter) => /^\p{Uppercase}/u.test(letter);
export const isLower = (letter) => /^\p{Lowercase}/u.test(letter);

/** Whether a text has letters with case, and all of them are small. */
export const allLower = (text) => /\p{Lowercase}/u.test(text) && !/[\p{Uppercase}\p{Lt}]/u.test(text);

export const isAscii = (text) => /^[\x00-\x7f]*$/.test(text);

/** The number of characters of a text. */
export function length(text) {
  return isAscii(text) ? text.length : Array.from(text).length;
}

/** At most `count` characters of a text from a position. */
export function take(text, count, position = 0) {
  let end = position;
  for (let taken = 0; taken < count && end < text.length; taken += 1) {
    end += text.codePointAt(end) > 0xffff ? 2 : 1;
  }
  return text.slice(position, end);
}

/** A text in quotes, with unprintable characters escaped as Python writes them. */
export function quoted(text) {
  return `"${text.replace(/(?! )[\p{C}\p{Z}]/gu, escaped)}"`;
}

const NAMED = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(letter) {
  const number = letter.codePointAt(0);
  const digits = number.toString(16);
  if (NAMED[letter]) return NAMED[letter];
  if (number < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return number < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

const SHOWN = 40;

/** The text at a position, on one line and cut between words. */
export function foundAt(text, position) {
  let rest = strip(take(text, 4 * SHOWN, position));
  if (!rest) return "the end of the text";
  if (length(rest) > SHOWN) {
    const shown = take(rest, SHOWN);
    const cut = shown.lastIndexOf(" ");
    rest = `${cut > 0 ? shown.slice(0, cut) : shown}…`;
  }
  return quoted(rest);
}

/** Why a text cannot be read; `position` is in the text without its leading whitespace. */
export class FaultError extends Error {
  constructor(fault) {
    super(`found ${fault.found}, expected ${fault.expected}`);
    this.fault = fault;
  }
}

export function fault(text, position, expected) {
  return { position, found: foundAt(text, position), expected, hint: "" };
}

/** An error with the line and the column of its place in a premise or a claim, from 1. */
export class ReadError extends Error {
  code = "parse";

  constructor(part, text, { position, found, expected, hint }) {
    super(`found ${found}, expected ${expected}`);
    const at = Math.min(position + text.length - stripStart(text).length, text.length);
    const before = text.slice(0, at);
    this.part = part;
    this.position = at;
    this.line = before.split("\n").length;
    this.column = length(before.slice(before.lastIndexOf("\n") + 1)) + 1;
    this.found = found;
    this.expected = expected;
    this.hint = hint;
  }
}

/** Whether there is no text at a position, or a blank. */
export const isSpaceAt = (text, position) =>
  position >= text.length || new RegExp(`^[${SPACE}]`, "u").test(text[position]);

/** The class of blanks, for patterns. */
export const BLANK = `[${SPACE}]`;
export const NOT_BLANK = `[^${SPACE}]`;

/** A pattern to search for, or to match at a position. */
export class Pattern {
  constructor(source) {
    this.everywhere = new RegExp(source, "gu");
    this.here = new RegExp(source, "uy");
  }

  /** The first match at or after a position: start, end, text and groups, or null. */
  search(text, position = 0) {
    return run(this.everywhere, text, position);
  }

  /** The match at a position. */
  match(text, position = 0) {
    return run(this.here, text, position);
  }
}

function run(pattern, text, position) {
  pattern.lastIndex = position;
  const found = pattern.exec(text);
  if (!found) return null;
  const end = found.index + found[0].length;
  return { start: found.index, end, text: found[0], groups: found.groups };
}
