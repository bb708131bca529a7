// The indexes and models that the command line names.
import { basename } from 'node:path';
import type { SearchIndex, TextClassifier, TokenClassifier } from 'ambry';
import type { CommandHost } from './command-host.ts';
import type { Entry } from './options/mcp-options.ts';

type Entries<T> = Readonly<Record<string, Entry<T>>>;

/** Functions that open the indexes, by name. Rejects for a name that comes twice, and for files that are not there. */
export function indexEntries(
  args: readonly string[],
  model: string | undefined,
  host: CommandHost,
): Promise<Entries<SearchIndex>> {
  return entriesOf(args, 'indexes', host, async (file) => {
    const opener = await host.indexOpenerOf(file, model);
    return async (call) => {
      const opened = await opener(call);
      return { value: opened.index, dispose: async () => opened[Symbol.asyncDispose]() };
    };
  });
}

/** Functions that open the classifiers, by name. Rejects for a name that comes twice, and for files that are not there. */
export function classifierEntries(
  args: readonly string[],
  host: CommandHost,
): Promise<Entries<TextClassifier>> {
  return entriesOf(args, 'classifiers', host, async (file) => {
    const opener = await host.openerOf(file, 'textClassifier');
    return async (call) => (await opener(call)) as TextClassifier;
  });
}

/** Functions that open the token classifiers, by name. Rejects for a name that comes twice, and for files that are not there. */
export function taggerEntries(
  args: readonly string[],
  host: CommandHost,
): Promise<Entries<TokenClassifier>> {
  return entriesOf(args, 'taggers', host, async (file) => {
    const opener = await host.openerOf(file, 'tokenClassifier');
    return async (call) => (await opener(call)) as TokenClassifier;
  });
}

async function entriesOf<T>(
  args: readonly string[],
  what: string,
  { usageError }: CommandHost,
  entryOf: (file: string) => Promise<Entry<T>>,
): Promise<Entries<T>> {
  const entries = new Map<string, Entry<T>>();
  for (const argument of args) {
    const { name, file } = namedFile(argument);
    if (entries.has(name)) {
      throw usageError(`Two ${what} have the name ${name}. Write one of them as NAME=${file}.`);
    }
    entries.set(name, await entryOf(file));
  }
  return Object.fromEntries(entries);
}

/** Reads `NAME=FILE`, or a file that gives the name. A path may have an equals sign, too, but not before its first
 *  slash. */
export function namedFile(argument: string): { readonly name: string; readonly file: string } {
  const [, name, file] = /^([^/\\:=]+)=(.+)$/s.exec(argument) ?? [];
  if (name !== undefined && file !== undefined) {
    return { name, file };
  }
  return { name: nameOf(argument), file: argument };
}

/** `notes/notes.ambryindex` is `notes`, and `hf:owner/topics` is `topics`. */
function nameOf(file: string): string {
  const isUrl = /^https?:\/\//i.test(file);
  const path = isUrl ? new URL(file).pathname : file.replace(/^hf:/, '');
  const last = basename(path.replace(/@[^/]*$/, ''));
  return last.replace(/\.(?:ambryindex|weights|bin|ftz|gguf|safetensors)$/i, '') || file;
}
