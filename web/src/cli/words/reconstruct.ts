import { convertTo } from '../files/convert.ts';
import { defineCommand } from '../shared/command.ts';

export const command = defineCommand({
  usage: 'reconstruct SRC DST [--json]',
  summary: 'write quantized word vectors (finalfusion) as dense ones',
  details: [
    'Norms stay when there are any; otherwise words get length 1 and their lengths as norms.',
  ],
  options: { json: { type: 'boolean' } },
  takes: [2, 2],
  run: ([source = '', target = ''], { json = false }, terminal) =>
    convertTo(source, target, { to: 'finalfusion', reconstruct: true }, json, terminal),
});
