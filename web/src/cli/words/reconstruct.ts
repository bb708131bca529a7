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
  summary: 'Write quantized word vectors as dense ones',
  details: [
    'SRC and DST are finalfusion files. Norms are kept. If SRC has none, the vectors are normalized and their lengths become the norms.',
  ],
  options: { ...fetchOptions, ...forceOption, ...jsonOption },
  json: '{source, target, warnings}.',
  examples: ['reconstruct vectors-pq.fifu dense.fifu'],
  argumentCount: [2, 2],
  run: ([source = '', target = ''], values, terminal) =>
    convertFile(
      source,
      target,
      { to: wordsFormat, reconstruct: true, ...parseFetchOptions(values) },
      values,
      terminal,
    ),
});
