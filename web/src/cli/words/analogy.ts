import { AmbryError } from '../../base/errors.ts';
import { analogyWords } from '../../entries/tables.ts';
import { defineCommand } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { oneOf } from '../shared/option-values.ts';
import { answerQueries, queryOptions } from './word-queries.ts';

type Query = readonly [string, string, string];

export const command = defineCommand({
  usage: 'MODEL [A B C|-]',
  summary: 'Answer “A is to B as C is to what?” with word vectors',
  details: [
    'Without words, each line of standard input is a query of three words. Each result is a line: word, tab, score.',
  ],
  options: {
    include: {
      type: 'string',
      multiple: true,
      value: 'NAMES',
      help: 'Which words of the query may be results, such as a,c. May be repeated. Default: none.',
    },
    ...queryOptions,
  },
  json: 'A line for each query: [{word, score}, …] or {error}.',
  examples: ['analogy vectors.fifu man king woman', 'analogy vectors.fifu - < queries.txt'],
  argumentCount: [1, 4],
  run: ([file = '', ...words], values, terminal) => {
    const include = (values.include ?? []).flatMap((list) => list.split(/[\s,]+/)).map(parseName);
    return answerQueries(file, queryOf(words), values, terminal, {
      parse: parseLine,
      ask: (model, query, options) => model.analogy(...query, { ...options, include }),
    });
  },
});

function queryOf(words: readonly string[]): Query | undefined {
  const [a, b, c] = words;
  if (a === undefined || (a === '-' && b === undefined)) {
    return undefined;
  }
  if (b !== undefined && c !== undefined) {
    return [a, b, c];
  }
  throw new UsageError(`An analogy needs three words, not ${words.length}.`);
}

function parseLine(line: string): Query {
  const [a, b, c, ...more] = line.split(/\s+/);
  if (a !== undefined && b !== undefined && c !== undefined && more.length === 0) {
    return [a, b, c];
  }
  throw new AmbryError('BadValue', `A query must be three words: ${line}`, { path: 'query' });
}

function parseName(name: string): (typeof analogyWords)[number] {
  return oneOf(name, '--include', analogyWords) ?? analogyWords[0];
}
