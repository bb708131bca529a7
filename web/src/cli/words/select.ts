import { convertFile, formatOfFile, vectorFormats, wordsFormat } from '../files/conversion.ts';
import { defineCommand } from '../shared/command.ts';
import {
  fetchOptions,
  forceOption,
  jsonOption,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { readLines } from '../shared/input.ts';

export const command = defineCommand({
  usage: 'SRC DST [WORDS|-]',
  summary: 'Write the vectors of selected words',
  details: [
    'WORDS is a file with one word on each line. Default: standard input.',
    'A word that is not in the vocabulary gets a vector from its n-grams if SRC has n-grams. finalfusion stores normalized vectors and their norms. Text formats get the vectors with their original lengths. Metadata is left out.',
  ],
  options: {
    to: {
      type: 'string',
      short: 't',
      value: 'FORMAT',
      help: `The target format. Default: by the extension of DST, else ${wordsFormat}.`,
    },
    from: {
      type: 'string',
      short: 'f',
      value: 'FORMAT',
      help: `The format of SRC, if the file does not tell it: ${vectorFormats.join(', ')}. Default: by its bytes.`,
    },
    'ignore-unknown': {
      type: 'boolean',
      short: 'i',
      help: 'Leave out words that get no vector. By default they are an error.',
    },
    ...fetchOptions,
    ...forceOption,
    ...jsonOption,
  },
  json: '{source, target, warnings}.',
  examples: ['select vectors.fifu small.fifu words.txt'],
  argumentCount: [2, 3],
  run: async ([source = '', target = '', list = '-'], values, terminal) => {
    if (source === '-' && list === '-') {
      throw new UsageError('SRC and WORDS cannot both be standard input.');
    }
    const words = (await readLines(list)).filter((word) => word !== '');
    const settings = {
      to: values.to ?? formatOfFile(target) ?? wordsFormat,
      select: { words, ignoreUnknown: values['ignore-unknown'] === true },
      vectorFormat: values.from,
      ...parseFetchOptions(values),
    };
    return convertFile(source, target, settings, { ...values, inputs: [list] }, terminal);
  },
});
