// The last words of compounds, in languages that write them as one: `Netzgerät` of `Hochspannungsnetzgerät`.

const languages: ReadonlySet<string> = new Set(['da', 'de', 'fi', 'hu', 'nl', 'no', 'sv']);
const leastCompound = 9;
const leastPart = 5;
const leastBefore = 3;
/** Endings after which the next word of a compound begins. */
const joints = /(?:ungs|heits|keits|schafts|ions|tats|lings|ings|hets|ets)$/;

/** All ends of a long word that may be words, the longest first. */
export function endsOf(word: string, language: string): string[] {
  if (word.length < leastCompound || !languages.has(language)) {
    return [];
  }
  const count = word.length - leastPart - leastBefore + 1;
  return Array.from({ length: count }, (_, i) => word.slice(leastBefore + i));
}

/** The ends that are words: those that are known, and the longest one after a joint. The word is folded. */
export function lastWords(
  word: string,
  language: string,
  isKnown: (end: string) => boolean,
): string[] {
  const ends = endsOf(word, language);
  const joined = ends.find((end) => joints.test(word.slice(0, -end.length)));
  return ends.filter((end) => isKnown(end) || end === joined);
}
