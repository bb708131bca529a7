import { AmbryError } from '../errors.ts';
import type { AnalogyOptions, Words } from '../types.ts';
import { defineCommand, oneOf } from './command.ts';
import { UsageError } from './failure.ts';
import type { Terminal } from './terminal.ts';
import {
  inputLines,
  isMissing,
  kQueryDetails,
  kQueryOptions,
  printScores,
  querySettings,
  withWords,
} from './words.ts';

type Tokens = readonly [string, string, string];

export const command = defineCommand({
  usage:
    'analogy MODEL [A B C|-] [-k N] [-s cosine|angular] [--include a,b,c] [-f FORMAT] [--json]',
  summary: 'answer “A is to B as C is to what?” (word vectors)',
  details: [
    'Without words every line of standard input is a query of three tokens. Each answer is a line:',
    'word, tab, score.',
    '--include         which of A, B and C may be answers; none when absent',
    ...kQueryDetails,
  ],
  options: { ...kQueryOptions, include: { type: 'string', multiple: true } },
  takes: [1, 4],
  run: async ([file = '', ...given], values, terminal) => {
    const query = tokensIn(given);
    const include = (values.include ?? []).flatMap((list) => list.split(/[\s,]+/)).map(partOf);
    const settings = { ...querySettings(values), include };
    const json = values.json === true;
    return withWords(file, values.from, terminal, async (words) => {
      if (query) await answer(words, query, settings, json, terminal);
      else
        for await (const line of inputLines()) await tryLine(words, line, settings, json, terminal);
      return 0;
    });
  },
});

function tokensIn(given: readonly string[]): Tokens | undefined {
  const [a, b, c] = given;
  if (a === undefined || (a === '-' && b === undefined)) return undefined;
  if (b !== undefined && c !== undefined) return [a, b, c];
  throw new UsageError(`three words are wanted, not ${given.length}`);
}

function partOf(name: string): 'a' | 'b' | 'c' {
  return oneOf(name, '--include', ['a', 'b', 'c']) ?? 'a';
}

async function answer(
  words: Words,
  [a, b, c]: Tokens,
  settings: AnalogyOptions,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const found = await words.analogy(a, b, c, { ...settings, signal: terminal.signal });
  printScores({ query: [a, b, c] }, found, json, terminal);
}

async function tryLine(
  words: Words,
  line: string,
  settings: AnalogyOptions,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const tokens = line.split(/\s+/);
  const [a, b, c] = tokens;
  if (tokens.length !== 3 || a === undefined || b === undefined || c === undefined) {
    throw new AmbryError('BadValue', `A query is three tokens: ${line}`, { path: 'query' });
  }
  try {
    await answer(words, [a, b, c], settings, json, terminal);
  } catch (error) {
    if (!isMissing(error)) throw error;
    terminal.note(`no vector for: ${(await missing(words, tokens)).join(', ')}`);
  }
}

async function missing(words: Words, tokens: readonly string[]): Promise<string[]> {
  const { found } = await words.vectors(tokens);
  return tokens.filter((_, i) => found[i] === 'none');
}
