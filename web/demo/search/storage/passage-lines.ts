// Documents as JSON lines: a line with the id of the document, then a line for each passage.

import type { Doc } from 'ambry';
import { allPassages } from '../documents/passage-queue.ts';
import type { DocumentSource } from '../state/state.ts';

/** Lines are written in parts, so that the page stays responsive. */
const linesPerPart = 2000;

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

export function* linesOf(sources: readonly DocumentSource[]): Generator<string> {
  for (const source of sources) {
    yield line(source.id);
    const passages = allPassages(source);
    for (let at = 0; at < passages.length; at += linesPerPart) {
      yield passages
        .slice(at, at + linesPerPart)
        .map(line)
        .join('');
    }
  }
}

/** Reads the lines of `text` and adds the passages of each document to `passages`, by its id. */
export function readPassages(text: string, passages: Map<string, Doc[]>): void {
  let current: Doc[] = [];
  for (const json of text.split('\n').slice(0, -1)) {
    const value = JSON.parse(json) as string | Doc;
    if (typeof value === 'string') {
      current = [];
      passages.set(value, current);
    } else {
      current.push(value);
    }
  }
}
