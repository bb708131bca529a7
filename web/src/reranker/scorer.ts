// What scores texts: the classification head of an encoder (encoder-head.ts), or a language model (language-model.ts).
import type { ScoreInput } from '../classification-head/protocol.ts';
import type { TextPair } from '../classification-head/types.ts';
import type { RelevanceOptions } from './types.ts';

export interface Scorer {
  /** What makes a score of a logit. */
  readonly scoreOf: (logit: number) => number;
  /** A number for each input. `list` is what errors call the inputs. */
  readonly logits: (
    inputs: readonly (string | TextPair)[],
    options: RelevanceOptions,
    list: ScoreInput['settings']['list'],
  ) => Promise<Float32Array>;
}
