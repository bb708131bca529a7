import { AmbryError } from '../../errors.ts';
import { defineCommand, oneOf } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { answerQueries, kQueryDetails, kQueryOptions } from './word-queries.ts';

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
  run: ([file = '', ...given], values, terminal) => {
    const include = (values.include ?? []).flatMap((list) => list.split(/[\s,]+/)).map(partOf);
    return answerQueries(file, givenTokens(given), values, terminal, {
      queryIn: tokensIn,
      ask: (words, query, options) => words.analogy(...query, { ...options, include }),
    });
  },
});

function givenTokens(given: readonly string[]): Tokens | undefined {
  const [a, b, c] = given;
  if (a === undefined || (a === '-' && b === undefined)) return undefined;
  if (b !== undefined && c !== undefined) return [a, b, c];
  throw new UsageError(`three words are wanted, not ${given.length}`);
}

function tokensIn(line: string): Tokens {
  const [a, b, c, ...more] = line.split(/\s+/);
  if (a !== undefined && b !== undefined && c !== undefined && more.length === 0) return [a, b, c];
  throw new AmbryError('BadValue', `A query is three tokens: ${line}`, { path: 'query' });
}

function partOf(name: string): 'a' | 'b' | 'c' {
  return oneOf(name, '--include', ['a', 'b', 'c']) ?? 'a';
}
