// The commands about the table of vectors.
import { type CommandSpec, integerOption, type Values } from './arguments.ts';
import { exportIndex } from './export-index.ts';
import { UsageError } from './failure.ts';
import { type Embedder, embedTexts, factsOf, modelHash, openEmbedder } from './model.ts';
import { checkMark } from './model-mark.ts';
import { jsonOption, modelOptions, openTable, tableOptions } from './options.ts';
import type { PostgresSink } from './postgres-sink.ts';
import { createHnsw, maxHnswHits, searchTable } from './search-table.ts';
import type { Vector } from './vectors.ts';

const modelAndTable = {
  ...tableOptions,
  model: modelOptions.model,
  'passage-prompt': {
    type: 'string',
    value: 'TEXT',
    help: 'The --prompt with which the passages were embedded. Default: none.',
  },
} as const;

/** Opens the table and the model that made its vectors. */
async function withTable<T>(
  values: Values,
  use: (sink: PostgresSink, model: Embedder) => Promise<T>,
): Promise<T> {
  const sink = await openTable(values);
  try {
    const path = String(values['model']);
    const hash = await modelHash(path, values['passage-prompt'] as string | undefined);
    checkMark(sink.table, await sink.mark(), hash);
    const model = await openEmbedder(path);
    try {
      return await use(sink, model);
    } finally {
      await model.dispose();
    }
  } finally {
    await sink.close();
  }
}

export const searchCommand: CommandSpec = {
  usage: 'QUERY --model FILE --to URL',
  summary: 'Search the table through pgvector',
  options: {
    ...modelAndTable,
    prompt: {
      type: 'string',
      value: 'TEXT',
      help: 'A text to put before the query. Default: none.',
    },
    k: { type: 'string', value: 'N', help: 'The number of hits. Default: 10.' },
    hnsw: {
      type: 'boolean',
      help: 'Search with the HNSW index, which is made if it is missing. It is fast and may miss a passage.',
    },
    ...jsonOption,
  },
  required: ['model', 'to'],
  argumentCount: [1, 1],
  run: async ([query = ''], values, terminal) => {
    const k = integerOption(values, 'k', 10);
    if (values['hnsw'] && k > maxHnswHits) {
      throw new UsageError(`--hnsw finds at most ${maxHnswHits} passages, not ${k}.`, '--k');
    }
    const hits = await withTable(values, async (sink, model) => {
      const { prompt } = values;
      const { sparse } = factsOf(model, prompt);
      const options = { normalize: true, ...(prompt !== undefined && { prompt: String(prompt) }) };
      const [vector] = await embedTexts(model, [query], options, 'query');
      if (values['hnsw']) {
        await createHnsw(sink, sparse);
      }
      return searchTable(sink, vector as Vector, { k, approximate: values['hnsw'] === true });
    });
    for (const hit of hits) {
      if (values['json']) {
        terminal.print(JSON.stringify(hit));
      } else {
        terminal.print(`${hit.score.toFixed(4)}  ${hit.key}  ${hit.text.replace(/\s+/g, ' ')}`);
      }
    }
    return 0;
  },
};

export const exportCommand: CommandSpec = {
  usage: '--to-index FILE --model FILE --to URL',
  summary: 'Write the table to an index file for "ambry search"',
  options: {
    ...modelAndTable,
    'to-index': {
      type: 'string',
      value: 'FILE',
      help: 'The index file, such as corpus.ambryindex.',
    },
    ...jsonOption,
  },
  required: ['model', 'to', 'to-index'],
  argumentCount: [0, 0],
  run: async (_, values, terminal) => {
    const file = String(values['to-index']);
    if (!file.endsWith('.ambryindex')) {
      throw new UsageError('--to-index must end in .ambryindex.', '--to-index');
    }
    const passages = await withTable(values, (sink, model) => exportIndex(sink, model, file));
    terminal.print(
      values['json'] ? JSON.stringify({ file, passages }) : `${file}: ${passages} passages`,
    );
    return 0;
  },
};
