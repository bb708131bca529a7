// Finds the places where a long text may be cut: between sentences, lines, words or characters. Each function gives the
// ends of the parts, and the last is the end of the text. Lists of the parts would take many times the memory of the text.

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
export function sentenceEnds(text: string): number[] {
  const ends: number[] = [];
  let begin = 0;
  for (const segment of segmentsOf(text)) {
    const end = begin + segment.length;
    if (end === text.length || !unfinished.test(segment)) {
      ends.push(end);
    }
    begin = end;
  }
  return ends;
}

function* segmentsOf(text: string): Generator<string> {
  if (!segmenter) {
    yield* text.match(/[^.!?。！？؟۔।]*[.!?。！？؟۔।]+\s*|[^.!?。！？؟۔।]+$/gu) ?? [text];
  } else {
    for (const { segment } of segmenter.segment(text)) {
      yield segment;
    }
  }
}

/** Each line includes its line feed. */
export function lineEnds(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    ends.push(at + 1);
  }
  if (ends.at(-1) !== text.length) {
    ends.push(text.length);
  }
  return ends;
}

/** The words between `begin` and `end`. Each includes the spaces around it. */
export function wordEnds(text: string, begin: number, end: number): number[] {
  const ends: number[] = [];
  let hasLetters = false;
  let isAfterSpace = false;
  for (let at = begin; at < end; at++) {
    const isSpace = isWhiteSpace(text.charCodeAt(at));
    if (!isSpace && isAfterSpace && hasLetters) {
      ends.push(at);
    }
    isAfterSpace = isSpace;
    hasLetters ||= !isSpace;
  }
  ends.push(end);
  return ends;
}

/** The runs between `begin` and `end`. Each has at most `length` code units, and some more if marks follow, such as the
 *  vowels of Thai. No run splits a surrogate pair. */
export function runEnds(text: string, begin: number, end: number, length: number): number[] {
  const ends: number[] = [];
  for (let at = begin; at < end; ) {
    let next = Math.min(at + Math.max(1, length), end);
    if (next < end && isLowSurrogate(text, next)) {
      next += next - at > 1 ? -1 : 1;
    }
    next = Math.min(end, next + marksAt(text, next));
    ends.push(next);
    at = next;
  }
  return ends;
}

/** The texts of the parts between `begin` and the last end. */
export function* partsOf(text: string, begin: number, ends: readonly number[]): Generator<string> {
  let at = begin;
  for (const end of ends) {
    yield text.slice(at, end);
    at = end;
  }
}

/** No letter of a living script has more marks. */
const mostMarks = 8;
const marks = /^\p{M}*/u;

/** The length of the marks that belong to the character before `at`. */
function marksAt(text: string, at: number): number {
  return marks.exec(text.slice(at, at + mostMarks))?.[0].length ?? 0;
}

const otherSpace = /\s/;

function isWhiteSpace(code: number): boolean {
  if (code <= 0x20) {
    return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  }
  return code >= 0xa0 && otherSpace.test(String.fromCharCode(code));
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
