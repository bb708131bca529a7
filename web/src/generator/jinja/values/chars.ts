// Characters of texts as Python counts them: code points.

/** The characters for which Python's `str.isspace` is true, as a class of a regular expression. */
export const spaceClass =
  '\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const space = new RegExp(`^[${spaceClass}]$`);
export const isSpace = (character: string): boolean => space.test(character);

const hasPairs = (text: string): boolean => /[\ud800-\udfff]/.test(text);

/** Half of a pair is a character where the other half is missing. */
export function charactersOf(text: string): readonly string[] {
  return hasPairs(text) ? Array.from(text) : text.split('');
}

export function characterCount(text: string): number {
  if (!hasPairs(text)) {
    return text.length;
  }
  let count = 0;
  for (const _ of text) {
    count++;
  }
  return count;
}

/** The characters from one to another, by their numbers from 0. */
export function characterSlice(text: string, from: number, to: number): string {
  return hasPairs(text) ? Array.from(text).slice(from, to).join('') : text.slice(from, to);
}

/** -1, 0 or 1. Engines compare halves of pairs, Python compares code points. */
export function compareTexts(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) {
    at++;
  }
  if (at === end) {
    return a.length < b.length ? -1 : 1;
  }
  const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000;
  // The first halves are equal, and the pairs begin there.
  if (at > 0 && isLow(a.charCodeAt(at)) && isLow(b.charCodeAt(at))) {
    at--;
  }
  return (a.codePointAt(at) as number) < (b.codePointAt(at) as number) ? -1 : 1;
}

/** Without the characters at its ends for which `isCut` is true. Regular expressions would take quadratic time. */
export function strip(
  text: string,
  isCut: (character: string) => boolean,
  sides: { readonly left?: boolean; readonly right?: boolean } = { left: true, right: true },
): string {
  let [from, to] = [0, text.length];
  while (sides.left && from < to) {
    const character = String.fromCodePoint(text.codePointAt(from) as number);
    if (!isCut(character)) {
      break;
    }
    from += character.length;
  }
  while (sides.right && to > from) {
    const character = lastCharacter(text, from, to);
    if (!isCut(character)) {
      break;
    }
    to -= character.length;
  }
  return text.slice(from, to);
}

function lastCharacter(text: string, from: number, to: number): string {
  const start = Math.max(from, to - 2);
  const pair = text.codePointAt(start) as number;
  return pair > 0xffff && to - start === 2 ? text.slice(start, to) : text.slice(to - 1, to);
}
