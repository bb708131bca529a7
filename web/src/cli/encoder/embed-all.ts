// All outputs of texts: their vectors, the weights of their words, and the vectors of their tokens.
import type { AllOutputs, EmbedAllOptions } from '../../entries/types.ts';
import type { Encoder } from '../../index.ts';
import { answerLines, type LineInput } from '../shared/answer-lines.ts';
import { UsageError } from '../shared/failure.ts';
import { shortFloat } from '../shared/format.ts';
import { parseTextLine } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';

type Given = Readonly<Record<string, unknown>>;

/** What `embed` has for one output only. */
const ofOne = [
  'sparse',
  'as',
  'npy',
  'pooling',
  'no-normalize',
  'instruction',
  'prompt-name',
  'dim',
];

/** Throws a usage error for options that do not go with all outputs, and where these would be no lines of JSON. */
export function refuseForAll(values: Given): void {
  const name = ofOne.find((each) => values[each] !== undefined);
  if (name !== undefined) {
    throw new UsageError(`--${name} and --all cannot be used together.`, `--${name}`);
  }
  if (!values['json'] && !values['jsonl']) {
    throw new UsageError('--all prints lines of JSON. Add --json or --jsonl.', '--all');
  }
}

export async function embedAll(
  model: Encoder,
  input: LineInput | undefined,
  texts: readonly string[],
  given: Pick<EmbedAllOptions, 'k' | 'truncate' | 'prompt'>,
  terminal: Terminal,
): Promise<number> {
  const options = { ...given, words: true, signal: terminal.signal } as const;
  const jsonOf = (outputs: AllOutputs | undefined) => outputs && lineOf(outputs, model.dim);
  if (input) {
    return answerLines(input, terminal, {
      parse: parseTextLine,
      answer: async (requests) => {
        const outputs = await model.embedAll(
          requests.map(({ text }) => text),
          options,
        );
        return requests.map(({ id }, i) => ({ id, ...jsonOf(outputs[i]) }));
      },
    });
  }
  const outputs = await model.embedAll(texts, { ...options, onProgress: terminal.onProgress });
  for (const [i, text] of texts.entries()) {
    terminal.printJson({ text, ...jsonOf(outputs[i]) });
  }
  return 0;
}

function lineOf({ dense, sparse, tokens }: AllOutputs, dim: number) {
  return {
    vector: Array.from(dense, shortFloat),
    ids: [...sparse.ids],
    weights: Array.from(sparse.weights, shortFloat),
    words: sparse.words,
    tokens: Array.from({ length: tokens.length / dim }, (_, row) =>
      Array.from(tokens.subarray(row * dim, (row + 1) * dim), shortFloat),
    ),
  };
}
