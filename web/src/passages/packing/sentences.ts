// Splits a text into sentences, lines, words or runs of characters: the places where a long text may be cut.

/** A segment that ends like this does not end a sentence: an abbreviation, an initial or the number of a list
 *  item. */
const unfinished =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|cf|approx|No|Fig|e\.g|i\.e|\p{Lu}|\d{1,3})\.\s*$/u;

/** The locale is always English, so that a document gives the same passages on every machine. */
const segmenter =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('en', { granularity: 'sentence' })
    : undefined;

/** Each sentence includes the spaces after it. */
export function sentencesOf(text: string): string[] {
  const segments = segmenter
    ? Array.from(segmenter.segment(text), ({ segment }) => segment)
    : (text.match(/[^.!?。！？]+(?:[.!?。！？]+\s*|$)/gu) ?? [text]);
  const sentences: string[] = [];
  let sentence = '';
  for (const segment of segments) {
    sentence += segment;
    if (unfinished.test(segment)) continue;
    sentences.push(sentence);
    sentence = '';
  }
  if (sentence !== '') sentences.push(sentence);
  return sentences;
}

/** Each line includes its line feed. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Each word includes the spaces around it. */
export function wordsOf(text: string): string[] {
  return text.match(/^\s*\S+\s*|\S+\s*/g) ?? [text];
}

/** Each run has at most `length` code units. No run splits a surrogate pair. */
export function runsOf(text: string, length: number): string[] {
  const runs: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + Math.max(1, length), text.length);
    if (end < text.length && isLowSurrogate(text, end)) end += end - at > 1 ? -1 : 1;
    runs.push(text.slice(at, end));
    at = end;
  }
  return runs;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
