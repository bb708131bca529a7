// Makes a reranker of an encoder with a head, for pages that have no code for language models.
import { AmbryError } from '../base/errors.ts';
import { headOf } from '../classification-head/head.ts';
import type { HeadCalls } from '../classification-head/protocol.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { Connection } from '../runtime/connect.ts';
import { Reranker } from './client.ts';
import { headScorer } from './encoder-head.ts';

export async function openEncoderReranker(
  connection: Connection<HeadCalls>,
  opened: OpenedModel,
): Promise<Reranker> {
  const head = headOf(opened.info);
  if (head) {
    return new Reranker(connection, opened, headScorer(head, connection));
  }
  const message =
    "The file holds a language model that ranks, which this entry of the package does not open. Import from 'ambry'.";
  throw new AmbryError('Unsupported', message);
}
