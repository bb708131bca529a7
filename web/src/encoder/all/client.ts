// All outputs of texts in one pass, on the caller's side. Browsers fetch this with the first call.
import { AmbryError } from '../../base/errors.ts';
import { count, flag, text } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import { checkTexts } from '../../model/check-texts.ts';
import { vectorsOf } from '../../model/embedding.ts';
import type { Channel } from '../../rpc/channel.ts';
import { jobOptionNames } from '../../runtime/option-names.ts';
import { sparseVectorsOf } from '../../sparse-encoder/vectors.ts';
import type { AllOutputsCalls } from './protocol.ts';
import type { AllOutputs, EmbedAllOptions } from './types.ts';

/** What of an encoder is needed here. */
interface AllModel {
  readonly hasAllOutputs: boolean;
  readonly connection: { readonly channel: unknown };
}

const embedAllOptionNames: OptionNames<EmbedAllOptions> = {
  ...jobOptionNames,
  dense: flag,
  sparse: flag,
  tokens: flag,
  k: count,
  words: flag,
  truncate: true,
  prompt: text,
};

export async function allOutputs(
  { hasAllOutputs, connection }: AllModel,
  given: readonly string[],
  options: EmbedAllOptions,
): Promise<Partial<AllOutputs>[]> {
  await refuseUnknown(options, embedAllOptionNames);
  if (!hasAllOutputs) {
    const message =
      'The model does not give vectors of texts, weights of words and vectors of tokens together, as BGE-M3 does.';
    throw new AmbryError('Unsupported', message, { path: 'model' });
  }
  const { signal, onProgress, words = false, ...settings } = options;
  const texts = checkTexts(given);
  const channel = connection.channel as Channel<AllOutputsCalls>;
  const rows = await channel.call('embedAll', { texts, settings, words }, { signal, onProgress });
  const dense = rows.dense && vectorsOf(rows.dense);
  const sparse = rows.sparse && sparseVectorsOf(rows.sparse);
  const tokens = rows.tokens && vectorsOf(rows.tokens);
  return texts.map((_, i) => ({
    ...(dense && { dense: dense[i] }),
    ...(sparse && { sparse: sparse[i] }),
    ...(tokens && { tokens: tokens[i] }),
  })) as Partial<AllOutputs>[];
}
