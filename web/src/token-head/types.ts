// What models with a head for every token have in common.

/** The head of a model, as its file states it (`info.config.tokenHead`). */
export interface TokenHeadInfo {
  /** The kind as which the model opens; a masked language model only if it is asked for. */
  readonly kind: 'tokenClassifier' | 'questionAnswering' | 'fillMask' | 'sparseEncoder';
  /** The labels of a token classifier in the order of their indices; empty for other heads. */
  readonly labels: readonly string[];
  /** Whether the words of queries have fixed weights. Only sparse encoders say it. */
  readonly fixedQueries?: boolean;
}
