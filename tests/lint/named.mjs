// Finds names in source text.

/**
 * @param {string} text
 * @param {RegExp} pattern global, with the name in its first group that matched
 */
export function* named(text, pattern) {
  for (const match of text.matchAll(pattern)) {
    const name = match.slice(1).find((group) => group !== undefined) ?? '';
    yield { name, line: text.slice(0, match.index).split('\n').length, match: match[0] };
  }
}
