// From files to passages.

import type { PathFile } from '../shared/dropped-files.ts';
import type { DocumentSource } from './state.ts';

export interface ReadDocuments {
  readonly sources: readonly DocumentSource[];
  /** Paths of files without any text. */
  readonly empty: readonly string[];
  /** What to know of files that were read, each with its path. */
  readonly notes: readonly string[];
}

/** The splitter is fetched with the first document of one's own: the first answer does not wait for it. */
export async function readDocuments(
  files: readonly PathFile[],
  signal: AbortSignal,
): Promise<ReadDocuments> {
  const { readDocument } = await import('ambry/passages');
  const sources: DocumentSource[] = [];
  const empty: string[] = [];
  const notes: string[] = [];
  for (const { path, file } of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { passages, warnings } = await readDocument(path, bytes, { signal });
    notes.push(...warnings.map((warning) => `${path}: ${warning}`));
    if (passages.length === 0) {
      empty.push(path);
    } else {
      sources.push({ name: path, passages });
    }
  }
  if (sources.length === 0) {
    throw new Error(`There is no text in what you chose. ${notes.join(' ')}`);
  }
  return { sources, empty, notes };
}
