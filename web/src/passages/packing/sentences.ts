// A text to its sentences, words and runs of characters: where a passage that is too long may be cut.

/** Ends of segments that end no sentence: abbreviations, initials, the numbers of a list. */
const kNoEnd =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|cf|approx|No|Fig|e\.g|i\.e|\p{Lu}|\d{1,3})\.\s*$/u;

/** One language for everyone, so that a document gives the same passages everywhere. */
const segmenter =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('en', { granularity: 'sentence' })
    : undefined;

/** Sentences with the spaces after them. */
export function sentencesOf(text: string): string[] {
  const found = segmenter
    ? Array.from(segmenter.segment(text), ({ segment }) => segment)
    : (text.match(/[^.!?。！？]+(?:[.!?。！？]+\s*|$)/gu) ?? [text]);
  const sentences: string[] = [];
  let open = '';
  for (const segment of found) {
    open += segment;
    if (kNoEnd.test(segment)) continue;
    sentences.push(open);
    open = '';
  }
  if (open !== '') sentences.push(open);
  return sentences;
}

export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Words with the spaces around them. */
export function wordsOf(text: string): string[] {
  return text.match(/^\s*\S+\s*|\S+\s*/g) ?? [text];
}

/** Runs of at most `length` code units that cut no character in two. */
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
