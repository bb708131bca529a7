// From files to passages: those that are not there yet.

import { AmbryError, type Doc, type Model } from 'ambry';
import type { Passage } from 'ambry/passages';
import type { PathFile } from '../../shared/given-files.ts';
import type { JobContext } from '../../shared/jobs.ts';
import type { DocumentSource } from '../state.ts';
import { allPassages, newId } from './passage-queue.ts';

/** What a tab can hold of one file in memory. */
const kMostBytes = 1e9;

export interface ReadDocuments {
  /** All of their passages wait to be indexed. */
  readonly sources: readonly DocumentSource[];
  /** Paths of files without any text. */
  readonly empty: readonly string[];
  /** What to know of files, each with its path: a guessed encoding, why one was not read. */
  readonly remarks: readonly string[];
  /** Passages that were left out, for they are there already. */
  readonly repeated: number;
}

/** Reads one file after another. One that cannot be read is told of, and the others are taken; it is an error where
 *  there are no others. */
export async function readDocuments(
  files: readonly PathFile[],
  before: readonly DocumentSource[],
  model: Model | null,
  { signal, report }: Pick<JobContext, 'signal' | 'report'>,
): Promise<ReadDocuments> {
  const { readDocument, dropDuplicates } = await import('ambry/passages');
  const count = counterOf(model);
  const found: { readonly path: string; readonly passages: readonly Passage[] }[] = [];
  const remarks: string[] = [];
  let failure: unknown;
  for (const [at, { path, file }] of files.entries()) {
    report(at, files.length);
    try {
      const bytes = await bytesOf(path, file);
      const { passages, warnings } = await readDocument(path, bytes, { signal, ...count });
      found.push({ path, passages });
      remarks.push(...warnings.map((warning) => `${path}: ${warning}`));
    } catch (error) {
      signal.throwIfAborted();
      failure ??= error;
      remarks.push(error instanceof Error ? error.message : String(error));
    }
  }
  const known = before.flatMap(allPassages) as Passage[];
  const all = dropDuplicates([...known, ...found.flatMap(({ passages }) => passages)]).passages;
  const kept = new Set<Doc>(all);
  const sources = found.flatMap(({ path, passages }) => {
    const waiting = passages.filter((passage) => kept.has(passage));
    return waiting.length === 0 ? [] : [{ id: newId(), name: path, passages: [], waiting }];
  });
  const empty = found.filter(({ passages }) => passages.length === 0).map(({ path }) => path);
  const repeated = found
    .flatMap(({ passages }) => passages)
    .filter((passage) => !kept.has(passage)).length;
  if (found.length === empty.length) {
    throw failure ?? new Error(`There is no text in what you chose. ${remarks.join(' ')}`);
  }
  return { sources, empty, remarks, repeated };
}

/** Passages are cut where the model would cut them off; word vectors cut nothing off. */
function counterOf(model: Model | null) {
  return model === null || model.words !== null
    ? {}
    : { count: (texts: readonly string[]) => model.tokenCounts(texts) };
}

async function bytesOf(path: string, file: File): Promise<Uint8Array> {
  if (file.size > kMostBytes) {
    const message = `${path} has more than a gigabyte, the most that is read here; split it.`;
    throw new AmbryError('LimitExceeded', message, { path });
  }
  return new Uint8Array(await file.arrayBuffer());
}
