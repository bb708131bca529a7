// The notice about added documents.

import { formatAmount } from '../../shared/base/format.ts';
import { countWaiting } from './passage-queue.ts';
import type { NamedLeftOut, ReadDocuments } from './read-documents.ts';

/** A notice names this many files and counts the others. */
const maxNames = 12;

function listOf(paths: readonly string[]): string {
  const shown = paths.slice(0, maxNames).join(', ');
  return paths.length > maxNames ? `${shown} and ${paths.length - maxNames} more` : shown;
}

/** A notice has this many remarks and counts the others. */
const maxRemarks = 3;

function someOf(remarks: readonly string[]): readonly string[] {
  const more = remarks.length - maxRemarks;
  const shown = remarks.slice(0, maxRemarks);
  return more > 0 ? [...shown, `There are ${more} more messages like these.`] : shown;
}

/** `Skipped 2 pictures (.png): a.png, b.png.` and what can be done with them. */
function sentencesOf({ count, name, types, advice, paths }: NamedLeftOut): string {
  const isNamed = types.every((type) => type === '' || name.endsWith(type));
  const listed = isNamed ? '' : ` (${types.join(', ')})`;
  return `Skipped ${count} ${name}${listed}: ${listOf(paths)}.${advice === undefined ? '' : ` ${advice}`}`;
}

/** `skipped` are hidden files. `replaced` says whether the documents are there in place of the built-in notes. */
export function addedNotice(
  { sources, empty, remarks, repeated, leftOut }: ReadDocuments,
  skipped: readonly string[],
  replaced: boolean,
): string {
  const passages = formatAmount(countWaiting(sources), 'passage');
  const sentences = [`Added ${passages} from ${formatAmount(sources.length, 'document')}.`];
  if (replaced) {
    sentences.push(
      'The built-in notes made room. “Keep the notes, too” brings them back beside yours.',
    );
  }
  if (repeated > 0) {
    sentences.push(`Skipped ${formatAmount(repeated, 'repeated passage')}.`);
  }
  const notRead = [...skipped, ...empty];
  if (notRead.length > 0) {
    sentences.push(`Skipped files that are hidden or empty: ${listOf(notRead)}.`);
  }
  const others = remarks.filter((remark) => !empty.some((path) => remark.startsWith(`${path}: `)));
  return [...sentences, ...leftOut.map(sentencesOf), ...someOf(others)].join(' ');
}
