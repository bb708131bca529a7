// What all calls that take long have in common.

/** One report of the progress of long work. `loaded` never goes back within a phase. `total` is 0 while it is unknown.
 *  Units are bytes, texts, questions, layers, tensors or tokens; for `train` they are thousandths. `train` comes before
 *  `convert` where a quantizer is trained or n-grams are listed. */
export interface Progress {
  readonly phase:
    | 'download'
    | 'load'
    | 'validate'
    | 'train'
    | 'calibrate'
    | 'convert'
    | 'embed'
    | 'score'
    | 'accuracy'
    | 'classify'
    | 'prompt'
    | 'generate'
    | 'perplexity';
  readonly loaded: number;
  readonly total: number;
  /** True when the bytes came from a cache and not from the network. When an index is made with `keep`: how many
   *  passages had a kept vector. */
  readonly cached: boolean | number;
  /** Something went wrong but the work goes on: the storage is full, or the server does not answer. */
  readonly note?: string | undefined;
}

/** Options of every call that can take long. An abort rejects with a DOM `AbortError`. */
export interface JobOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}
