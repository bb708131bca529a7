// The piece of a passage that shows best why it was found.
import { passageTerms } from '../shared/terms.ts';
import type { Excerpt } from './base/types.ts';

type Range = readonly [start: number, end: number];

/** The places of the query's words in a text. Neighbours that touch or overlap, as pairs of characters do, are one. */
export function matchesIn(text: string, isMatch: (word: string) => boolean): Range[] {
  const ranges: [start: number, end: number][] = [];
  const found = passageTerms(text).filter(({ word }) => isMatch(word));
  for (const { start, end } of found.sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = ranges.at(-1);
    if (last && start <= last[1]) {
      last[1] = Math.max(last[1], end);
    } else {
      ranges.push([start, end]);
    }
  }
  return ranges;
}

/** At most `length` characters with as many of the ranges as possible. */
export function excerptOf(text: string, ranges: readonly Range[], length: number): Excerpt {
  const [start, end] = windowOf(text, ranges, length);
  const highlights = ranges
    .filter(([from, to]) => from >= start && to <= end)
    .map(([from, to]): Range => [from - start, to - start]);
  return {
    text: text.slice(start, end),
    highlights,
    isCutBefore: start > 0,
    isCutAfter: end < text.length,
  };
}

function windowOf(text: string, ranges: readonly Range[], length: number): Range {
  if (text.length <= length) {
    return [0, text.length];
  }
  let best: Range | undefined;
  let most = 0;
  ranges.forEach(([from], i) => {
    const count = ranges.slice(i).filter(([, to]) => to <= from + length * 0.8).length;
    if (count <= most) {
      return;
    }
    most = count;
    best = [from, from + length];
  });
  const from = Math.max(0, (best?.[0] ?? 0) - Math.floor(length * 0.2));
  const start = from === 0 ? 0 : wordStart(text, from);
  const end = start + length >= text.length ? text.length : wordEnd(text, start, start + length);
  return [start, end];
}

/** The begin of the next word, if it is near. */
function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', at - 1);
  if (space >= 0 && space - at < 20) {
    return space + 1;
  }
  return isInPair(text, at) ? at - 1 : at;
}

/** The end of the word before, if it is near. */
function wordEnd(text: string, start: number, at: number): number {
  const space = text.lastIndexOf(' ', at);
  if (space > start && at - space < 20) {
    return space;
  }
  return isInPair(text, at) ? at - 1 : at;
}

const isInPair = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '');
