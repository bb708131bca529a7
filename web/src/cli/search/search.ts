import { dirname, resolve } from 'node:path';
import picomatch from 'picomatch';
import type { Model, SearchIndex } from '../../index.ts';
import { loadIndex, open } from '../../node.ts';
import type { SearchOptions } from '../../types.ts';
import { defineCommand, wholeNumber } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { isUrl, modelSource, readText } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';
import { searchLines } from './search-lines.ts';
import { type Found, foundAsJson, foundAsLines, foundAsMarkdown } from './search-output.ts';

export const command = defineCommand({
  usage:
    'search INDEX QUERY... [-k N] [--hybrid] [--source GLOB]... [--explain] [--model M] [--prompt P] [--json | --markdown | --jsonl [--skip-bad]]',
  summary: 'find the passages that are nearest to a query (- reads it from standard input)',
  details: [
    '-k          number of passages; 10 when absent',
    '--hybrid    rank by the query’s words too, not by meaning alone',
    '--source    only passages of such files: notes/**, *.pdf; may be given again',
    '--explain   which word pieces of each passage made it near',
    '--model     the model, where the index does not know its place',
    '--prompt    text put before the query, or the name of one of the model’s prompts',
    '--markdown  the answer as a list to put into notes',
    '--jsonl     every line of standard input is a query, or {"id", "query"}; each is answered by a line',
    '            {"id", "query", "hits"}, for as many as there are',
    '--skip-bad  with --jsonl: warn of broken lines and leave them out',
  ],
  options: {
    k: { type: 'string', short: 'k' },
    hybrid: { type: 'boolean' },
    source: { type: 'string', multiple: true },
    explain: { type: 'boolean' },
    model: { type: 'string' },
    prompt: { type: 'string' },
    markdown: { type: 'boolean' },
    jsonl: { type: 'boolean' },
    'skip-bad': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  takes: [1, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...words], values, terminal) => {
    checkForms(file, words, values);
    const settings: AskSettings = {
      k: wholeNumber(values.k, '-k') ?? 10,
      ...(values.hybrid && { hybrid: true }),
      ...(values.source && { filter: bySource(values.source) }),
      ...(values.prompt !== undefined && { prompt: values.prompt }),
      signal: terminal.signal,
      explain: values.explain === true,
    };
    const given = words.join(' ');
    const query = given === '-' && !values.jsonl ? (await readText('-')).trim() : given;
    return withIndex(file, values.model, terminal, async (index, model) => {
      const ask = (text: string) => find(index, model, text, settings);
      if (values.jsonl) return searchLines(values['skip-bad'] === true, terminal, ask);
      const found = await ask(query);
      if (values.json) terminal.json(found.map(foundAsJson));
      else {
        const lines = values.markdown ? foundAsMarkdown(query, found) : found.flatMap(foundAsLines);
        for (const line of lines) terminal.print(line);
      }
      return 0;
    });
  },
});

interface AskSettings extends SearchOptions {
  readonly explain: boolean;
}

interface Forms {
  readonly json?: boolean | undefined;
  readonly jsonl?: boolean | undefined;
  readonly markdown?: boolean | undefined;
  readonly 'skip-bad'?: boolean | undefined;
}

function checkForms(
  file: string,
  words: readonly string[],
  { json, jsonl, markdown, 'skip-bad': skipBad }: Forms,
): void {
  if ([json, jsonl, markdown].filter(Boolean).length > 1) {
    throw new UsageError('--json, --jsonl and --markdown exclude each other');
  }
  if (skipBad && !jsonl) throw new UsageError('--skip-bad goes with --jsonl', '--skip-bad');
  const given = words.join(' ');
  if (jsonl ? !['', '-'].includes(given) : words.length === 0) {
    throw new UsageError(jsonl ? '--jsonl reads queries from standard input' : 'no query given');
  }
  if (file === '-' && (jsonl || given === '-')) {
    throw new UsageError('INDEX and QUERY cannot both be standard input');
  }
}

/** Whether the source of a passage is one of those; names without a slash count in any folder. */
function bySource(globs: readonly string[]): NonNullable<SearchOptions['filter']> {
  if (globs.includes(''))
    throw new UsageError('--source takes a pattern of file names', '--source');
  const matchers = globs.map((glob) =>
    picomatch(glob, { basename: !glob.includes('/'), dot: true }),
  );
  return ({ source }) => typeof source === 'string' && matchers.some((matches) => matches(source));
}

async function withIndex<T>(
  file: string,
  modelAt: string | undefined,
  terminal: Terminal,
  use: (index: SearchIndex, model: Model) => Promise<T>,
): Promise<T> {
  const { signal } = terminal;
  let model: Model | undefined;
  try {
    const openModel = async ({ reference }: { readonly reference: string | null }) => {
      model = await openFor(modelAt, reference, file, terminal);
      return model;
    };
    await using index = await loadIndex(openModel, await modelSource(file), { signal });
    return await use(index, model as Model);
  } finally {
    await model?.dispose();
  }
}

async function find(
  index: SearchIndex,
  model: Model,
  query: string,
  { explain, ...options }: AskSettings,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const hit of await index.search(query, options)) {
    if (!explain) {
      found.push({ hit });
      continue;
    }
    const { pieces } = await model.explain(query, hit.text, {
      ...(options.prompt !== undefined && { prompt: options.prompt }),
      ...(index.prompt !== undefined && { docPrompt: index.prompt }),
      ...(options.signal && { signal: options.signal }),
    });
    found.push({ hit, pieces });
  }
  return found;
}

async function openFor(
  given: string | undefined,
  reference: string | null,
  indexFile: string,
  { signal, onProgress }: Terminal,
): Promise<Model> {
  if (given === undefined && reference === null) {
    throw new UsageError('the index does not say where its model is: use --model', '--model');
  }
  const found = given ?? placeOf(reference ?? '', indexFile);
  return open(await modelSource(found), { signal, onProgress });
}

function placeOf(reference: string, indexFile: string): string {
  if (isUrl(reference)) return reference;
  return indexFile === '-' || isUrl(indexFile) ? reference : resolve(dirname(indexFile), reference);
}
