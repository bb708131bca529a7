import type * as SiteSearch from 'ambry-site-search/build';
import { AmbryError } from '../../base/errors.ts';
import { importCompanion } from '../../runtime/node-companion.ts';
import { type CommandOptions, defineCommand, type OptionValues } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UnreadableError, UsageError } from '../shared/failure.ts';
import { formatBytes, plural } from '../shared/format.ts';
import { integer } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';

const companion = 'ambry-site-search';

const options = {
  out: {
    type: 'string',
    value: 'DIR',
    help: 'The folder of the index. Required. It may be in the site, such as dist/search.',
  },
  model: {
    type: 'string',
    value: 'FILE',
    help: 'A static encoder, which readers download too. Default: the sample of the package ambry-demo, where it is installed.',
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
  'title-suffix': {
    type: 'string',
    value: 'TEXT',
    help: 'What the titles of all pages end with, and which results do not show. Default: none.',
  },
  'skip-bad': {
    type: 'boolean',
    help: 'Skip pages that cannot be read, with a warning. By default they are an error.',
  },
  'no-element': {
    type: 'boolean',
    help: 'Leave out the script ambry-search.js, with which a page shows the search box <ambry-search>.',
  },
  ...jsonOption,
} as const satisfies CommandOptions;

export const command = defineCommand({
  usage: 'DIST --out DIR',
  summary: 'Make a search index of a built static site',
  details: [
    'DIST is the folder of the built site. Its HTML pages are read in any encoding. The index is static files, which the package searches in the reader’s browser by words and meaning.',
    `The package ${companion} does this: npm install ${companion}.`,
  ],
  options,
  json: '{index, pages, passages, duplicates, hidden, empty, skipped, cached, recall, files, bytes}.',
  examples: [
    'site-index dist --out dist/search --model small.weights',
    'site-index dist --out dist/search --cache .search-cache',
  ],
  argumentCount: [1, 1],
  run: async ([folder = ''], values, terminal) => {
    const { out, json } = values;
    if (out === undefined) {
      throw new UsageError('--out is missing.', '--out');
    }
    const given = buildOptions(values, terminal);
    const builder = await importCompanion<typeof SiteSearch>(`${companion}/build`);
    if (!builder) {
      throw new UnreadableError(
        `"ambry site-index" needs the package ${companion}. Install it: npm install ${companion}`,
      );
    }
    const result = await builder.buildSiteIndex(folder, out, given).catch(rethrow);
    if (json) {
      terminal.printJson({ index: out, ...result });
    } else {
      printSummary(out, result, terminal);
    }
    return 0;
  },
});

function buildOptions(
  { model, dim, bits, cache, content, ignore, ...flags }: OptionValues<typeof options>,
  terminal: Terminal,
): SiteSearch.BuildOptions {
  const given = {
    model,
    modelUrl: flags['model-url'],
    dim: integer(dim, '--dim'),
    bits: integer(bits, '--bits'),
    queryBytes: integer(flags['query-bytes'], '--query-bytes'),
    maxFiles: integer(flags['max-files'], '--max-files'),
    cache,
    content,
    ignore,
    titleSuffix: flags['title-suffix'],
  };
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(stated) as SiteSearch.BuildOptions),
    cleanUrls: flags['clean-urls'] === true,
    trailingSlash: flags['no-trailing-slash'] !== true,
    skipBad: flags['skip-bad'] === true,
    element: flags['no-element'] !== true,
    signal: terminal.signal,
    onProgress: terminal.onProgress,
    onWarning: (warning) => terminal.note(`warning  ${warning}`),
  };
}

/** Names options as the command line does. */
function rethrow(error: unknown): never {
  if (!(error instanceof AmbryError)) {
    throw error;
  }
  const { path = '', message, code } = error;
  if (path.startsWith('options.')) {
    const name = path.slice('options.'.length);
    throw new UsageError(
      message,
      `--${name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}`,
    );
  }
  if (path === 'out' && code === 'BadValue') {
    throw new UsageError(message, '--out');
  }
  if (code === 'NotFound') {
    throw new UnreadableError(message);
  }
  throw error;
}

function printSummary(out: string, result: SiteSearch.BuildResult, terminal: Terminal): void {
  const { pages, passages, duplicates, hidden, empty, skipped, cached, files, bytes } = result;
  const parts = [`${plural(passages, 'passage')} from ${plural(pages, 'page')}`];
  const left = { duplicates, hidden, 'without text': empty, skipped };
  for (const [why, count] of Object.entries(left)) {
    if (count > 0) {
      parts.push(`${plural(count, 'page')} left out (${why})`);
    }
  }
  if (cached > 0) {
    parts.push(`${plural(cached, 'page')} unchanged`);
  }
  terminal.print(`${out}: ${[...parts, plural(files, 'file'), formatBytes(bytes)].join(', ')}`);
}
