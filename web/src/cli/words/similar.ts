import { defineCommand } from '../shared/command.ts';
import { answerQueries, kQueryDetails, kQueryOptions } from './word-queries.ts';

export const command = defineCommand({
  usage: 'similar MODEL [WORD|-] [-k N] [-s cosine|angular] [-f FORMAT] [--json]',
  summary: 'find the words that are nearest to a word (word vectors)',
  details: [
    'Without WORD every line of standard input is a query. Each answer is a line: word, tab, score.',
    ...kQueryDetails,
  ],
  options: kQueryOptions,
  takes: [1, 2],
  run: ([file = '', word = '-'], values, terminal) =>
    answerQueries<[string]>(file, word === '-' ? undefined : [word], values, terminal, {
      queryIn: (line) => [line],
      ask: (words, [query], options) => words.similar(query, options),
    }),
});
