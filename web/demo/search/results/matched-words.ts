// Finds the words of a question in a passage. Works without a page.

/** Words that most passages have, so a match says nothing. */
const functionWords = new Set(
  `a about after all am an and any are as at be been but by can could did do does for from had has have he her here his
  how i if in into is it its me my no not of on one or our out she should so some such than that the their them then
  there these they this to up us was we were what when where which who why will with would you your`.split(
    /\s+/,
  ),
);

/** A word, with its apostrophes. Chinese characters match one by one, as no spaces separate the words. */
const wordPattern = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+(?:['’]\p{L}+)*/gu;

export interface Range {
  readonly start: number;
  readonly end: number;
}

export const wordRanges = (text: string): readonly (Range & { readonly word: string })[] =>
  Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => {
    return { word, start: index, end: index + word.length };
  });

/** The word without case, accents, possessive and plural endings, so that all its forms are equal. */
export function normalizeWord(word: string): string {
  const normal = word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s$/, '');
  if (normal.length <= 3 || !normal.endsWith('s') || /(?:ss|us|is)$/.test(normal)) {
    return normal;
  }
  return normal.replace(/ies$/, 'y').replace(/(?<=[sxz]|[cs]h)es$|s$/, '');
}

/** The normalized words of a question, without function words. */
export function contentWords(question: string): ReadonlySet<string> {
  const words = wordRanges(question).map(({ word }) => word.toLowerCase());
  return new Set(words.filter((word) => !functionWords.has(word)).map(normalizeWord));
}

/** The ranges of `text` with one of these normalized words. */
export function matchedRanges(text: string, words: ReadonlySet<string>): readonly Range[] {
  return words.size === 0
    ? []
    : wordRanges(text).filter(({ word }) => words.has(normalizeWord(word)));
}
