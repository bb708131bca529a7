import { defineCommand } from './command.ts';
import { convertTo } from './convert.ts';

export const command = defineCommand({
  usage: 'bucket-to-explicit SRC DST [--json]',
  summary: 'store the n-grams of word vectors (finalfusion) one by one instead of in buckets',
  details: ['Words keep their rows and norms, quantized vectors stay so; metadata are left out.'],
  options: { json: { type: 'boolean' } },
  takes: [2, 2],
  run: ([source = '', target = ''], { json = false }, terminal) =>
    convertTo(source, target, { to: 'finalfusion', explicit: true }, json, terminal),
});
