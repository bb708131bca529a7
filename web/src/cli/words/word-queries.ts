// What `similar` and `analogy` do alike: a query from the arguments, or one a line of standard input, and
// answers as the reference tools print them.
import { createInterface } from 'node:readline';
import { AmbryError } from '../../errors.ts';
import type { ScoredWord, SimilarOptions, Words } from '../../types.ts';
import { oneOf, wholeNumber } from '../shared/command.ts';
import { exitCodeOf, problemOf } from '../shared/failure.ts';
import type { Terminal } from '../shared/terminal.ts';
import { withWords } from './open-words.ts';

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
  '--json            a list of {word, score} a query, or {error}',
] as const;

interface QueryValues {
  readonly from?: string | undefined;
  readonly k?: string | undefined;
  readonly similarity?: string | undefined;
  readonly json?: boolean | undefined;
}

/** A kind of query, which is some words. */
export interface QueryKind<Query extends readonly string[]> {
  readonly queryIn: (line: string) => Query;
  readonly ask: (words: Words, query: Query, options: SimilarOptions) => Promise<ScoredWord[]>;
}

/** Answers the query, or without one every line of standard input. Gives the exit code. */
export async function answerQueries<Query extends readonly string[]>(
  file: string,
  given: Query | undefined,
  { from, json = false, ...asked }: QueryValues,
  terminal: Terminal,
  { queryIn, ask }: QueryKind<Query>,
): Promise<number> {
  const metric = oneOf(asked.similarity, '--similarity', ['cosine', 'angular']) ?? 'cosine';
  const k = wholeNumber(asked.k, '-k') ?? 10;
  const options = { k, metric, signal: terminal.signal };
  return withWords(file, from, terminal, async (words) => {
    const answer = async (query: Query) => print(await ask(words, query, options), json, terminal);
    let exitCode = 0;
    if (given) await answer(given);
    else {
      for await (const line of inputLines()) {
        const query = queryIn(line);
        const code = await answer(query).catch((error: unknown) =>
          tellMissing(error, words, query, json, terminal),
        );
        exitCode = Math.max(exitCode, code);
      }
    }
    return exitCode;
  });
}

/** Standard input, line by line as they come, trimmed, without empty ones. */
async function* inputLines(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin })) {
    const trimmed = line.trim();
    if (trimmed !== '') yield trimmed;
  }
}

/** `word<TAB>score`, or the contract's JSON document. */
function print(found: readonly ScoredWord[], json: boolean, terminal: Terminal): number {
  if (json) terminal.json(found.map(({ word, score }) => ({ word, score })));
  else for (const { word, score } of found) terminal.print(`${word}\t${decimal(score)}`);
  return 0;
}

/** A word without a vector does not end the queries. For people that is as the reference has it: no
 *  failure; JSON has a document a query, and this one says so. */
async function tellMissing(
  error: unknown,
  words: Words,
  query: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  if (!(error instanceof AmbryError) || error.code !== 'NotFound') throw error;
  if (json) {
    terminal.json({ error: problemOf(error) });
    return exitCodeOf(error);
  }
  const { found } = await words.vectors(query);
  const missing = query.filter((_, i) => found[i] === 'none');
  terminal.note(`no vector for: ${missing.join(', ')}`);
  return 0;
}

/** Never with an exponent, as the reference prints numbers. */
function decimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const digits = (text.split('e')[0] ?? '').replace(/[-.]/g, '').length;
  const places = digits - 1 - Number(text.split('e')[1]);
  return value.toFixed(Math.min(Math.max(places, 0), 100));
}
