import { dirname, resolve } from 'node:path';
import type { Model } from '../index.ts';
import { loadIndex, open } from '../node.ts';
import type { SearchHit } from '../types.ts';
import { defineCommand, wholeNumber } from './command.ts';
import { UsageError } from './failure.ts';
import { isUrl, modelSource, readText } from './input.ts';
import type { Terminal } from './terminal.ts';

export const command = defineCommand({
  usage: 'search INDEX QUERY [-k N] [--hybrid] [--model M] [--prompt P] [--json]',
  summary: 'find the passages that are nearest to a query (- reads it from standard input)',
  details: [
    '-k         number of passages; 10 when absent',
    '--hybrid   rank by the query’s words too, not by meaning alone',
    '--model    the model, where the index does not know its place',
    '--prompt   text put before the query, or the name of one of the model’s prompts',
  ],
  options: {
    k: { type: 'string', short: 'k' },
    hybrid: { type: 'boolean' },
    model: { type: 'string' },
    prompt: { type: 'string' },
    json: { type: 'boolean' },
  },
  takes: [2, 2],
  run: async ([file = '', given = ''], values, terminal) => {
    const { signal } = terminal;
    const k = wholeNumber(values.k, '-k') ?? 10;
    const query = given === '-' ? (await readText('-')).trim() : given;
    const opened: { model?: Model } = {};
    try {
      const openModel = async ({ reference }: { readonly reference: string | null }) => {
        opened.model = await openFor(values.model, reference, file, terminal);
        return opened.model;
      };
      await using index = await loadIndex(openModel, await modelSource(file), { signal });
      const { prompt, hybrid = false, json = false } = values;
      const options = { k, hybrid, signal, ...(prompt !== undefined && { prompt }) };
      print(await index.search(query, options), json, terminal);
    } finally {
      await opened.model?.dispose();
    }
    return 0;
  },
});

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

function print(hits: readonly SearchHit[], json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.json(
      hits.map(({ id, score, text, doc }) => {
        const source = doc['source'];
        return { id, score, text, ...(source !== undefined && { source }) };
      }),
    );
    return;
  }
  for (const { id, score, text } of hits) {
    terminal.print(`${score.toFixed(4)}  ${id}`);
    terminal.print(`        ${text}`);
  }
}
