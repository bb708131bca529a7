// Finds words of the file that are spelled like a word that is not in it. Works without a page.

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

/** How many letters must be inserted, removed, replaced or swapped with the next one to make `b` of `a`; more than `most`
 *  if it is more than that. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) {
    return most + 1;
  }
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      let cost = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) {
      return most + 1;
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? most + 1;
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
