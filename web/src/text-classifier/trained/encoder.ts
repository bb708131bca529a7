// The encoder of a trained classifier.
import { AmbryError } from '../../base/errors.ts';
import { type Embedder, isEmbedder } from '../../model/embedding.ts';
import { embedProbe, probeAgreement } from '../../model/probe.ts';
import type { ClassifierEncoder } from '../../model/types.ts';

/** Word vectors embed texts, too, but have no `tokenize`, which text classifiers have. */
export const isEncoder = (value: unknown): value is Embedder =>
  isEmbedder(value) && value.kind === 'encoder';

/** Throws if it makes no vector of a text. */
export function checkEncoder(encoder: Embedder, path: string): void {
  if (encoder.lateInteraction) {
    const message =
      'A model with late interaction makes vectors of tokens, and a classifier needs one vector for each text.';
    throw new AmbryError('Unsupported', message, { path });
  }
}

/** Throws unless it is the encoder that the classifier was trained with. */
export async function checkSameEncoder(
  encoder: Embedder,
  was: ClassifierEncoder & { readonly probe: readonly number[] },
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = 'options.encoder';
  checkEncoder(encoder, path);
  if (probeAgreement(await embedProbe(encoder, signal), was.probe) === 'other') {
    const message = `This is not the encoder that the classifier was trained with (${described(was)}).`;
    throw new AmbryError('Mismatch', message, { path });
  }
}

export const described = ({ dim, reference }: ClassifierEncoder): string =>
  `${dim} numbers a vector${reference === null ? '' : `, ${reference}`}`;
