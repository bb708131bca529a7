import { convertTo } from '../files/convert.ts';
import { defineCommand } from '../shared/command.ts';

export const command = defineCommand({
  usage: 'bucket-to-explicit SRC DST [-f FORMAT] [--json]',
  summary: 'store the n-grams of word vectors one by one instead of in buckets',
  details: [
    '-f, --from   what SRC is, if not finalfusion: fasttext',
    'Words keep their rows and norms, quantized vectors stay so; metadata are left out.',
  ],
  options: { from: { type: 'string', short: 'f' }, json: { type: 'boolean' } },
  takes: [2, 2],
  run: ([source = '', target = ''], { from, json = false }, terminal) =>
    convertTo(source, target, { to: 'finalfusion', explicit: true, through: from }, json, terminal),
});
