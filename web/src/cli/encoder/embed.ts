import { AmbryError } from '../../base/errors.ts';
import { poolings, truncations } from '../../entries/tables.ts';
import type { EmbedVectorsOptions } from '../../entries/types.ts';
import { adapterOptions, parseAdapters } from '../shared/adapter-options.ts';
import { answerLines, type LineInput } from '../shared/answer-lines.ts';
import { asGiven, callOptions, count, word } from '../shared/call-options.ts';
import { type CommandOptions, defineCommand } from '../shared/command.ts';
import {
  fetchOptions,
  jsonOption,
  parseFetchOptions,
  parseRunOptions,
  runOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { shortFloat } from '../shared/format.ts';
import { directorySource } from '../shared/input.ts';
import { npyFile } from '../shared/npy.ts';
import { type Embedder, openAs, openCall } from '../shared/open-model.ts';
import { parseTextLine } from '../shared/read-lines.ts';
import { refuseToReplace } from '../shared/target.ts';
import type { Terminal } from '../shared/terminal.ts';
import {
  checkTextInput,
  lineInput,
  textInput,
  textInputOptions,
  withTexts,
} from '../shared/text-input.ts';
import { writeOutput } from '../shared/write-output.ts';
import { embedAll, refuseForAll } from './embed-all.ts';
import { embedSparse, refuseForDense, refuseForSparse, sparseOptions } from './embed-sparse.ts';

const embedOptions = {
  pooling: {
    type: 'string',
    value: 'METHOD',
    choices: poolings,
    help: `The pooling of token vectors: ${poolings.join(', ')}. Default: as the model says.`,
    read: word(poolings),
  },
  'no-normalize': {
    type: 'boolean',
    help: 'Do not scale the vectors to length 1.',
    as: 'normalize',
    read: () => false,
  },
  prompt: {
    type: 'string',
    value: 'TEXT',
    help: 'A text to put before each text, or the name of one of the model’s prompts. Default: none.',
    read: asGiven,
  },
  'prompt-name': {
    type: 'string',
    value: 'NAME',
    help: 'The name of one of the model’s prompts. Another name is an error. Default: none.',
    read: asGiven,
  },
  instruction: {
    type: 'string',
    value: 'TEXT',
    help: 'What the texts are searched for, for models whose prompts have an instruction. Default: none.',
    read: asGiven,
  },
  dim: {
    type: 'string',
    value: 'N',
    help: 'Keep only the first N values of each vector. Default: all.',
    read: count(1),
  },
  truncate: {
    type: 'string',
    choices: truncations,
    help: `What to do with a text that is too long: cut off its end, or fail. Default: ${truncations[0]}.`,
    read: word(truncations),
  },
} as const satisfies CommandOptions;

export const command = defineCommand({
  usage: 'MODEL [TEXT...]',
  summary: 'Turn texts into vectors',
  details: [
    'Each text gives a line with the values of its vector.',
    'A sparse encoder, such as SPLADE, gives words and their weights instead, the largest weight first.',
    'With word vectors, a text without a known word gives zeros, a line on standard error and exit code 1. With --jsonl it is an invalid line.',
  ],
  options: {
    ...textInputOptions(
      'Read lines {"id", "text"} from standard input or --file, and print lines {"id", "vector"}.',
    ),
    ...embedOptions,
    sparse: {
      type: 'boolean',
      help: 'Open the model as a sparse encoder: a masked language model, or one with a sparse_linear.pt.',
    },
    all: {
      type: 'boolean',
      help: 'Print the vector, the words with their weights, and the vectors of the tokens, of a model such as BGE-M3, which gives them in one pass. Needs --json or --jsonl.',
    },
    ...sparseOptions,
    ...runOptions,
    ...adapterOptions,
    npy: {
      type: 'string',
      value: 'OUT',
      help: 'Write the vectors to a NumPy file of float32, or to standard output for -. Default: none.',
    },
    ...fetchOptions,
    ...jsonOption,
  },
  json: 'A line for each text: {text, vector}, or {text, ids, weights, words} of a sparse encoder. With --all: both of these, and tokens, a list of vectors.',
  examples: [
    "embed minilm.weights 'one text' 'another' --json",
    'embed minilm.weights --file texts.txt --npy vectors.npy',
    'embed minilm.weights --jsonl < texts.jsonl > vectors.jsonl',
    "embed splade/ --as query -k 32 'how do cats sleep?' --json",
    "embed bge-m3/ --all 'Cats purr.' --json",
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...after], given, terminal) => {
    const values = withTexts(given, after);
    if (values.json && values.npy !== undefined) {
      throw new UsageError('--json and --npy cannot be used together.');
    }
    checkTextInput(file, values, '--npy or --text', values.npy);
    const openOptions = {
      ...parseRunOptions(values),
      ...(await parseAdapters(values)),
      ...parseFetchOptions(values),
    };
    const options: EmbedVectorsOptions = {
      ...callOptions<EmbedVectorsOptions>(embedOptions, values),
      signal: terminal.signal,
    };
    if (values.sparse) {
      refuseForSparse(values);
    }
    if (values.all) {
      refuseForAll(values);
    }
    if (values.npy !== undefined) {
      await refuseToReplace(values.npy, [file, values.file]);
    }
    const lines = lineInput(values);
    const texts = await textInput(values);
    const kinds = values.sparse
      ? (['sparseEncoder'] as const)
      : values.all
        ? (['encoder'] as const)
        : (['encoder', 'words', 'sparseEncoder'] as const);
    await using model = await openAs(kinds, file, await directorySource(file), {
      ...openCall(terminal),
      ...openOptions,
      ...(values.sparse && { kind: 'sparseEncoder' }),
    });
    if (model.kind === 'sparseEncoder') {
      return await embedSparse(model, lines, texts, values, terminal);
    }
    if (values.all && model.kind === 'encoder') {
      const { k } = callOptions<{ readonly k?: number }>(sparseOptions, values);
      const { prompt, truncate } = options;
      const given = {
        ...(k !== undefined && { k }),
        ...(prompt && { prompt }),
        ...(truncate && { truncate }),
      };
      return await embedAll(model, lines, texts, given, terminal);
    }
    refuseForDense(values);
    return lines
      ? await embedLines(model, lines, options, terminal)
      : await embedTexts(model, texts, options, values, terminal);
  },
});

/** Writes or prints the vectors. The exit code is 1 if a text has none. */
async function embedTexts(
  model: Embedder,
  texts: readonly string[],
  options: EmbedVectorsOptions,
  { npy, json = false }: { readonly npy?: string | undefined; readonly json?: boolean | undefined },
  terminal: Terminal,
): Promise<number> {
  const rows = await embedRows(model, texts, { ...options, onProgress: terminal.onProgress });
  const missing = withoutVector(model, rows);
  if (npy !== undefined) {
    await writeOutput(npy, new Blob([npyFile(rows.flat())]), terminal);
  } else {
    printVectors(texts, rows, json, terminal);
  }
  for (const i of missing) {
    terminal.note(`no vector for: ${texts[i]} (no word of it is known; its values are zeros)`);
  }
  return missing.length > 0 ? 1 : 0;
}

/** Returns the vectors of each text. That is one, or one for each token with the pooling `none`. */
async function embedRows(
  model: Embedder,
  texts: readonly string[],
  options: EmbedVectorsOptions,
): Promise<Float32Array[][]> {
  const each = await model.embed(texts, options);
  const isOfTokens = options.pooling === 'none' && model.kind === 'encoder';
  return each.map((own) => (isOfTokens ? rowsOf(own, options.dim ?? model.tokenDim) : [own]));
}

/** Word vectors give zeros for a text without a known word. Returns the places of such texts. */
function withoutVector(model: Embedder, rows: readonly Float32Array[][]): number[] {
  if (model.kind !== 'words') {
    return [];
  }
  const places = rows.map((own, i) => (own.every((row) => row.every((v) => v === 0)) ? i : -1));
  return places.filter((i) => i >= 0);
}

function rowsOf(vectors: Float32Array, dim: number): Float32Array[] {
  return Array.from({ length: vectors.length / dim }, (_, i) =>
    vectors.subarray(i * dim, (i + 1) * dim),
  );
}

function embedLines(
  model: Embedder,
  input: LineInput,
  options: EmbedVectorsOptions,
  terminal: Terminal,
): Promise<number> {
  return answerLines(input, terminal, {
    parse: parseTextLine,
    answer: async (requests) => {
      const texts = requests.map(({ text }) => text);
      const rows = await embedRows(model, texts, options);
      const [missing] = withoutVector(model, rows);
      if (missing !== undefined) {
        const message = 'No word of this text is known, so it has no vector.';
        throw new AmbryError('NotFound', message, { path: `texts[${missing}]` });
      }
      return requests.map(({ id }, i) => ({ id, vector: vectorJson(rows[i] ?? []) }));
    },
  });
}

/** One row becomes a list of values. Several rows become a list of such lists. */
function vectorJson(rows: readonly Float32Array[]): number[] | number[][] {
  const lists = rows.map((row) => Array.from(row, shortFloat));
  return lists.length === 1 ? (lists[0] ?? []) : lists;
}

function printVectors(
  texts: readonly string[],
  rows: readonly Float32Array[][],
  json: boolean,
  terminal: Terminal,
): void {
  texts.forEach((text, i) => {
    const own = rows[i] ?? [];
    if (json) {
      terminal.printJson({ text, vector: vectorJson(own) });
    } else {
      for (const row of own) {
        terminal.print(Array.from(row, shortFloat).join(' '));
      }
    }
  });
}
