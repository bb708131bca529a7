import { open } from '../node.ts';
import type { EmbedOptions, Pooling } from '../types.ts';
import { defineCommand, oneOf, wholeNumber } from './command.ts';
import { UsageError } from './failure.ts';
import { shortFloat } from './format.ts';
import { modelSource, textsOf } from './input.ts';
import { npyFile } from './npy.ts';
import type { Terminal } from './terminal.ts';
import { writeResult } from './write-result.ts';

const kPoolings = [
  'mean',
  'cls',
  'max',
  'mean_sqrt_len',
  'lasttoken',
  'none',
] as const satisfies Pooling[];

export const command = defineCommand({
  usage:
    'embed MODEL [--text T]... [--file LINES] [--pooling P] [--no-normalize] [--prompt P] [--dim N] [--truncate end|error] [--weights int8|f32] [--json | --npy OUT]',
  summary: 'turn texts into vectors',
  details: [
    '--text          a text; may be given again',
    '--file          one text a line (- for standard input)',
    `--pooling       ${kPoolings.join(', ')}; the model’s own when absent`,
    '--no-normalize  leave the vectors’ length as it is',
    '--prompt        text put before each text, or the name of one of the model’s prompts',
    '--dim           keep the first N numbers',
    '--truncate      end cuts texts that are too long, error refuses them',
    '--weights       how to hold the weights: as-stored, int8, f32',
    '--npy           write a NumPy file of f32 rows (- for standard output)',
  ],
  options: {
    text: { type: 'string', multiple: true },
    file: { type: 'string' },
    pooling: { type: 'string' },
    'no-normalize': { type: 'boolean' },
    prompt: { type: 'string' },
    dim: { type: 'string' },
    truncate: { type: 'string' },
    weights: { type: 'string' },
    json: { type: 'boolean' },
    npy: { type: 'string' },
  },
  takes: [1, 1],
  run: async ([file = ''], values, terminal) => {
    if (values.json && values.npy !== undefined)
      throw new UsageError('--json and --npy exclude each other');
    const pooling = oneOf(values.pooling, '--pooling', kPoolings);
    const truncate = oneOf(values.truncate, '--truncate', ['end', 'error']);
    const dim = wholeNumber(values.dim, '--dim');
    const weights = oneOf(values.weights, '--weights', ['as-stored', 'int8', 'f32']);
    const options: EmbedOptions = {
      ...(pooling && { pooling }),
      ...(truncate && { truncate }),
      ...(dim !== undefined && { dim }),
      ...(values['no-normalize'] && { normalize: false }),
      ...(values.prompt !== undefined && { prompt: values.prompt }),
      signal: terminal.signal,
      onProgress: terminal.onProgress,
    };
    const texts = await textsOf(values);
    const rows = await embedRows(file, weights, texts, options, terminal);
    if (values.npy !== undefined) {
      await writeResult(values.npy, new Blob([npyFile(rows.flat())]), terminal);
    } else print(texts, rows, values.json === true, terminal);
    return 0;
  },
});

/** The rows of each text: one, or for pooling `none` one a token. */
async function embedRows(
  file: string,
  weights: 'as-stored' | 'int8' | 'f32' | undefined,
  texts: readonly string[],
  options: EmbedOptions,
  { signal, onProgress }: Terminal,
): Promise<Float32Array[][]> {
  const source = await modelSource(file);
  const model = await open(source, { ...(weights && { weights }), signal, onProgress });
  try {
    const dim = options.dim ?? model.dim;
    const { pooling, ...rest } = options;
    if (pooling === 'none') {
      const each = await model.embed(texts, { ...rest, pooling });
      return each.map((vectors) => rowsOf(vectors, dim));
    }
    return rowsOf(await model.embed(texts, options), dim).map((row) => [row]);
  } finally {
    await model.dispose();
  }
}

function rowsOf(vectors: Float32Array, dim: number): Float32Array[] {
  return Array.from({ length: vectors.length / dim }, (_, i) =>
    vectors.subarray(i * dim, (i + 1) * dim),
  );
}

function print(
  texts: readonly string[],
  rows: readonly Float32Array[][],
  json: boolean,
  terminal: Terminal,
): void {
  texts.forEach((text, i) => {
    const own = rows[i] ?? [];
    const numbers = own.map((row) => Array.from(row, shortFloat));
    if (json) terminal.json({ text, vector: own.length === 1 ? numbers[0] : numbers });
    else for (const row of numbers) terminal.print(row.join(' '));
  });
}
