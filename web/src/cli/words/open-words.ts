// Opens word vectors, also from files of other formats.
import type { Problem, Words } from '../../types.ts';
import { toFinalfusion, vectorFormats, wordsFormat } from '../files/conversion.ts';
import type { CommandOptions } from '../shared/command.ts';
import { type FetchValues, fetchOptions, parseFetchOptions } from '../shared/common-options.ts';
import { describeProblem } from '../shared/failure.ts';
import { modelSource } from '../shared/input.ts';
import { openAs } from '../shared/open-model.ts';
import type { Terminal } from '../shared/terminal.ts';

/** Options of the commands that look words up. */
export const wordsOptions = {
  from: {
    type: 'string',
    short: 'f',
    value: 'FORMAT',
    help: `The format of MODEL: ${vectorFormats.join(', ')}. Default: ${wordsFormat}.`,
  },
  ...fetchOptions,
} as const satisfies CommandOptions;

interface WordsValues extends FetchValues {
  readonly from?: string | undefined;
}

/** Opens the words of a file for `use`. `from` is the format of the file if it is not finalfusion. */
export async function withWords<T>(
  file: string,
  { from, ...values }: WordsValues,
  terminal: Terminal,
  use: (words: Words) => Promise<T>,
): Promise<T> {
  const { signal, onProgress } = terminal;
  const onWarning = (warning: Problem) => terminal.note(`warning  ${describeProblem(warning)}`);
  const call = { ...parseFetchOptions(values), signal, onProgress };
  const source = await toFinalfusion(await modelSource(file), from, { ...call, onWarning });
  const model = await openAs(['words'], file, source, call);
  try {
    return await use(model.words);
  } finally {
    await model.dispose();
  }
}
