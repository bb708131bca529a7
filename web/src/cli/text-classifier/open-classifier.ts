// Opens the model of `ambry classify`. A classifier that was trained on examples opens with its encoder.
import { AmbryError } from '../../base/errors.ts';
import type { ClassifierEncoder, ModelSource, OpenOptions } from '../../entries/types.ts';
import type { ImageClassifier, TextClassifier } from '../../index.ts';
import type { Fetching } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { directorySource } from '../shared/input.ts';
import { resolveReference } from '../shared/model-reference.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import type { Terminal } from '../shared/terminal.ts';

const kinds = ['textClassifier', 'imageClassifier'] as const;

/** `encoder` is the encoder that was given; without it, the file says where it is. */
export async function openClassifier(
  file: string,
  source: ModelSource,
  encoder: string | undefined,
  fetching: Fetching,
  terminal: Terminal,
): Promise<TextClassifier | ImageClassifier> {
  const opening = { ...fetching, ...openCall(terminal) };
  const withEncoder: OpenOptions = {
    ...opening,
    encoder: async ({ reference }: ClassifierEncoder) => {
      const name = encoder ?? referenceIn(reference, file);
      return openAs(['encoder'], name, await directorySource(name), opening);
    },
  };
  if (encoder !== undefined) {
    return openAs(kinds, file, source, withEncoder);
  }
  return openAs(kinds, file, source, opening).catch((error: unknown) => {
    // Standard input is read once.
    if (error instanceof AmbryError && error.path === 'options.encoder' && file !== '-') {
      return openAs(kinds, file, source, withEncoder);
    }
    throw error;
  });
}

function referenceIn(reference: string | null, file: string): string {
  if (reference === null) {
    const message = 'The classifier does not name its encoder. Use --encoder MODEL.';
    throw new UsageError(message, '--encoder');
  }
  return resolveReference(reference, file);
}
