// The words of a text that are most similar to a phrase: grammar/errors.py, and the ratio of
// Python's difflib, which both readers have to compute alike.

import { length, WORDS } from "./text.js";

const ALIKE = 0.75;
const WORDS_COMPARED = 30;

/**
 * @param ends where the words end, or null
 * @returns start, end and phrase, or null
 */
export function nearest(text, phrases, start, ends) {
  const until = ends ?? text.length;
  let words = Array.from(text.slice(start, until).matchAll(WORDS), (one) => ({
    start: start + one.index,
    end: start + one.index + one[0].length,
  }));
  words = ends === null ? words.slice(0, WORDS_COMPARED) : words.slice(-WORDS_COMPARED);
  let best = null;
  let similarity = ALIKE;
  for (const phrase of phrases) {
    const target = Array.from(phrase.toLowerCase());
    const size = phrase.split(" ").length;
    for (const [first, last] of spans(words.length, size, ends !== null)) {
      const [from, to] = [words[first].start, words[last].end];
      const ratio = similar(Array.from(text.slice(from, to).toLowerCase()), target, similarity);
      if (ratio > similarity) {
        similarity = ratio;
        best = { start: from, end: to, phrase };
      }
    }
  }
  return best;
}

function* spans(words, size, anchored) {
  for (const n of anchored ? [size, size - 1, size + 1] : [size]) {
    if (n > 0 && n <= words && anchored) yield [words - n, words - 1];
    else if (n > 0) for (let first = 0; first + n <= words; first += 1) yield [first, first + n - 1];
  }
}

/** Twice the characters in matching blocks over all characters; 0 if it cannot exceed `least`. */
function similar(left, right, least) {
  const total = left.length + right.length;
  if ((2 * Math.min(left.length, right.length)) / total <= least) return 0;
  const places = new Map();
  right.forEach((letter, index) => {
    if (places.has(letter)) places.get(letter).push(index);
    else places.set(letter, [index]);
  });
  let matches = 0;
  const waiting = [[0, left.length, 0, right.length]];
  while (waiting.length) {
    const [from, to, low, high] = waiting.pop();
    const [i, j, size] = longest(left, places, from, to, low, high);
    if (!size) continue;
    matches += size;
    waiting.push([from, i, low, j], [i + size, to, j + size, high]);
  }
  return (2 * matches) / total;
}

/** The longest common block; of several the first in the left text, and then in the right one. */
function longest(left, places, from, to, low, high) {
  let best = [from, low, 0];
  let ending = new Map();
  for (let i = from; i < to; i += 1) {
    const next = new Map();
    for (const j of places.get(left[i]) ?? []) {
      if (j < low || j >= high) continue;
      const size = (ending.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best[2]) best = [i - size + 1, j - size + 1, size];
    }
    ending = next;
  }
  return best;
}

/** Whether a name has more characters than a limit. */
export const longer = (name, limit) => name.length > limit && length(name) > limit;
