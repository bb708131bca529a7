// The sparse vectors of texts: words and their weights.
import { textRoles, visibleLine } from '../../entries/tables.ts';
import type { EmbedSparseOptions, SparseVector } from '../../entries/types.ts';
import type { SparseEncoder } from '../../index.ts';
import { answerLines, type LineInput } from '../shared/answer-lines.ts';
import { callOptions, count, word } from '../shared/call-options.ts';
import type { CommandOptions } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { shortFloat } from '../shared/format.ts';
import { parseTextLine } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';

export const sparseOptions = {
  as: {
    type: 'string',
    choices: textRoles,
    help: `Of sparse encoders: whether the texts are documents or queries. Default: ${textRoles[0]}.`,
    read: word(textRoles),
  },
  k: {
    type: 'string',
    short: 'k',
    value: 'N',
    help: 'Of sparse encoders: keep only the N words with the largest weights. Default: all.',
    read: count(1),
  },
} as const satisfies CommandOptions;

/** What `embed` has for other models only. */
const ofVectors = ['npy', 'pooling', 'no-normalize', 'prompt', 'prompt-name', 'instruction', 'dim'];

type Given = Readonly<Record<string, unknown>>;
type Vector = Required<SparseVector>;

/** Throws a usage error for options that sparse vectors do not have. */
export function refuseForSparse(values: Given): void {
  const name = ofVectors.find((each) => values[each] !== undefined);
  if (name !== undefined) {
    const message = `--${name} is for dense vectors, and a sparse encoder gives the weights of words.`;
    throw new UsageError(message, `--${name}`);
  }
}

/** Throws a usage error for options that only sparse vectors have. */
export function refuseForDense(values: Given): void {
  const name = Object.keys(sparseOptions).find((each) => values[each] !== undefined);
  if (name !== undefined) {
    const option = name.length > 1 ? `--${name}` : `-${name}`;
    throw new UsageError(`${option} is for sparse encoders. See --sparse.`, option);
  }
}

export async function embedSparse(
  model: SparseEncoder,
  input: LineInput | undefined,
  texts: readonly string[],
  values: Given & { readonly json?: boolean | undefined; readonly truncate?: string | undefined },
  terminal: Terminal,
): Promise<number> {
  refuseForSparse(values);
  const { truncate } = values;
  const options = {
    ...callOptions<EmbedSparseOptions>(sparseOptions, values),
    ...(truncate !== undefined && {
      truncate: truncate as NonNullable<EmbedSparseOptions['truncate']>,
    }),
    words: true,
    signal: terminal.signal,
  } as const;
  if (input) {
    return answerLines(input, terminal, {
      parse: parseTextLine,
      answer: async (requests) => {
        const vectors = await model.embedSparse(
          requests.map(({ text }) => text),
          options,
        );
        return requests.map(({ id }, i) => ({ id, ...jsonOf(vectors[i] as Vector) }));
      },
    });
  }
  const vectors = await model.embedSparse(texts, { ...options, onProgress: terminal.onProgress });
  texts.forEach((text, i) => {
    const vector = vectors[i] as Vector;
    if (values.json) {
      terminal.printJson({ text, ...jsonOf(vector) });
    } else {
      terminal.print(lineOf(vector));
    }
  });
  return 0;
}

const jsonOf = ({ ids, weights, words }: Vector) => ({
  ids: [...ids],
  weights: Array.from(weights, shortFloat),
  words,
});

const lineOf = ({ weights, words }: Vector): string =>
  words.map((each, i) => `${visibleLine(each)} ${shortFloat(weights[i] ?? 0)}`).join('  ');
