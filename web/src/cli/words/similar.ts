import { defineCommand } from '../shared/command.ts';
import { answerQueries, queryOptions } from './word-queries.ts';

export const command = defineCommand({
  usage: 'MODEL [WORD|-]',
  summary: 'Find the words nearest to a word',
  details: [
    'Without WORD, each line of standard input is a query. Each result is a line: word, tab, score.',
  ],
  options: queryOptions,
  json: 'A line for each query: [{word, score}, …] or {error}.',
  examples: ['similar vectors.fifu Berlin -k 5', 'similar glove.txt Berlin'],
  argumentCount: [1, 2],
  run: ([file = '', word = '-'], values, terminal) =>
    answerQueries<[string]>(file, word === '-' ? undefined : [word], values, terminal, {
      parse: (line) => [line],
      ask: (model, [query], options) => model.similar(query, options),
    }),
});
