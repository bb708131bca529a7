import type { Model } from '../../index.ts';
import { open } from '../../node.ts';
import type { EmbedOptions, OpenOptions, Pooling } from '../../types.ts';
import { defineCommand, oneOf, wholeNumber } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { shortFloat } from '../shared/format.ts';
import { modelSource, textsOf } from '../shared/input.ts';
import { answerLines, type LineInput } from '../shared/line-answers.ts';
import { idField, objectOfLine, textField } from '../shared/line-input.ts';
import { npyFile } from '../shared/npy.ts';
import { kRunOptions, runOptions } from '../shared/run-options.ts';
import type { Terminal } from '../shared/terminal.ts';
import { writeResult } from '../shared/write-result.ts';

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
    'embed MODEL [--text T]... [--file LINES] [--jsonl [--skip-bad]] [--pooling P] [--no-normalize] [--prompt P] [--dim N] [--truncate end|error] [--weights int8|f32] [--deterministic] [--json | --npy OUT]',
  summary: 'turn texts into vectors',
  details: [
    '--text          a text; may be given again',
    '--file          one text a line (- for standard input)',
    '--jsonl         lines {"id", "text"} in, of standard input or --file, and lines {"id", "vector"} out, for as',
    '                many as there are; the id is the line’s number when absent',
    '--skip-bad      with --jsonl: warn of broken lines and leave them out',
    `--pooling       ${kPoolings.join(', ')}; the model’s own when absent`,
    '--no-normalize  leave the vectors’ length as it is',
    '--prompt        text put before each text, or the name of one of the model’s prompts',
    '--dim           keep the first N numbers',
    '--truncate      end cuts texts that are too long, error refuses them',
    '--weights       how to hold the weights: as-stored, int8, f32',
    '--deterministic the same numbers on every machine, to the last bit; slower',
    '--npy           write a NumPy file of f32 rows (- for standard output)',
  ],
  options: {
    text: { type: 'string', multiple: true },
    file: { type: 'string' },
    jsonl: { type: 'boolean' },
    'skip-bad': { type: 'boolean' },
    pooling: { type: 'string' },
    'no-normalize': { type: 'boolean' },
    prompt: { type: 'string' },
    dim: { type: 'string' },
    truncate: { type: 'string' },
    ...kRunOptions,
    json: { type: 'boolean' },
    npy: { type: 'string' },
  },
  takes: [1, 1],
  run: async ([file = ''], values, terminal) => {
    checkForms(file, values);
    const pooling = oneOf(values.pooling, '--pooling', kPoolings);
    const truncate = oneOf(values.truncate, '--truncate', ['end', 'error']);
    const dim = wholeNumber(values.dim, '--dim');
    const how = runOptions(values);
    const options: EmbedOptions = {
      ...(pooling && { pooling }),
      ...(truncate && { truncate }),
      ...(dim !== undefined && { dim }),
      ...(values['no-normalize'] && { normalize: false }),
      ...(values.prompt !== undefined && { prompt: values.prompt }),
      signal: terminal.signal,
    };
    const texts = values.jsonl ? [] : await textsOf(values);
    return withModel(file, how, terminal, async (model) => {
      if (values.jsonl) {
        const input = { file: values.file ?? '-', skipBad: values['skip-bad'] === true };
        return embedLines(model, input, options, terminal);
      }
      const rows = await embedRows(model, texts, { ...options, onProgress: terminal.onProgress });
      if (values.npy !== undefined) {
        await writeResult(values.npy, new Blob([npyFile(rows.flat())]), terminal);
      } else print(texts, rows, values.json === true, terminal);
      return 0;
    });
  },
});

interface Forms {
  readonly file?: string | undefined;
  readonly json?: boolean | undefined;
  readonly jsonl?: boolean | undefined;
  readonly npy?: string | undefined;
  readonly text?: readonly string[] | undefined;
  readonly 'skip-bad'?: boolean | undefined;
}

function checkForms(
  model: string,
  { file, json, jsonl, npy, text, 'skip-bad': skipBad }: Forms,
): void {
  if (json && npy !== undefined) throw new UsageError('--json and --npy exclude each other');
  if (jsonl && (npy !== undefined || text)) {
    throw new UsageError('--jsonl goes without --npy and --text', '--jsonl');
  }
  if (model === '-' && (file ?? (jsonl ? '-' : '')) === '-') {
    throw new UsageError('MODEL and texts cannot both be standard input');
  }
  if (skipBad && !jsonl) throw new UsageError('--skip-bad goes with --jsonl', '--skip-bad');
}

async function withModel<T>(
  file: string,
  how: OpenOptions,
  { signal, onProgress }: Terminal,
  use: (model: Model) => Promise<T>,
): Promise<T> {
  const source = await modelSource(file);
  const model = await open(source, { ...how, signal, onProgress });
  try {
    return await use(model);
  } finally {
    await model.dispose();
  }
}

/** The rows of each text: one, or for pooling `none` one a token. */
async function embedRows(
  model: Model,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Float32Array[][]> {
  const dim = options.dim ?? model.dim;
  const { pooling, ...rest } = options;
  if (pooling === 'none') {
    const each = await model.embed(texts, { ...rest, pooling });
    return each.map((vectors) => rowsOf(vectors, dim));
  }
  return rowsOf(await model.embed(texts, options), dim).map((row) => [row]);
}

function rowsOf(vectors: Float32Array, dim: number): Float32Array[] {
  return Array.from({ length: vectors.length / dim }, (_, i) =>
    vectors.subarray(i * dim, (i + 1) * dim),
  );
}

function embedLines(
  model: Model,
  input: LineInput,
  options: EmbedOptions,
  terminal: Terminal,
): Promise<number> {
  return answerLines(input, terminal, {
    read: (line, number) => {
      const object = objectOfLine(number, line);
      const id = idField(object, number) ?? number;
      return { id, text: textField(object, 'text', number) };
    },
    answer: async (asked) => {
      const texts = asked.map(({ text }) => text);
      const rows = await embedRows(model, texts, options);
      return asked.map(({ id }, i) => ({ id, vector: vectorOf(rows[i] ?? []) }));
    },
  });
}

/** A list of numbers; of several rows a list of such lists. */
function vectorOf(rows: readonly Float32Array[]): number[] | number[][] {
  const numbers = rows.map((row) => Array.from(row, shortFloat));
  return numbers.length === 1 ? (numbers[0] ?? []) : numbers;
}

function print(
  texts: readonly string[],
  rows: readonly Float32Array[][],
  json: boolean,
  terminal: Terminal,
): void {
  texts.forEach((text, i) => {
    const own = rows[i] ?? [];
    if (json) terminal.json({ text, vector: vectorOf(own) });
    else for (const row of own) terminal.print(Array.from(row, shortFloat).join(' '));
  });
}
