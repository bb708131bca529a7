import { convertFile, wordsFormat } from '../files/conversion.ts';
import { defineCommand } from '../shared/command.ts';
import {
  fetchOptions,
  forceOption,
  jsonOption,
  parseFetchOptions,
} from '../shared/common-options.ts';

export const command = defineCommand({
  usage: 'SRC DST',
  summary: 'Store n-grams one by one instead of in buckets',
  details: [
    'DST is a finalfusion file. Words keep their vectors and norms, and quantized vectors stay quantized. Metadata is left out.',
  ],
  options: {
    from: {
      type: 'string',
      short: 'f',
      value: 'FORMAT',
      help: `The format of SRC, if the file does not tell it: ${wordsFormat} or fasttext. Default: by its bytes.`,
    },
    ...fetchOptions,
    ...forceOption,
    ...jsonOption,
  },
  json: '{source, target, warnings}.',
  examples: ['bucket-to-explicit vectors.fifu explicit.fifu'],
  argumentCount: [2, 2],
  run: ([source = '', target = ''], { from, ...how }, terminal) =>
    convertFile(
      source,
      target,
      { to: wordsFormat, explicit: true, vectorFormat: from, ...parseFetchOptions(how) },
      how,
      terminal,
    ),
});
