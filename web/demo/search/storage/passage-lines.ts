// Documents as lines of JSON: for each one a line with its id, then its passages.

import type { Doc } from 'ambry';
import { allPassages } from '../documents/passage-queue.ts';
import type { DocumentSource } from '../state.ts';

/** Between these the page can do other things. */
const kLinesAtATime = 2000;

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

export function* linesOf(sources: readonly DocumentSource[]): Generator<string> {
  for (const source of sources) {
    yield line(source.id);
    const passages = allPassages(source);
    for (let at = 0; at < passages.length; at += kLinesAtATime) {
      yield passages
        .slice(at, at + kLinesAtATime)
        .map(line)
        .join('');
    }
  }
}

/** Adds the passages in `text` to those of their documents. */
export function readPassages(text: string, passages: Map<string, Doc[]>): void {
  let current: Doc[] = [];
  for (const written of text.split('\n').slice(0, -1)) {
    const value = JSON.parse(written) as string | Doc;
    if (typeof value === 'string') {
      current = [];
      passages.set(value, current);
    } else {
      current.push(value);
    }
  }
}
