// The calls of models with late interaction, on the caller's side. Browsers fetch this with the first one.

import { AmbryError } from '../base/errors.ts';
import { text } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { checkCount } from '../classification-head/check-inputs.ts';
import { checkTexts } from '../model/check-texts.ts';
import type { Embedded } from '../model/embedding.ts';
import { pairsOf, rankOptionNames } from '../reranker/check-documents.ts';
import { refuseInstruction } from '../reranker/encoder-head.ts';
import { rankedDocuments } from '../reranker/order.ts';
import type { RankedDocument, RankOptions } from '../reranker/types.ts';
import type { Channel } from '../rpc/channel.ts';
import { jobOptionNames } from '../runtime/option-names.ts';
import type { LateCalls } from './protocol.ts';
import type { EmbedTokensOptions } from './types.ts';

/** What of an encoder is needed here. */
export interface LateModel {
  readonly lateInteraction?: object | undefined;
  readonly hasAllOutputs?: boolean;
  readonly connection: { readonly channel: unknown };
}

const tokensOptionNames: OptionNames<EmbedTokensOptions> = {
  ...jobOptionNames,
  as: true,
  truncate: true,
  prompt: text,
};

/** All rows, and how many each text has. */
export async function tokenVectors(
  model: LateModel,
  texts: readonly string[],
  options: EmbedTokensOptions,
): Promise<Embedded> {
  await refuseUnknown(options, tokensOptionNames);
  const { signal, onProgress, ...settings } = options;
  const input = { texts: checkTexts(texts), settings };
  return channelOf(model).call('embedTokens', input, { signal, onProgress });
}

export async function rankByTokens(
  model: LateModel,
  query: string,
  documents: readonly string[],
  options: RankOptions,
): Promise<RankedDocument[]> {
  await refuseUnknown(options, rankOptionNames);
  const channel = channelOf(model);
  checkCount(options.k);
  refuseInstruction(options.instruction);
  pairsOf(query, documents);
  const { truncate, signal, onProgress } = options;
  const settings = { ...(truncate !== undefined && { truncate }) };
  const input = { query, documents, settings };
  const scores = await channel.call('rankTokens', input, { signal, onProgress });
  return rankedDocuments(scores, documents, options);
}

function channelOf({ lateInteraction, hasAllOutputs, connection }: LateModel): Channel<LateCalls> {
  if (lateInteraction || hasAllOutputs) {
    return connection.channel as Channel<LateCalls>;
  }
  const message =
    'The model has no late interaction: it makes one vector of a text, with embed(). Late interaction is that of ColBERT.';
  throw new AmbryError('Unsupported', message, { path: 'model' });
}
