// Opens the tokenizer that a command names.
import { AmbryError } from '../../base/errors.ts';
import type { TokenizerFileOptions } from '../../entries/types.ts';
import type { FileTokenizer } from '../../index.ts';
import { openTokenizer } from '../../node.ts';
import { type Fetching, optionOfCase } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { directorySource, namesDirectory } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

/** Takes what `modelSource` takes, and a directory with a tokenizer. */
export async function openTokenizerOf(
  argument: string,
  options: TokenizerFileOptions & Fetching,
  { signal, onProgress }: Terminal,
): Promise<FileTokenizer> {
  const source = await directorySource(argument);
  try {
    return await openTokenizer(source, { ...options, signal, onProgress });
  } catch (error) {
    // With a single file, no option is wrong by itself.
    const isStated =
      error instanceof AmbryError && /^(options\.)?lowercase$/.test(error.path ?? '');
    if (isStated && (await namesDirectory(argument))) {
      throw new UsageError(error.message, optionOfCase(options));
    }
    throw error;
  }
}
