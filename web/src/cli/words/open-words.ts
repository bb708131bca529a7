// Opens word vectors, also from files of other formats.
import type { WordVectors } from '../../index.ts';
import { toFinalfusion, vectorFormats } from '../files/conversion.ts';
import type { CommandOptions } from '../shared/command.ts';
import { type FetchValues, fetchOptions, parseFetchOptions } from '../shared/common-options.ts';
import { directorySource } from '../shared/input.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import type { Terminal } from '../shared/terminal.ts';

/** Options of the commands that look words up. */
export const wordsOptions = {
  from: {
    type: 'string',
    short: 'f',
    value: 'FORMAT',
    help: `The format of MODEL, if the file does not tell it: ${vectorFormats.join(', ')}. Default: by its bytes.`,
  },
  ...fetchOptions,
} as const satisfies CommandOptions;

interface WordsValues extends FetchValues {
  readonly from?: string | undefined;
}

/** Opens word vectors for `use`. `from` is the format of a file that does not tell it. */
export async function withWords<T>(
  file: string,
  { from, ...values }: WordsValues,
  terminal: Terminal,
  use: (model: WordVectors) => Promise<T>,
): Promise<T> {
  const call = { ...parseFetchOptions(values), ...openCall(terminal) };
  // A fastText file is opened as it is, with fastText's own vectors.
  const source = await toFinalfusion(
    await directorySource(file),
    from === 'fasttext' ? undefined : from,
    call,
  );
  await using model = await openAs(['words'], file, source, call);
  return await use(model);
}
