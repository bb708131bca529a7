// Makes the model that fills in missing words, with the text of its mask.
import { AmbryError } from '../base/errors.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { Connection } from '../runtime/connect.ts';
import type { TokenHeadCalls } from '../token-head/protocol.ts';
import { MaskFiller } from './client.ts';

export async function openMaskFiller(
  connection: Connection<TokenHeadCalls>,
  opened: OpenedModel,
): Promise<MaskFiller> {
  const mask = opened.info.tokenizer?.special['mask'];
  if (mask === undefined) {
    const message =
      'The tokenizer has no token for a missing word, so the model cannot fill in any.';
    throw new AmbryError('Unsupported', message, { path: 'tokenizer.special.mask' });
  }
  const input = { ids: [mask], skipSpecial: false };
  const maskToken = await connection.channel.call('detokenize', input);
  return new MaskFiller(connection, opened, maskToken.trim());
}
