// Reads files and cuts them into passages. Passages that are there already are skipped.

import { AmbryError, type Doc } from 'ambry';
import type { LeftOut, Passage } from 'ambry/passages';
import type { PathFile } from '../../shared/files/given-files.ts';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import type { DocumentSource, Embedder } from '../state/state.ts';
import { allPassages, newId } from './passage-queue.ts';

/** A tab can hold no larger file in memory. */
const maxFileBytes = 1e9;

/** Files of one kind that are not read, with their paths. */
export type NamedLeftOut = LeftOut & { readonly paths: readonly string[] };

export interface ReadDocuments {
  /** All their passages wait to be indexed. */
  readonly sources: readonly DocumentSource[];
  /** Paths of files without any text. */
  readonly empty: readonly string[];
  /** Messages about files, such as a guessed encoding or an error. Each names its file. */
  readonly remarks: readonly string[];
  /** The number of passages that were there already. */
  readonly repeated: number;
  /** Files of types that are not read. */
  readonly leftOut: readonly NamedLeftOut[];
}

/** Reads one file after another. `others` are paths of files that are no documents. A file that cannot be read gives a remark. If no file has text, that is an error. */
export async function readDocuments(
  files: readonly PathFile[],
  before: readonly DocumentSource[],
  model: Embedder | null,
  others: readonly string[],
  { signal, report }: Pick<JobContext, 'signal' | 'report'>,
): Promise<ReadDocuments> {
  const [{ readDocument, dropDuplicates, leftOutOf }] = await Promise.all([
    import('ambry/passages'),
    import('ambry-pdf'),
  ]);
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
    throw failure ?? new Error(`No text was found. ${remarks.join(' ')}`);
  }
  return { sources, empty, remarks, repeated, leftOut: named(leftOutOf, others) };
}

function named(
  leftOutOf: (paths: readonly string[]) => readonly LeftOut[],
  paths: readonly string[],
): NamedLeftOut[] {
  const typeOf = (path: string) => leftOutOf([path])[0]?.types[0] ?? '';
  return leftOutOf(paths).map((group) => ({
    ...group,
    paths: paths.filter((path) => group.types.includes(typeOf(path))),
  }));
}

/** Counts tokens, so that no passage is longer than the model can read. Word vectors have no such limit. */
function counterOf(model: Embedder | null) {
  return model?.kind !== 'encoder'
    ? {}
    : { count: (texts: readonly string[]) => model.tokenCounts(texts) };
}

async function bytesOf(path: string, file: File): Promise<Uint8Array> {
  if (file.size > maxFileBytes) {
    const message = `${path} is larger than 1 GB. Split it into smaller files.`;
    throw new AmbryError('LimitExceeded', message, { path });
  }
  return new Uint8Array(await file.arrayBuffer());
}
