import type { Words } from '../types.ts';
import { defineCommand } from './command.ts';
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

export const command = defineCommand({
  usage: 'similar MODEL [WORD|-] [-k N] [-s cosine|angular] [-f FORMAT] [--json]',
  summary: 'find the words that are nearest to a word (word vectors)',
  details: [
    'Without WORD every line of standard input is a query. Each answer is a line: word, tab, score.',
    ...kQueryDetails,
  ],
  options: kQueryOptions,
  takes: [1, 2],
  run: async ([file = '', given = '-'], values, terminal) => {
    const settings = querySettings(values);
    const json = values.json === true;
    return withWords(file, values.from, terminal, async (words) => {
      if (given !== '-') await answer(words, given, settings, json, terminal);
      else
        for await (const word of inputLines()) await tryWord(words, word, settings, json, terminal);
      return 0;
    });
  },
});

type Settings = ReturnType<typeof querySettings>;

async function answer(
  words: Words,
  word: string,
  settings: Settings,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const found = await words.similar(word, { ...settings, signal: terminal.signal });
  printScores({ query: word }, found, json, terminal);
}

async function tryWord(
  words: Words,
  word: string,
  settings: Settings,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  try {
    await answer(words, word, settings, json, terminal);
  } catch (error) {
    if (!isMissing(error)) throw error;
    terminal.note(`no vector for: ${word}`);
  }
}
