// What the parts of the worker share.

/** A passage to embed. Its key is unique in the corpus. */
export interface Passage {
  readonly key: string;
  readonly text: string;
}

export interface EmbeddedPassage extends Passage {
  readonly vector: Float32Array;
}

/** The data of a job in the queue. */
export interface EmbedJob {
  /** The SHA-256 of the model. */
  readonly model: string;
  /** 0 at first. Each time passages are set aside, the rest of the job gets the next number. */
  readonly round: number;
  readonly passages: readonly Passage[];
}

/** The model that made all vectors of a place. */
export interface ModelMark {
  readonly sha256: string;
  /** The length of a vector. */
  readonly dim: number;
}

/** Where vectors are written. What it holds is the only record of what is done. */
export interface Sink {
  /** Makes the place where it is missing. Refuses a place that has the vectors of another model. */
  prepare(mark: ModelMark): Promise<void>;
  /** Returns the passages of a job that are not written yet. A passage whose text has changed is not written. */
  missing(jobId: string, job: EmbedJob): Promise<readonly Passage[]>;
  /** Writes all of these passages or none. Writing them again changes nothing. */
  write(jobId: string, job: EmbedJob, passages: readonly EmbeddedPassage[]): Promise<void>;
  close(): Promise<void>;
}
