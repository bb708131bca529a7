// The predictions of a language model after each token of some texts.
import type { Tokens } from '../tokenizer/types.ts';

/** Longer texts are cut, because a row of logits is as long as the vocabulary. */
const mostTokens = 256;

/** The methods of a language model that are used here. */
export interface LanguageModel {
  readonly info: { readonly generator: { readonly context: number } };
  tokenize(text: string): Promise<Tokens>;
  logits(
    prompt: readonly number[],
    options: { readonly all: boolean; readonly signal?: AbortSignal },
  ): Promise<Float32Array>;
}

export interface Predictions {
  /** The id of the likeliest next token, after every token of every text. */
  readonly likeliest: readonly number[];
  /** The sum of the negative logarithms of the probabilities of all tokens but the first of each text. */
  readonly loss: number;
  /** The number of these tokens. */
  readonly predicted: number;
}

export async function predictNextTokens(
  model: LanguageModel,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Predictions> {
  const likeliest: number[] = [];
  let loss = 0;
  let predicted = 0;
  const most = Math.min(mostTokens, model.info.generator.context);
  for (const text of texts) {
    const ids = (await model.tokenize(text)).ids.slice(0, most);
    if (ids.length === 0) {
      continue;
    }
    const logits = await model.logits(ids, { all: true, ...(signal && { signal }) });
    const width = logits.length / ids.length;
    for (const [i] of ids.entries()) {
      const row = logits.subarray(i * width, (i + 1) * width);
      const best = indexOfLargest(row);
      likeliest.push(best);
      const next = ids[i + 1];
      if (next === undefined) {
        continue;
      }
      loss += logSumExp(row, row[best] ?? 0) - (row[next] ?? 0);
      predicted += 1;
    }
  }
  return { likeliest, loss, predicted };
}

function indexOfLargest(row: Float32Array): number {
  let best = 0;
  for (let i = 1; i < row.length; i++) {
    if ((row[i] ?? 0) > (row[best] ?? 0)) {
      best = i;
    }
  }
  return best;
}

function logSumExp(row: Float32Array, largest: number): number {
  let sum = 0;
  for (const logit of row) {
    sum += Math.exp(logit - largest);
  }
  return largest + Math.log(sum);
}
