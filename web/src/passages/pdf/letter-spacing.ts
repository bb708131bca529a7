// Joins letters that stand apart from each other, as in some headings: PDF.js finds a space between every two.

/** Fewer letters may be initials, or the names of columns. */
const minLetters = 3;
/** Letters with much space between them may be cells of a table. */
const minWideLetters = 5;
/** A letter, with the punctuation and the marks around it. */
const spacedLetter = /^[\p{P}\p{S}]*\p{L}\p{M}*[\p{P}\p{S}]*$/u;
/** The gap between two words is so many times that between two letters. */
const wordGap = 1.4;

/** Joins the texts of the runs of a part of a line. */
export function withoutLetterSpacing(texts: readonly string[]): string {
  const whole = texts.join('');
  const tokens = whole.split(/\s+/u).filter(Boolean);
  if (tokens.length < minLetters || !tokens.every((token) => spacedLetter.test(token))) {
    return whole;
  }
  // If the gap between letters is narrow, PDF.js gives words as runs, and the wider gaps between them as other runs.
  const hasWords = texts.some((text) => /\S\s+\S/u.test(text));
  const words = hasWords ? texts : [whole];
  return words.map((text) => (text.trim() === '' ? text : joined(text))).join('');
}

/** A capital after a small letter begins a word. */
function joined(text: string): string {
  return text.replace(/\s+/gu, '').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
}

interface Part {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
}

/** Joins the parts of a line. Each letter is a part where there is very much space between them. */
export function joinedParts(parts: readonly Part[]): string {
  if (parts.length < minWideLetters || !parts.every(({ text }) => spacedLetter.test(text))) {
    return parts.map(({ text }) => text).join(' ');
  }
  const gaps = parts.map(({ begin }, i) => begin - (parts[i - 1]?.end ?? begin));
  const least = gaps.slice(1).reduce((a, b) => Math.min(a, b), Infinity);
  return parts
    .map(({ text }, i) => ((gaps[i] ?? 0) > wordGap * least ? ` ${text}` : text))
    .join('');
}
