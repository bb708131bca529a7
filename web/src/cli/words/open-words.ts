// Opens word vectors, also from files of other formats.
import type { Problem, Words } from '../../types.ts';
import { toFinalfusion, vectorFormats, wordsFormat } from '../files/conversion.ts';
import type { CommandOptions } from '../shared/command.ts';
import { describeProblem } from '../shared/failure.ts';
import { modelSource } from '../shared/input.ts';
import { openAs } from '../shared/open-model.ts';
import type { Terminal } from '../shared/terminal.ts';

export const fromOption = {
  from: {
    type: 'string',
    short: 'f',
    value: 'FORMAT',
    help: `The format of MODEL: ${vectorFormats.join(', ')}. Default: ${wordsFormat}.`,
  },
} as const satisfies CommandOptions;

/** Opens the words of a file for `use`. `from` is the format of the file if it is not finalfusion. */
export async function withWords<T>(
  file: string,
  from: string | undefined,
  terminal: Terminal,
  use: (words: Words) => Promise<T>,
): Promise<T> {
  const { signal, onProgress } = terminal;
  const onWarning = (warning: Problem) => terminal.note(`warning  ${describeProblem(warning)}`);
  const options = { signal, onProgress, onWarning };
  const source = await toFinalfusion(await modelSource(file), from, options);
  const model = await openAs(['words'], file, source, { signal, onProgress });
  try {
    return await use(model.words);
  } finally {
    await model.dispose();
  }
}
