import { didYouMean } from '../../base/did-you-mean.ts';
import type { CachedFile } from '../../entries/types.ts';
import { cache } from '../../node.ts';
import { defaultDirectory } from '../../sources/cache/node-directory.ts';
import { endpointOf, parseHubName } from '../../sources/hub/hub-name.ts';
import { isHubName } from '../../sources/wire-source.ts';
import { defineCommand } from '../shared/command.ts';
import { hubOptions, jsonOption, parseCache, parseHubOptions } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { formatBytes, plural, table } from '../shared/format.ts';

const actions: readonly string[] = ['list', 'remove'];

export const command = defineCommand({
  usage: 'list|remove [NAME|URL...]',
  summary: 'List or remove the files that "ambry pull" keeps',
  details: [
    'NAME is hf:owner/name, for all kept files of the repository, in every version. Files that another program uses are not removed.',
  ],
  choices: actions,
  options: {
    all: { type: 'boolean', help: 'With remove: remove all files.' },
    endpoint: hubOptions.endpoint,
    cache: {
      type: 'string',
      value: 'DIR',
      help: 'The directory of the cache. Default: the user’s cache directory.',
    },
    ...jsonOption,
  },
  json: '[{url, bytes, size, complete, storedAt}, …], the files that are kept, or were removed.',
  examples: ['cache list', 'cache list --json'],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([action = '', ...names], { all = false, json, endpoint, ...values }, terminal) => {
    if (!actions.includes(action)) {
      const advice = didYouMean(action, actions);
      throw new UsageError(`There is no "ambry cache ${action}".${advice} Give list or remove.`);
    }
    const removes = action === 'remove';
    if (removes && names.length === 0 && !all) {
      throw new UsageError('Name what is to be removed, or give --all.', '--all');
    }
    if (all && (names.length > 0 || !removes)) {
      throw new UsageError('--all is for remove without names.', '--all');
    }
    const directory = parseCache(values.cache) ?? defaultDirectory();
    const matches = matcher(names, parseHubOptions({ endpoint }).hub ?? {});
    const found = (await cache.list({ directory })).filter(({ url }) => matches(url));
    const files = removes ? await removed(found, directory) : found;
    if (json) {
      terminal.printJson(files);
    } else {
      for (const line of lines(files)) {
        terminal.print(line);
      }
    }
    return 0;
  },
});

/** Whether a URL is one of those that are named. Without names, all are. */
function matcher(
  names: readonly string[],
  hub: { readonly endpoint?: string | URL },
): (url: string) => boolean {
  if (names.length === 0) {
    return () => true;
  }
  const tests = names.map((name) => {
    if (!isHubName(name)) {
      if (!URL.canParse(name)) {
        throw new UsageError(`${name} is neither a URL nor a name such as hf:owner/name.`);
      }
      return (url: string) => url === new URL(name).href;
    }
    const { repository } = parseHubName(name);
    return (url: string) => url.startsWith(`${endpointOf(hub)}/${repository}/resolve/`);
  });
  return (url) => tests.some((test) => test(url));
}

async function removed(files: readonly CachedFile[], directory: string): Promise<CachedFile[]> {
  const gone: CachedFile[] = [];
  for (const file of files) {
    if (await cache.delete(file.url, { directory })) {
      gone.push(file);
    }
  }
  return gone;
}

function lines(files: readonly CachedFile[]): string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = files.map(({ url, bytes: own, complete }) => [
    formatBytes(own),
    complete ? '' : 'incomplete',
    url,
  ]);
  return [...table(rows, [0]), `${plural(files.length, 'file')}, ${formatBytes(bytes)}`];
}
