// What the commands over word vectors share: opening them, queries from arguments or lines, and answers as
// the reference tools print them.
import { createInterface } from 'node:readline';
import { AmbryError } from '../errors.ts';
import type { Model } from '../index.ts';
import { convert, open } from '../node.ts';
import type { ModelSource, ScoredWord, WordMetric, Words } from '../types.ts';
import { oneOf, wholeNumber } from './command.ts';
import { modelSource } from './input.ts';
import type { Terminal } from './terminal.ts';

/** Runs `use` with the words of a file; of a format other than finalfusion, `from` names it. */
export async function withWords<T>(
  file: string,
  from: string | undefined,
  terminal: Terminal,
  use: (words: Words) => Promise<T>,
): Promise<T> {
  const { signal, onProgress } = terminal;
  const source = await finalfusionOf(await modelSource(file), from, terminal);
  const model = await open(source, { signal, onProgress });
  try {
    return await use(wordsOf(model, file));
  } finally {
    await model.dispose();
  }
}

/** The source, or if it is of another format, what it is as finalfusion. */
export async function finalfusionOf(
  source: ModelSource,
  from: string | undefined,
  { signal, onProgress }: Terminal,
): Promise<ModelSource> {
  if (from === undefined || from === 'finalfusion') return source;
  return convert(source, { to: 'finalfusion', from, signal, onProgress });
}

function wordsOf(model: Model, file: string): Words {
  if (model.words) return model.words;
  throw new AmbryError('Unsupported', `${file} is ${model.info.format}, no file of word vectors.`);
}

/** Options that queries share. */
export const kQueryOptions = {
  from: { type: 'string', short: 'f' },
  k: { type: 'string', short: 'k' },
  similarity: { type: 'string', short: 's' },
  json: { type: 'boolean' },
} as const;

export const kQueryDetails = [
  '-k                number of words; 10 when absent',
  '-s, --similarity  cosine or angular; cosine when absent',
  '-f, --from        what MODEL is, if not finalfusion: word2vec, text, textdims, fasttext, floret',
] as const;

export function querySettings(values: {
  readonly k?: string | undefined;
  readonly similarity?: string | undefined;
}): { readonly k: number; readonly metric: WordMetric } {
  const metric = oneOf(values.similarity, '--similarity', ['cosine', 'angular']) ?? 'cosine';
  return { k: wholeNumber(values.k, '-k') ?? 10, metric };
}

/** Standard input, line by line as they come, trimmed, without empty ones. */
export async function* inputLines(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin })) {
    const trimmed = line.trim();
    if (trimmed !== '') yield trimmed;
  }
}

/** `word<TAB>score`, or a JSON document with the query. */
export function printScores(
  query: Readonly<Record<string, unknown>>,
  found: readonly ScoredWord[],
  json: boolean,
  terminal: Terminal,
): void {
  if (json) terminal.json({ ...query, words: found });
  else for (const { word, score } of found) terminal.print(`${word}\t${decimal(score)}`);
}

/** Told on standard error, and the next query is taken; false for any other failure. */
export function isMissing(error: unknown): error is AmbryError {
  return error instanceof AmbryError && error.code === 'NotFound';
}

/** Never with an exponent, as the reference prints numbers. */
function decimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const digits = (text.split('e')[0] ?? '').replace(/[-.]/g, '').length;
  const places = digits - 1 - Number(text.split('e')[1]);
  return value.toFixed(Math.min(Math.max(places, 0), 100));
}
