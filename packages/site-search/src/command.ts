// `ambry-site-search/command`: the command `ambry site-index`. The command line loads it for its help, too, so what makes the
// index is loaded later.
import { join } from 'node:path';
import type { parseArgs } from 'node:util';
import { AmbryError } from 'ambry/static-encoder';
import type { BuildOptions, BuildResult } from './build/options.ts';

/** What the command uses of ambry's command line. */
export interface CommandHost {
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<BuildOptions['onProgress']>;
  print(line: string): void;
  printJson(value: unknown): void;
  /** Writes a line to standard error. */
  note(line: string): void;
  integer(text: string | undefined, option: string): number | undefined;
  formatBytes(bytes: number): string;
  plural(count: number, noun: string): string;
  /** These errors have exit code 2. */
  usageError(message: string, option?: string): Error;
  unreadableError(message: string): Error;
}

const options = {
  out: {
    type: 'string',
    value: 'DIR',
    help: 'The folder of the index. It may be in the site. Default: the folder search in DIST.',
  },
  model: {
    type: 'string',
    value: 'FILE',
    help: 'A static encoder. Default: that of the package ambry-models, where it is installed.',
  },
  meaning: {
    type: 'string',
    value: 'HOW',
    help: 'What gives the query of a reader its meaning: words (vectors of its words, from the index), model (readers download the model) or none (the site is searched by words alone). Default: words, and model with --model-url.',
  },
  'model-url': {
    type: 'string',
    value: 'URL',
    help: 'Where the site has the model already, from the folder of the index, such as ../models/small.weights. The index then has no copy. Default: none.',
  },
  dim: {
    type: 'string',
    value: 'N',
    help: 'How many numbers of each vector are kept, also in the copy of the model. Default: as the package states.',
  },
  bits: {
    type: 'string',
    value: 'N',
    help: 'The bits of each number: 1, 2, 4 or 8. Default: the most with which a search reads enough passages.',
  },
  'query-bytes': {
    type: 'string',
    value: 'N',
    help: 'Bytes of vectors that a search reads at most. More of them find more of the nearest passages. Default: as the package states.',
  },
  'max-files': {
    type: 'string',
    value: 'N',
    help: 'The most files of the index, for hosts that take so many. Fewer files make an answer read more bytes. Default: no limit.',
  },
  'no-ranges': {
    type: 'boolean',
    help: 'Leave out the long files for hosts that answer range requests. They are about half of the index.',
  },
  cache: {
    type: 'string',
    value: 'FILE',
    help: 'Keep vectors in this file outside the site. The next run then embeds only pages that have changed. Default: none.',
  },
  'clean-urls': {
    type: 'boolean',
    help: 'Leave .html away in the addresses of pages, for hosts that do so.',
  },
  'no-trailing-slash': {
    type: 'boolean',
    help: 'Leave the slash away at the end of the addresses of folders, for hosts that do so.',
  },
  content: {
    type: 'string',
    value: 'SELECTORS',
    help: 'Elements that are the content, such as ".content, h1". Default: main, or what the page has instead.',
  },
  ignore: {
    type: 'string',
    value: 'SELECTORS',
    help: 'Elements that are left out. Default: none.',
  },
  requires: {
    type: 'string',
    value: 'SELECTORS',
    help: 'Leave out pages without such an element, such as "[data-my-docs]". Default: "[data-pagefind-body]" where a page has that.',
  },
  'alt-texts': {
    type: 'boolean',
    help: 'Read what images show, as their alt texts say it.',
  },
  'title-suffix': {
    type: 'string',
    value: 'TEXT',
    help: 'What the titles of all pages end with, and which results do not show. Default: none.',
  },
  'skip-bad': {
    type: 'boolean',
    help: 'Skip pages that cannot be read, with a warning. By default they are an error.',
  },
  'ignore-noindex': {
    type: 'boolean',
    help: 'Read pages that ask not to be found, for sites and previews that keep all pages from other search engines.',
  },
  'no-element': {
    type: 'boolean',
    help: 'Leave out the script ambry-search.js, with which a page shows the search box <ambry-search>.',
  },
} as const;

type Values = ReturnType<
  typeof parseArgs<{ options: typeof options; strict: true; allowPositionals: true }>
>['values'] & { readonly json?: boolean };

/** What ambry's command line asks of a command. */
export const command = {
  usage: 'DIST [--out DIR]',
  details: [
    'DIST is the folder of the built site. Its HTML pages are read in any encoding. The index is static files, which the package searches in the reader’s browser by words and meaning.',
    'The package ambry-site-search does this: npm install ambry-site-search.',
  ],
  options,
  json: '{index, pages, passages, duplicates, hidden, redirects, empty, skipped, cached, recall, files, bytes}, without recall with --meaning none.',
  examples: [
    'site-index dist',
    'site-index dist --out dist/search --model small.weights',
    'site-index dist --out dist/search --cache .search-cache',
  ],
  argumentCount: [1, 1],
  async run(
    [folder = '']: readonly string[],
    { json, ...values }: Values,
    host: CommandHost,
  ): Promise<number> {
    const { out = join(folder, 'search') } = values;
    const given = buildOptions(values, host);
    const { buildSiteIndex } = await import('./build/build-site-index.ts');
    const result = await buildSiteIndex(folder, out, given).catch((error: unknown) => {
      throw named(error, host);
    });
    if (json) {
      host.printJson({ index: out, ...result });
    } else {
      printSummary(out, result, host);
    }
    return 0;
  },
} as const;

function buildOptions(
  { model, meaning, dim, bits, cache, content, ignore, requires, ...flags }: Values,
  { integer, note, signal, onProgress }: CommandHost,
): BuildOptions {
  const given = {
    model,
    meaning,
    modelUrl: flags['model-url'],
    dim: integer(dim, '--dim'),
    bits: integer(bits, '--bits'),
    queryBytes: integer(flags['query-bytes'], '--query-bytes'),
    maxFiles: integer(flags['max-files'], '--max-files'),
    cache,
    content,
    ignore,
    requires,
    titleSuffix: flags['title-suffix'],
  };
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(stated) as BuildOptions),
    cleanUrls: flags['clean-urls'] === true,
    trailingSlash: flags['no-trailing-slash'] !== true,
    altTexts: flags['alt-texts'] === true,
    skipBad: flags['skip-bad'] === true,
    noindex: flags['ignore-noindex'] === true ? 'ignore' : 'heed',
    element: flags['no-element'] !== true,
    ranges: flags['no-ranges'] !== true,
    signal,
    onProgress,
    onWarning: (warning) => note(`warning  ${warning}`),
  };
}

/** Names options as the command line does. */
function named(error: unknown, { usageError, unreadableError }: CommandHost): unknown {
  if (!(error instanceof AmbryError)) {
    return error;
  }
  const { path = '', message, code } = error;
  if (path.startsWith('options.')) {
    const name = path.slice('options.'.length);
    return usageError(message, `--${name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}`);
  }
  if (path === 'out' && code === 'BadValue') {
    return usageError(message, '--out');
  }
  return code === 'NotFound' ? unreadableError(message) : error;
}

function printSummary(
  out: string,
  result: BuildResult,
  { print, plural, formatBytes }: CommandHost,
): void {
  const { pages, passages, duplicates, hidden, redirects, empty, skipped, cached, files, bytes } =
    result;
  const parts = [`${plural(passages, 'passage')} from ${plural(pages, 'page')}`];
  const left = { duplicates, hidden, redirects, 'without text': empty, skipped };
  for (const [why, count] of Object.entries(left)) {
    if (count > 0) {
      parts.push(`${plural(count, 'page')} left out (${why})`);
    }
  }
  if (cached > 0) {
    parts.push(`${plural(cached, 'page')} unchanged`);
  }
  print(`${out}: ${[...parts, plural(files, 'file'), formatBytes(bytes)].join(', ')}`);
}
