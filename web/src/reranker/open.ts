// Makes a reranker of an opened model: an encoder with a head, or a language model whose config says how it ranks.
import { headOf } from '../classification-head/head.ts';
import type { HeadCalls } from '../classification-head/protocol.ts';
import type { GeneratorCalls } from '../generator/base/protocol.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { OpenOptions } from '../model/types.ts';
import type { Connection } from '../runtime/connect.ts';
import { Reranker } from './client.ts';
import { openEncoderReranker } from './open-encoder.ts';

export async function openReranker(
  connection: Connection<HeadCalls & GeneratorCalls>,
  opened: OpenedModel,
  options: OpenOptions,
): Promise<Reranker> {
  if (headOf(opened.info)) {
    return openEncoderReranker(connection, opened);
  }
  // Pages fetch this file with the first language model that ranks.
  const { openScorer } = await import('./language-model.ts');
  return new Reranker(connection, opened, await openScorer(connection, opened, options));
}
