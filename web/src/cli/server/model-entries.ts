// The models that the arguments of `serve` name.
import { basename } from 'node:path';
import type { JobOptions, OpenOptions } from '../../entries/types.ts';
import { type Model, open, runReport } from '../../node.ts';
import type { Fetching } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { directorySource, isUrl } from '../shared/input.ts';

export type OpenModel = () => Promise<Model>;

/** How files are read, and how their models are opened. */
export interface Opening {
  readonly reading: JobOptions & Fetching;
  readonly options: OpenOptions;
  readonly threads: number | undefined;
}

/** Functions that open the models, by name. Throws for a name that comes twice, and rejects for files that are not there. */
export async function modelEntries(
  args: readonly string[],
  opening: Opening,
): Promise<Readonly<Record<string, OpenModel>>> {
  const entries = new Map<string, OpenModel>();
  for (const argument of args) {
    const { name, file } = namedModel(argument);
    if (entries.has(name)) {
      throw new UsageError(`Two models have the name ${name}. Write one of them as NAME=${file}.`);
    }
    // Tells at once of a file that is missing.
    await directorySource(file);
    entries.set(name, () => openFile(file, opening));
  }
  return Object.fromEntries(entries);
}

/** Reads `NAME=FILE`, or a file that gives the name. A path may have an equals sign, too, but not before its first
 *  slash. */
export function namedModel(argument: string): { readonly name: string; readonly file: string } {
  const [, name, file] = /^([^/\\:=]+)=(.+)$/s.exec(argument) ?? [];
  if (name !== undefined && file !== undefined) {
    return { name, file };
  }
  return { name: nameOf(argument), file: argument };
}

/** `models/chat.gguf` and `hf:owner/chat` are `chat`. */
function nameOf(file: string): string {
  const path = isUrl(file) ? new URL(file).pathname : file.replace(/^hf:/, '');
  const last = basename(path.replace(/@[^/]*$/, ''));
  return last.replace(/\.(?:amb|alt|gguf|weights|safetensors|bin|fifu|ftz)$/i, '') || file;
}

/** Threads are for language models only, so a file is asked first what it holds. */
async function openFile(file: string, { reading, options, threads }: Opening): Promise<Model> {
  const isGenerator = async () =>
    (await runReport(await directorySource(file), reading)).kind === 'generator';
  const takesThreads = threads !== undefined && (await isGenerator());
  const source = await directorySource(file);
  return open(source, { ...options, ...reading, ...(takesThreads && { threads }) });
}
