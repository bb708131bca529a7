import { convertFile } from '../files/conversion.ts';
import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';

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
      help: 'The format of SRC, if it is not finalfusion: fasttext.',
    },
    ...jsonOption,
  },
  examples: ['bucket-to-explicit vectors.fifu explicit.fifu'],
  argumentCount: [2, 2],
  run: ([source = '', target = ''], { from, json = false }, terminal) =>
    convertFile(
      source,
      target,
      { to: 'finalfusion', explicit: true, vectorFormat: from },
      json,
      terminal,
    ),
});
