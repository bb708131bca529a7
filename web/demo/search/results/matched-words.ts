// Which words of a passage a question shares with it. Knows nothing of the page.

/** Words that are in most passages and say nothing by themselves. */
const kFunctionWords = new Set(
  `a about after all am an and any are as at be been but by can could did do does for from had has have he her here his
  how i if in into is it its me my no not of on one or our out she should so some such than that the their them then
  there these they this to up us was we were what when where which who why will with would you your`.split(
    /\s+/,
  ),
);

/** A word, apostrophes inside it; Chinese characters one by one, for nothing stands between them. */
const kWord = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+(?:['’]\p{L}+)*/gu;

export interface Range {
  readonly start: number;
  readonly end: number;
}

export const wordRanges = (text: string): readonly (Range & { readonly word: string })[] =>
  Array.from(text.matchAll(kWord), ({ 0: word, index }) => {
    return { word, start: index, end: index + word.length };
  });

/** A word without case, accents, possessive or plural, so that its forms are equal. */
export function plainForm(word: string): string {
  const plain = word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s$/, '');
  if (plain.length <= 3 || !plain.endsWith('s') || /(?:ss|us|is)$/.test(plain)) {
    return plain;
  }
  return plain.replace(/ies$/, 'y').replace(/(?<=[sxz]|[cs]h)es$|s$/, '');
}

/** The words of a question that tell it from others, in their plain form. */
export function tellingWords(question: string): ReadonlySet<string> {
  const words = wordRanges(question).map(({ word }) => word.toLowerCase());
  return new Set(words.filter((word) => !kFunctionWords.has(word)).map(plainForm));
}

/** Where `text` has one of these words, which are in their plain form. */
export function matchedRanges(text: string, words: ReadonlySet<string>): readonly Range[] {
  return words.size === 0 ? [] : wordRanges(text).filter(({ word }) => words.has(plainForm(word)));
}
