// Finds where pieces of JavaScript end, without reading them: brackets are counted, and texts and comments are skipped.

/** Longer pieces are no JavaScript, but text with an open bracket. */
const maxUnits = 1 << 16;
/** What brackets and texts begin and end with. */
const sign = /[{}()[\]"'`\n]|\/\/[^\n]*|\/\*/g;
const blank = /\n[ \t]*(?=\n|$)/y;

/** Returns the index behind the bracket that closes the one at `begin`, or -1. */
export function endOfBrackets(text: string, begin: number): number {
  return scan(text, begin, false);
}

/** Returns the index of the blank line that ends the statements at `begin`, or -1. */
export function endOfStatements(text: string, begin: number): number {
  return scan(text, begin, true);
}

function scan(text: string, begin: number, toBlankLine: boolean): number {
  const limit = Math.min(text.length, begin + maxUnits);
  let depth = 0;
  sign.lastIndex = begin;
  for (let found = sign.exec(text); found && found.index < limit; found = sign.exec(text)) {
    const [first] = found;
    if (first === '/*') {
      const end = text.indexOf('*/', found.index + 2);
      sign.lastIndex = end < 0 ? limit : end + 2;
    } else if (first === '"' || first === "'" || first === '`') {
      sign.lastIndex = endOfString(text, found.index, limit);
    } else if ('{(['.includes(first)) {
      depth++;
    } else if ('})]'.includes(first)) {
      depth--;
      if (!toBlankLine && depth <= 0) {
        return found.index + 1;
      }
    } else if (toBlankLine && first === '\n' && depth <= 0) {
      blank.lastIndex = found.index;
      if (blank.test(text) || found.index + 1 >= text.length) {
        return found.index;
      }
    }
  }
  return toBlankLine && depth <= 0 && limit === text.length ? limit : -1;
}

/** A quote that does not end on its line is an apostrophe. */
function endOfString(text: string, begin: number, limit: number): number {
  const quote = text[begin];
  for (let at = begin + 1; at < limit; at++) {
    const letter = text[at];
    if (letter === '\\') {
      at++;
    } else if (letter === quote) {
      return at + 1;
    } else if (letter === '\n' && quote !== '`') {
      return begin + 1;
    }
  }
  return begin + 1;
}
