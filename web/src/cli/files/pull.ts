import { defaultDirectory } from '../../sources/cache/node-directory.ts';
import { directoryParts } from '../../sources/directory/directory.ts';
import { parseHubName } from '../../sources/hub/hub-name.ts';
import { hubFiles, hubNamed } from '../../sources/hub/hub-sources.ts';
import type { HubFile } from '../../sources/hub/list-files.ts';
import { isHubName } from '../../sources/wire-source.ts';
import { defineCommand } from '../shared/command.ts';
import {
  type Fetching,
  fetchOptions,
  jsonOption,
  parseCache,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { formatBytes, table } from '../shared/format.ts';
import { isUrl } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';
import { keepFiles, type Wanted } from './keep-files.ts';

export const command = defineCommand({
  usage: 'NAME|URL',
  summary: 'Download a model to the cache, where other commands find it',
  details: [
    'NAME is a name at the hub: hf:owner/name, hf:owner/name@revision or hf:owner/name/file. Without a file, the files are kept that other commands would read. A download that was broken off is continued.',
  ],
  options: {
    revision: {
      type: 'string',
      value: 'REVISION',
      help: 'The branch, tag or commit of the repository. Default: as NAME says, else main.',
    },
    file: {
      type: 'string',
      multiple: true,
      value: 'PATH',
      help: 'A file of the repository. May be given several times. Default: the files of the model.',
    },
    ...fetchOptions,
    cache: {
      type: 'string',
      value: 'DIR',
      help: 'The directory in which the files are kept. Default: the user’s cache directory.',
    },
    ...jsonOption,
  },
  json: '{source, commit, files}. commit is null for a URL. Each file is {file, url, bytes, path}.',
  examples: [
    'pull hf:sentence-transformers/all-MiniLM-L6-v2',
    'pull hf:owner/name --revision v1.0 --file model.gguf',
    'pull https://example.org/model.gguf',
  ],
  argumentCount: [1, 1],
  run: async ([source = ''], values, terminal) => {
    const { revision, file, json } = values;
    const fetching = parseFetchOptions(values);
    const directory = parseCache(values.cache) ?? defaultDirectory();
    const { name, commit, wanted } = await wantedFiles(
      source,
      { revision, file },
      fetching,
      terminal,
    );
    const files = await keepFiles(wanted, directory, fetching, terminal);
    if (json) {
      terminal.printJson({ source: name, commit, files });
      return 0;
    }
    terminal.print(commit === null ? name : `${name} at ${commit}`);
    const rows = files.map((kept) => [kept.file, formatBytes(kept.bytes), kept.path]);
    for (const line of table(rows)) {
      terminal.print(`  ${line}`);
    }
    return 0;
  },
});

interface Selection {
  readonly revision: string | undefined;
  readonly file: readonly string[] | undefined;
}

interface Selected {
  /** What was given, or the name of the base that is read in its place. */
  readonly name: string;
  readonly commit: string | null;
  readonly wanted: readonly Wanted[];
}

async function wantedFiles(
  source: string,
  { revision, file }: Selection,
  fetching: Fetching,
  { signal, onProgress }: Terminal,
): Promise<Selected> {
  if (isUrl(source)) {
    const option = revision !== undefined ? '--revision' : file ? '--file' : undefined;
    if (option) {
      throw new UsageError(`${option} is for names that begin with hf:.`, option);
    }
    const url = new URL(source);
    return {
      name: source,
      commit: null,
      wanted: [{ file: url.pathname.replace(/^.*\//, ''), url }],
    };
  }
  if (!isHubName(source)) {
    throw new UsageError(`${source} is neither a URL nor a name such as hf:owner/name.`);
  }
  const parsed = parseHubName(source);
  if (revision !== undefined && parsed.revision !== undefined) {
    throw new UsageError(`${source} has a revision already.`, '--revision');
  }
  if (file && parsed.path !== undefined) {
    throw new UsageError(`${source} has a path already.`, '--file');
  }
  const name = { ...parsed, revision: revision ?? parsed.revision };
  const options = { ...fetching, signal, onProgress };
  if (file) {
    const { list, files } = await hubNamed(name, file, options);
    return { name: source, commit: list.commit, wanted: files.map(wantedFile) };
  }
  const { list, files, isDirectory } = await hubFiles(name, options);
  const all = [...files.values()];
  const given = list.repository === parsed.repository ? source : `hf:${list.repository}`;
  return {
    name: given,
    commit: list.commit,
    wanted: (isDirectory ? partsOf(files) : all).map(wantedFile),
  };
}

/** The files of a directory that a model is made of. */
function partsOf(files: ReadonlyMap<string, HubFile>): HubFile[] {
  const urls = new Map([...files].map(([path, { url }]) => [path, url]));
  const parts = directoryParts(urls);
  if (parts.missing) {
    throw parts.missing;
  }
  const used = new Set([...Object.values(parts.files), ...parts.weights.map(([, url]) => url)]);
  return [...files.values()].filter(({ url }) => used.has(url));
}

function wantedFile({ path, url, size }: HubFile): Wanted {
  return { file: path, url, size, hub: url.hub };
}
