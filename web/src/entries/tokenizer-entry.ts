import { checked } from '../base/call.ts';
import type { FileTokenizer, OpenTokenizerOptions } from '../file-tokenizer/client.ts';
import type { Platform } from '../platform/platform.ts';
import type { ModelDirectory, ModelSource } from '../sources/base/types.ts';

/** `openTokenizer` of `ambry`. */
export type OpenTokenizer = (
  source: ModelSource | ModelDirectory,
  options?: OpenTokenizerOptions,
) => Promise<FileTokenizer>;

export interface TokenizerEntry {
  readonly openTokenizer: OpenTokenizer;
}

// What is imported at once by an entry would be in the file that all pages fetch.
export function tokenizerEntry(platform: Platform): TokenizerEntry {
  return {
    openTokenizer: checked(async (source, options = {}) =>
      (await import('../file-tokenizer/client.ts')).openTokenizer(platform, source, options),
    ),
  };
}
