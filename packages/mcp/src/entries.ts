// The indexes and models that the command line names.
import type { SearchIndex, TextClassifier, TokenClassifier } from 'ambry';
import { namedFiles } from 'ambry-http';
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
  const entries: [string, Entry<T>][] = [];
  for (const { name, file } of namedFiles(args, what, usageError)) {
    entries.push([name, await entryOf(file)]);
  }
  return Object.fromEntries(entries);
}
