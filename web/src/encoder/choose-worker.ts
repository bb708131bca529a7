// The worker for an encoder, or a reranker.
import type { EncoderCode } from '../model/opening.ts';
import type { OpenOptions } from '../model/types.ts';
import type { WorkerName } from '../platform/platform.ts';
import type { WireSource } from '../sources/base/wire.ts';

/** The smallest worker knows no cache and no hashes. */
export const encoderWorker = (
  { cache, sha256, hub }: WireSource,
  { architecture }: OpenOptions,
  code: EncoderCode | undefined,
): WorkerName => {
  const known = code ?? (architecture ? 'static-small' : 'encoder-small');
  if (known !== 'encoder-small') {
    return known;
  }
  return cache || sha256 || hub?.sha256 ? 'encoder-small-cached' : 'encoder-small';
};
