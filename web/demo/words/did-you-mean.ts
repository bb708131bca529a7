// Finds words of the file that are spelled like a word that is not in it. Works without a page.
import { editDistance } from 'ambry/terms';

/** Longer words are not compared. */
const longestWord = 40;
const mostSuggestions = 5;

/** Accents of Latin, Greek and Cyrillic letters. */
const accents = /[\u0300-\u036f]/gu;
const isAscii = /^[\u0020-\u007e]*$/u;

/** The word without case and accents. */
function plainForm(word: string): string {
  const lower = word.toLowerCase();
  return isAscii.test(lower) ? lower : lower.normalize('NFD').replace(accents, '');
}

/** The plain forms of a vocabulary, made once. */
const plainForms = new WeakMap<readonly string[], readonly string[]>();

function plainFormsOf(vocabulary: readonly string[]): readonly string[] {
  const known = plainForms.get(vocabulary) ?? vocabulary.map(plainForm);
  plainForms.set(vocabulary, known);
  return known;
}

/** One difference in a short word makes it another word. */
function allowedEdits(word: string): number {
  return word.length < 3 ? 0 : word.length < 6 ? 1 : 2;
}

/** The words that are spelled most alike, the more frequent first among equals: most files begin with frequent words. A
 *  difference of case or accents alone counts nothing. */
export function similarSpellings(word: string, vocabulary: readonly string[]): string[] {
  const asked = plainForm(word.trim());
  if (asked === '' || asked.length > longestWord) {
    return [];
  }
  const forms = plainFormsOf(vocabulary);
  const most = allowedEdits(asked);
  const found = Array.from({ length: most + 1 }, (): string[] => []);
  for (const [i, form] of forms.entries()) {
    const distance = editDistance(asked, form, most);
    if (distance <= most && vocabulary[i] !== word) {
      found[distance]?.push(vocabulary[i] ?? '');
    }
  }
  return found.flat().slice(0, mostSuggestions);
}
