// The labels of a classifier, as `classify` prints them.
import type { LabelScore } from '../../entries/types.ts';
import { shortFloat } from './format.ts';

/** Label, tab, score, and a tab before the next label. */
export const labelLine = (labels: readonly LabelScore[]): string =>
  labels.map(({ label, score }) => `${label}\t${score.toFixed(6)}`).join('\t');

export const shortLabels = (labels: readonly LabelScore[]): LabelScore[] =>
  labels.map(({ score, ...rest }) => ({ ...rest, score: shortFloat(score) }));
