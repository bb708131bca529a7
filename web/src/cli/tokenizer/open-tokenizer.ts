// Opens the tokenizer that a command names.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AmbryError, messageOf } from '../../base/errors.ts';
import type { VocabularyOptions } from '../../entries/types.ts';
import type { Tokenizer } from '../../index.ts';
import { openTokenizer } from '../../node.ts';
import type { SideFile } from '../../sources/directory/model-files.ts';
import type { Fetching } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { isPath, modelSource, readText, statReadable } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';

const vocabulary = 'vocab.txt';
/** The files of a Hugging Face directory that are tokenizers by themselves, the best first. */
export const tokenizerFiles = [
  'tokenizer.json',
  'tokenizer.model',
  vocabulary,
] as const satisfies SideFile[];
const settingsFile = 'tokenizer_config.json' satisfies SideFile;

/** Takes what `modelSource` takes, and a directory: the first of `tokenizerFiles` there. */
export async function openTokenizerOf(
  argument: string,
  { lowercase: given, ...fetching }: VocabularyOptions & Fetching,
  { signal, onProgress }: Terminal,
): Promise<Tokenizer> {
  const name = await tokenizerIn(argument);
  const source = await modelSource(name === undefined ? argument : join(argument, name));
  const stated = name === vocabulary ? await statedCase(argument) : undefined;
  if (stated !== undefined && given !== undefined) {
    const message = `The ${settingsFile} in ${argument} says it (do_lower_case). Leave this option out.`;
    throw new UsageError(message, given ? '--uncased' : '--cased');
  }
  const lowercase = stated ?? given;
  return openTokenizer(source, {
    ...fetching,
    signal,
    onProgress,
    ...(lowercase !== undefined && { lowercase }),
  });
}

/** The name of the tokenizer's file if `argument` is a directory that has one. */
async function tokenizerIn(argument: string): Promise<(typeof tokenizerFiles)[number] | undefined> {
  if (!isPath(argument)) {
    return undefined;
  }
  if (!(await statReadable(argument)).isDirectory()) {
    return undefined;
  }
  return tokenizerFiles.find((name) => existsSync(join(argument, name)));
}

/** What the directory says of its vocab.txt, which does not say it: whether texts are lower-cased. */
async function statedCase(directory: string): Promise<boolean | undefined> {
  const path = join(directory, settingsFile);
  if (!existsSync(path)) {
    return undefined;
  }
  let settings: unknown;
  try {
    settings = JSON.parse(await readText(path));
  } catch (cause) {
    if (cause instanceof AmbryError) {
      throw cause;
    }
    throw new AmbryError('BadValue', `${path} is not JSON: ${messageOf(cause)}`, {
      path: settingsFile,
      cause,
    });
  }
  const value = (settings as { readonly do_lower_case?: unknown } | null)?.do_lower_case;
  if (value === undefined || value === null) {
    return undefined;
  }
  if (typeof value === 'boolean') {
    return value;
  }
  throw new AmbryError('BadValue', `Must be true or false, not ${JSON.stringify(value)}.`, {
    path: `${settingsFile}.do_lower_case`,
  });
}
