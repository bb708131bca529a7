// Finds the words of a question in a passage. Works without a page.

/** Words that most passages have, so a match says nothing. */
const functionWords = new Set(
  `a about after all am an and any are as at be been but by can could did do does for from had has have he her here his
  how i if in into is it its me my no not of on one or our out she should so some such than that the their them then
  there these they this to up us was we were what when where which who why will with would you your`.split(
    /\s+/,
  ),
);

/** Japanese, Thai, Lao, Khmer and Burmese have no spaces between words. */
const unspaced = '[\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]';
const han = '\\p{sc=Han}';
/** A word, with its apostrophes. Chinese characters match one by one. */
const wordPattern = new RegExp(
  `${han}|(?<run>(?:(?!${han})${unspaced})+)|(?:(?!${han}|${unspaced})[\\p{L}\\p{M}\\p{N}])+(?:['’]\\p{L}+)*`,
  'gu',
);

const segmenter =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('ja', { granularity: 'word' })
    : undefined;

interface Range {
  readonly start: number;
  readonly end: number;
}

interface WordRange extends Range {
  readonly word: string;
}

export function wordRanges(text: string): readonly WordRange[] {
  return Array.from(text.matchAll(wordPattern)).flatMap(({ 0: word, index, groups }) =>
    groups?.['run'] === undefined ? [rangeOf(word, index)] : wordsIn(word, index),
  );
}

function rangeOf(word: string, start: number): WordRange {
  return { word, start, end: start + word.length };
}

/** The words of a text without spaces. Old browsers cannot split it. */
function wordsIn(run: string, start: number): readonly WordRange[] {
  if (!segmenter) {
    return [rangeOf(run, start)];
  }
  return Array.from(segmenter.segment(run))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => rangeOf(segment, start + index));
}

/** Accents of Latin, Greek and Cyrillic letters, Hebrew points and Arabic vowel signs. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/gu;

/** The word without case, accents, possessive and plural endings, so that all its forms are equal. */
export function normalizeWord(word: string): string {
  const normal = word
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(/['’]s$/, '');
  if (normal.length <= 3 || !normal.endsWith('s') || /(?:ss|us|is)$/.test(normal)) {
    return normal;
  }
  return normal.replace(/ies$/, 'y').replace(/(?<=[sxz]|[cs]h)es$|s$/, '');
}

/** Whether most passages have the word. It is in lower case. */
export const isFunctionWord = (word: string): boolean => functionWords.has(word);

/** The normalized words of a question, without function words. */
export function contentWords(question: string): ReadonlySet<string> {
  const words = wordRanges(question).map(({ word }) => word.toLowerCase());
  return new Set(words.filter((word) => !functionWords.has(word)).map(normalizeWord));
}

/** The ranges of `text` with one of these normalized words. */
export function matchedRanges(text: string, words: ReadonlySet<string>): readonly WordRange[] {
  return words.size === 0
    ? []
    : wordRanges(text).filter(({ word }) => words.has(normalizeWord(word)));
}
