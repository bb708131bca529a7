// The tokenizer of a directory as a file. Pages fetch this file with the first directory.
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import { withWorker } from '../runtime/connect.ts';
import type { WireSource } from '../sources/base/wire.ts';
import type { VocabularyOptions } from '../tokenizer/types.ts';
import { noWeights, transferOfAll } from './conversion-parts.ts';
import type { ConvertCalls } from './protocol.ts';

type Made = ConvertCalls['tokenizerFile']['out'];

/** Reads the small files of a directory as `open` reads them. */
export function tokenizerFile(
  platform: Platform,
  files: Readonly<Record<string, WireSource>>,
  options: JobOptions & RuntimeOptions & VocabularyOptions,
): Promise<Made> {
  const parts = { weights: noWeights(), files };
  const { lowercase } = options;
  return withWorker<ConvertCalls, Made>(platform, options, 'convert', (channel) =>
    channel.call(
      'tokenizerFile',
      { ...parts, lowercase },
      { ...options, transfer: transferOfAll(parts) },
    ),
  );
}
