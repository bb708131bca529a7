// What models with a head for every token have in common.

/** What the head of a model is for, as its file states it. */
export const tokenHeadTasks = ['tokenClassification', 'questionAnswering', 'fillMask'] as const;
export type TokenHeadTask = (typeof tokenHeadTasks)[number];

/** The head of a model, as its file states it (`info.config.tokenHead`). */
export interface TokenHeadInfo {
  readonly task: TokenHeadTask;
  /** The labels of a token classifier in the order of their indices; empty for other heads. */
  readonly labels: readonly string[];
}
