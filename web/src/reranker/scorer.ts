// What scores texts: the classification head of an encoder (encoder-head.ts), or a language model (language-model.ts).
import type { ScoreInput } from '../classification-head/protocol.ts';
import type { ScoreActivation, TextPair } from '../classification-head/types.ts';
import type { RelevanceOptions } from './types.ts';

export interface Scorer {
  /** What makes scores of the logits. */
  readonly activation: ScoreActivation;
  /** A number for each input. `list` is what errors call the inputs. */
  readonly logits: (
    inputs: readonly (string | TextPair)[],
    options: RelevanceOptions,
    list: ScoreInput['settings']['list'],
  ) => Promise<Float32Array>;
}
