// The classification head of an opened encoder, on the caller's side.
import type { FileInfo } from '../model/file-info.ts';
import type { Connection } from '../runtime/connect.ts';
import type { HeadCalls, Logits, ScoreInput } from './protocol.ts';
import type { HeadInfo, ScoreOptions } from './types.ts';

/** The head that a file states; undefined where it has none. */
export function headOf({ config }: FileInfo): HeadInfo | undefined {
  return config?.['classificationHead'] as HeadInfo | undefined;
}

/** The numbers that the model gives for the inputs: a row of one for each label, one row after another. */
export function logitsOf(
  { channel }: Pick<Connection<HeadCalls>, 'channel'>,
  inputs: ScoreInput['inputs'],
  { truncate, signal, onProgress }: ScoreOptions,
  list: ScoreInput['settings']['list'],
): Promise<Logits> {
  const settings = { list, ...(truncate !== undefined && { truncate }) };
  return channel.call('score', { inputs, settings }, { signal, onProgress });
}
