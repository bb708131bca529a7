// What the parts of the worker share.
import type { Vector } from './vectors.ts';

/** A passage to embed. Its key is unique in the corpus. */
export interface Passage {
  readonly key: string;
  readonly text: string;
}

export interface EmbeddedPassage extends Passage {
  readonly vector: Vector;
}

/** The data of a job in the queue. */
export interface EmbedJob {
  /** The SHA-256 of the model. */
  readonly model: string;
  readonly passages: readonly Passage[];
}

/** The model that made all vectors of a place. */
export interface ModelMark {
  readonly sha256: string;
  /** The length of a vector, or the size of the vocabulary of a sparse encoder. */
  readonly dim: number;
  /** Whether the vectors are those of a sparse encoder. */
  readonly sparse?: boolean;
}

/**
 * Where vectors are written. What it holds is the only record of what is done.
 *
 * Its methods throw an `OutageError` for what passes, such as a server that restarts, and another `AmbryError` where the
 * place cannot be used by any job. Anything else is the fault of the job.
 */
export interface Sink {
  /** Makes the place where it is missing. Refuses a place that has the vectors of another model. */
  prepare(mark: ModelMark): Promise<void>;
  /** The model of the place. Refuses a place that was never prepared. */
  mark(): Promise<ModelMark>;
  /** Refuses a corpus whose passages would be written a second time beside those of another one. */
  claimCorpus(id: string): Promise<void>;
  /** Returns the passages of a job that are not written yet. A passage whose text has changed is not written. */
  missing(jobId: string, passages: readonly Passage[]): Promise<readonly Passage[]>;
  /** Writes all of these passages or none. Writing them again changes nothing. */
  write(jobId: string, passages: readonly EmbeddedPassage[]): Promise<void>;
  close(): Promise<void>;
}

/** Leaves one passage for each key: the last one. */
export function uniqueByKey<T extends Passage>(passages: readonly T[]): T[] {
  return [...new Map(passages.map((passage) => [passage.key, passage])).values()];
}
