// Lists of documents whose passages are indexed or wait to be indexed.

import type { Doc } from 'ambry';
import type { DocumentSource } from '../state/state.ts';

/** A random id for a document. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function allPassages({ passages, waiting }: DocumentSource): readonly Doc[] {
  return waiting === undefined ? passages : [...passages, ...waiting];
}

/** The document with all passages waiting. */
export function asWaiting(source: DocumentSource): DocumentSource {
  const { id, name } = source;
  return { id, name, passages: [], waiting: allPassages(source) };
}

/** The document with all passages indexed. */
export function asIndexed(source: DocumentSource): DocumentSource {
  const { id, name } = source;
  return { id, name, passages: allPassages(source) };
}

export function countWaiting(sources: readonly DocumentSource[]): number {
  return sources.reduce((sum, { waiting }) => sum + (waiting?.length ?? 0), 0);
}

interface Batch {
  readonly docs: readonly Doc[];
  /** The documents once `docs` are indexed. */
  readonly after: readonly DocumentSource[];
}

/** Takes up to `count` waiting passages, in order. */
export function takeWaiting(sources: readonly DocumentSource[], count: number): Batch {
  const docs: Doc[] = [];
  const after = sources.map((source) => {
    const { waiting, ...rest } = source;
    const taken = waiting?.slice(0, count - docs.length) ?? [];
    if (waiting === undefined || taken.length === 0) {
      return source;
    }
    docs.push(...taken);
    const passages = [...source.passages, ...taken];
    const left = waiting.slice(taken.length);
    return left.length === 0 ? { ...rest, passages } : { ...rest, passages, waiting: left };
  });
  return { docs, after };
}
