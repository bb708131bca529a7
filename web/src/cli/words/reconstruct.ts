import { convertFile } from '../files/conversion.ts';
import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';

export const command = defineCommand({
  usage: 'SRC DST',
  summary: 'Write quantized word vectors as dense ones',
  details: [
    'SRC and DST are finalfusion files. Norms are kept. If SRC has none, the vectors are normalized and their lengths become the norms.',
  ],
  options: { ...jsonOption },
  examples: ['reconstruct vectors-pq.fifu dense.fifu'],
  argumentCount: [2, 2],
  run: ([source = '', target = ''], { json = false }, terminal) =>
    convertFile(source, target, { to: 'finalfusion', reconstruct: true }, json, terminal),
});
