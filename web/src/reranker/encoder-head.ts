// Scores texts with the classification head of an encoder.
import { AmbryError } from '../base/errors.ts';
import { logitsOf } from '../classification-head/head.ts';
import { activations } from '../classification-head/probabilities.ts';
import type { HeadCalls } from '../classification-head/protocol.ts';
import type { HeadInfo } from '../classification-head/types.ts';
import type { Connection } from '../runtime/connect.ts';
import type { Scorer } from './scorer.ts';

export function headScorer(
  head: HeadInfo,
  connection: Pick<Connection<HeadCalls>, 'channel'>,
): Scorer {
  return {
    scoreOf: activations[head.scoreActivation],
    logits: async (inputs, options, list) => {
      refuseInstruction(options.instruction);
      refuseLayer(options.layer);
      return logitsOf(connection, inputs, options, list);
    },
  };
}

/** Only language models read one. */
export function refuseInstruction(instruction: string | undefined): void {
  if (instruction !== undefined) {
    const message = 'The model takes no instruction: it reads the query and the document alone.';
    throw new AmbryError('Unsupported', message, { path: 'options.instruction' });
  }
}

function refuseLayer(layer: number | undefined): void {
  if (layer !== undefined) {
    const message =
      'The model ranks after its last layer only; one that ranks after others is bge-reranker-v2-minicpm-layerwise.';
    throw new AmbryError('Unsupported', message, { path: 'options.layer' });
  }
}
