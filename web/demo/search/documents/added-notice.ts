// What the page says about documents that were added.

import { formatAmount } from '../../shared/format.ts';
import { countWaiting } from './passage-queue.ts';
import type { ReadDocuments } from './read-documents.ts';

/** Names of files in a notice before it becomes a wall of text. */
const kMostNamed = 5;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, kMostNamed).join(', ');
  return paths.length > kMostNamed ? `${shown} and ${paths.length - kMostNamed} more` : shown;
}

/** Remarks in a notice. */
const kMostRemarks = 3;

function someOf(remarks: readonly string[]): readonly string[] {
  const more = remarks.length - kMostRemarks;
  const shown = remarks.slice(0, kMostRemarks);
  return more > 0 ? [...shown, `There are ${more} more remarks of this kind.`] : shown;
}

export function addedNotice(
  { sources, empty, remarks, repeated }: ReadDocuments,
  leftOut: readonly string[],
): string {
  const passages = formatAmount(countWaiting(sources), 'passage');
  const sentences = [`Added ${passages} from ${formatAmount(sources.length, 'document')}.`];
  if (repeated > 0) {
    sentences.push(`Left out as repeated: ${formatAmount(repeated, 'passage')}.`);
  }
  const without = [...leftOut, ...empty];
  if (without.length > 0) {
    sentences.push(`Left out, being hidden, empty or no documents: ${named(without)}.`);
  }
  const told = remarks.filter((remark) => !empty.some((path) => remark.startsWith(`${path}: `)));
  return [...sentences, ...someOf(told)].join(' ');
}
