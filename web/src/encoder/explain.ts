// What each word piece adds to a cosine. A pooled vector v is a sum of parts c, one for every token: with a mean
// the token's own vector, with a maximum those of its numbers that are the largest of all tokens'. So the cosine
// q·v / |q||v| is the sum of q·c / |q||v|, exactly. A text's length scales v and all c alike and drops out.
// Browsers fetch this with the first text that is explained.
import { AmbryError } from '../base/errors.ts';
import { signal, text } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type { EmbedOptions } from '../model/embed-types.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { Tokens } from '../tokenizer/types.ts';
import type { ExplainedPiece, ExplainOptions, Explanation } from './types.ts';

/** What of an encoder is needed here. */
interface ExplainedModel {
  readonly info: FileInfo;
  readonly dim: number;
  readonly isLanguageModel: boolean;
  readonly isStatic: boolean;
  embed(text: string, options: EmbedOptions): Promise<Float32Array>;
  tokenize(text: string): Promise<Tokens>;
}

/** Rows of token vectors, one after the other. */
interface Rows {
  readonly values: Float32Array;
  readonly dim: number;
}

type Token = Omit<ExplainedPiece, 'score'>;

/** Calls visit(row, at) for every number `values[at]` that is a part of the pooled vector. */
type Parts = (rows: Rows, visit: (row: number, at: number) => void) => void;

const partsByPooling: Readonly<Record<string, Parts | undefined>> = {
  mean: everyNumber,
  mean_sqrt_len: everyNumber,
  max: largestNumbers,
};

const explainOptionNames: OptionNames<ExplainOptions> = {
  prompt: text,
  docPrompt: text,
  signal,
};

export async function explain(
  model: ExplainedModel,
  query: string,
  text: string,
  given: ExplainOptions,
): Promise<Explanation> {
  await refuseUnknown(given, explainOptionNames);
  const { prompt, docPrompt, signal } = given;
  needText(query, 'query');
  needText(text, 'text');
  refuseTokenVectors(model);
  const parts = partsOf(model);
  const before = promptText(model, docPrompt);
  const options = (name: string | undefined) => ({
    ...(name !== undefined && { prompt: name }),
    ...(signal && { signal }),
  });
  const [asked, values, tokens] = await Promise.all([
    model.embed(query, { normalize: true, ...options(prompt) }),
    model.embed(text, { pooling: 'none', normalize: false, ...options(docPrompt) }),
    tokensOf(model, before, text),
  ]);
  const unpooled = await unpooledRows(model, before);
  const rows = { values: values.subarray(unpooled * model.dim), dim: model.dim };
  const scores = share(asked, rows, parts);
  const count = values.length / model.dim;
  const read = model.isStatic ? tokens.slice(0, count) : truncated(tokens, count).slice(unpooled);
  const pieces = read.map((token, i) => ({ ...token, score: scores[i] ?? 0 }));
  return { score: scores.reduce((sum, score) => sum + score, 0), pieces };
}

/** For each row: its parts times the query, as a share of the pooled vector's length. The query has length 1. */
function share(query: Float32Array, rows: Rows, parts: Parts): Float64Array {
  const { values, dim } = rows;
  const scores = new Float64Array(values.length / dim);
  const pooled = new Float64Array(dim);
  parts(rows, (row, at) => {
    const value = values[at] ?? 0;
    const j = at % dim;
    pooled[j] = (pooled[j] ?? 0) + value;
    scores[row] = (scores[row] ?? 0) + value * (query[j] ?? 0);
  });
  const length = Math.hypot(...pooled);
  // A text of nothing but a prompt that does not count has no vector, and is like nothing.
  return length === 0 ? scores : scores.map((score) => score / length);
}

function everyNumber({ values, dim }: Rows, visit: Parameters<Parts>[1]): void {
  for (let at = 0; at < values.length; at++) {
    visit(Math.floor(at / dim), at);
  }
}

/** Visits the largest number of each column; among equal ones, the first. */
function largestNumbers({ values, dim }: Rows, visit: Parameters<Parts>[1]): void {
  for (let j = 0; j < Math.min(dim, values.length); j++) {
    let best = j;
    for (let at = j; at < values.length; at += dim) {
      if ((values[at] ?? 0) > (values[best] ?? 0)) {
        best = at;
      }
    }
    visit(Math.floor(best / dim), best);
  }
}

/** Refuses models whose vectors cannot be told apart into those of their tokens. */
function partsOf({ info, isLanguageModel }: ExplainedModel): Parts {
  if (isLanguageModel) {
    const message =
      'Only models with BERT’s tokenizer can be explained, and this is a language model.';
    throw new AmbryError('Unsupported', message, { path: 'model' });
  }
  if (info.config?.['dense'] !== undefined) {
    const message =
      'The model has dense layers after the pooling (Dense): what each token puts into a vector cannot be told as a sum.';
    throw new AmbryError('Unsupported', message, { path: 'config.dense' });
  }
  const pooling = String(info.config?.['pooling']);
  const parts = Object.hasOwn(partsByPooling, pooling) ? partsByPooling[pooling] : undefined;
  if (parts) {
    return parts;
  }
  const message = `The model takes one token’s vector for the whole text (pooling ${pooling}): what the others put into it cannot be told as a sum.`;
  throw new AmbryError('Unsupported', message, { path: 'config.pooling' });
}

function refuseTokenVectors({ info }: ExplainedModel): void {
  if (info.config?.['lateInteraction'] === undefined) {
    return;
  }
  const message = 'A model with late interaction has no vector of a whole text to explain.';
  throw new AmbryError('Unsupported', message, { path: 'config.lateInteraction' });
}

/** What stands before the text, as `embed` finds it. */
function promptText({ info }: ExplainedModel, prompt: string | undefined): string {
  const { prompts, defaultPrompt } = (info.config ?? {}) as {
    readonly prompts?: Readonly<Record<string, string>>;
    readonly defaultPrompt?: string | null;
  };
  const name = prompt ?? defaultPrompt ?? '';
  return (prompts && Object.hasOwn(prompts, name) ? prompts[name] : undefined) ?? name;
}

/** How many of the first tokens take no part: [CLS] and the prompt, of models that leave the prompt out. */
async function unpooledRows(model: ExplainedModel, before: string): Promise<number> {
  const included = String(model.info.metadata['include_prompt'] ?? true).toLowerCase();
  if (before === '' || !['false', '0'].includes(included)) {
    return 0;
  }
  return (await model.tokenize(before)).ids.length - 1;
}

async function tokensOf(model: ExplainedModel, before: string, text: string): Promise<Token[]> {
  const { ids, tokens, offsets } = await model.tokenize(before + text);
  const unknown =
    model.info.config?.['dropUnknown'] === true && model.info.tokenizer?.special['unk'];
  return tokens.flatMap((token, i) => {
    if (ids[i] === unknown) {
      return [];
    }
    const [start = 0, end = 0] = offsets[i] ?? [];
    const inText = (at: number) => Math.max(0, at - before.length);
    return { token, start: inText(start), end: inText(end) };
  });
}

/** The tokens that fit into the model: it cuts the text's end, and the last token of all stays. */
function truncated(tokens: readonly Token[], count: number): Token[] {
  return count < tokens.length ? [...tokens.slice(0, count - 1), ...tokens.slice(-1)] : [...tokens];
}

function needText(text: unknown, path: string): void {
  if (typeof text === 'string') {
    return;
  }
  throw new AmbryError('BadValue', `A text must be a string, not ${typeof text}.`, { path });
}
