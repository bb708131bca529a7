// Finds the tokenizer in a directory, and the small files beside it that say more of it. No weights are fetched.
import { AmbryError } from '../base/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions, ModelDirectory, ModelSource } from '../sources/base/types.ts';
import { withoutSharedFolder } from '../sources/directory/directory.ts';
import { tokenizerFiles, tokenizerSettings } from '../sources/directory/model-files.ts';
import { fromHub, isDirectory, isSplit } from '../sources/wire-source.ts';

type Named = readonly [name: string, file: ModelSource];

export interface TokenizerFiles {
  /** In the directory. Empty for a file that the caller gave by itself. */
  readonly name: string;
  readonly file: ModelSource | ModelDirectory;
  readonly beside: readonly Named[];
}

export async function tokenizerFilesOf(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: JobOptions & FetchOptions,
): Promise<TokenizerFiles> {
  const given = await fromHub(source, options, 'tokenizer');
  if (isDirectory(given)) {
    return isSplit(given) ? alone(given) : chosen(entriesOf(given));
  }
  const place = placeOf(platform, given);
  if (place === undefined || !platform.isDirectory(place)) {
    return alone(given);
  }
  if (place.kind === 'url') {
    const { tokenizerAtUrl } = await import('../sources/directory/url-directory.ts');
    return chosen(await tokenizerAtUrl(place.url, options));
  }
  const found = await platform.directoryAt(place);
  return chosen(found ? entriesOf(found) : []);
}

function placeOf(platform: Platform, source: ModelSource) {
  if (typeof source === 'string' || (source instanceof URL && !('hub' in source))) {
    return platform.locate(source);
  }
  const { path } = (source ?? {}) as { readonly path?: unknown };
  return typeof path === 'string' ? ({ kind: 'path', path } as const) : undefined;
}

function alone(file: ModelSource | ModelDirectory): TokenizerFiles {
  return { name: '', file, beside: [] };
}

function entriesOf(directory: ModelDirectory): Named[] {
  return directory instanceof Map ? [...directory] : Object.entries(directory);
}

function chosen(entries: Iterable<Named>): TokenizerFiles {
  const named = withoutSharedFolder([...entries]);
  const [name] = [
    ...tokenizerFiles.filter((file) => named.has(file)),
    ...[...named.keys()].filter((file) => /^[^/]+\.tiktoken$/.test(file)),
  ];
  const file = name === undefined ? undefined : named.get(name);
  if (name === undefined || file === undefined) {
    const message = `The directory has no tokenizer: none of ${tokenizerFiles.join(', ')} and *.tiktoken. Give the file of a tokenizer, or of a model that has one.`;
    throw new AmbryError('NotFound', message, { path: 'source' });
  }
  const beside = tokenizerSettings.flatMap((path): Named[] => {
    const settings = named.get(path);
    return settings === undefined ? [] : [[path, settings]];
  });
  return { name, file, beside };
}
