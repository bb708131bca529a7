// Finds the name that a misspelled word, or a word of another program, most likely stands for.
import { editDistance } from './edit-distance.ts';

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
    .map((name) => ({ name, most: Math.max(1, Math.floor(name.length / 3)) }))
    .map(({ name, most }) => ({ name, most, distance: editDistance(word, name, most) }))
    .filter(({ most, distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 1)
    .map(({ name }) => name);
}
