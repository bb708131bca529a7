// What the commands over word vectors share: opening them, also from files of other formats.
import { AmbryError } from '../../errors.ts';
import type { Model } from '../../index.ts';
import { convert, open } from '../../node.ts';
import type { ConvertOptions, ModelSource, Problem, Words } from '../../types.ts';
import { describe } from '../shared/failure.ts';
import { modelSource } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

/** Runs `use` with the words of a file; of a format other than finalfusion, `from` names it. */
export async function withWords<T>(
  file: string,
  from: string | undefined,
  terminal: Terminal,
  use: (words: Words) => Promise<T>,
): Promise<T> {
  const { signal, onProgress } = terminal;
  const onWarning = (warning: Problem) => terminal.note(`warning  ${describe(warning)}`);
  const options = { signal, onProgress, onWarning };
  const source = await finalfusionOf(await modelSource(file), from, options);
  const model = await open(source, { signal, onProgress });
  try {
    return await use(wordsOf(model, file));
  } finally {
    await model.dispose();
  }
}

/** The source, or if it is of another format, what it is as finalfusion. */
export async function finalfusionOf(
  source: ModelSource,
  from: string | undefined,
  options: Pick<ConvertOptions, 'signal' | 'onProgress' | 'onWarning' | 'lossy'>,
): Promise<ModelSource> {
  if (from === undefined || from === 'finalfusion') return source;
  return convert(source, { ...options, to: 'finalfusion', from });
}

function wordsOf(model: Model, file: string): Words {
  if (model.words) return model.words;
  throw new AmbryError('Unsupported', `${file} is ${model.info.format}, no file of word vectors.`);
}
