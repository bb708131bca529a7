// Finds the name that a misspelled word, or a word of another program, most likely stands for.

/** Our names, each with the words that other programs have for it. A word may stand for several. */
export type OtherWords = Readonly<Record<string, readonly string[]>>;

/** ` Did you mean "embed"?` with a space before it, or nothing if no name is near. */
export function didYouMean(
  word: string,
  names: readonly string[],
  otherWords: OtherWords = {},
): string {
  return asQuestion(namesMeant(word, names, otherWords));
}

/** The names that a word stands for in other programs, else the one that is near. */
export function namesMeant(
  word: string,
  names: readonly string[],
  otherWords: OtherWords,
): readonly string[] {
  const meant = Object.keys(otherWords).filter(
    (name) => names.includes(name) && otherWords[name]?.includes(word),
  );
  return meant.length > 0 ? meant : nearest(word, names);
}

/** ` Did you mean "chat" or "generate"?` with a space before it, or nothing without names. */
export function asQuestion(names: readonly string[]): string {
  return names.length === 0
    ? ''
    : ` Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?`;
}

/** The name that differs in the fewest characters, if these are few. */
function nearest(word: string, names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 1)
    .map(({ name }) => name);
}

/** The Levenshtein distance: how many characters must be inserted, deleted or replaced. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
