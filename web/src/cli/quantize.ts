import { defineCommand, oneOf } from './command.ts';
import { convertTo } from './convert.ts';
import { UsageError } from './failure.ts';

export const command = defineCommand({
  usage: 'quantize SRC DST --type int8|f16|bf16 [--json]',
  summary: 'store the weight matrices of a model smaller',
  details: ['--type   int8 with one scale a row, or half precision'],
  options: { type: { type: 'string' }, json: { type: 'boolean' } },
  takes: [2, 2],
  run: async ([source = '', target = ''], { type, json = false }, terminal) => {
    const dtype = oneOf(type, '--type', ['int8', 'f16', 'bf16']);
    if (dtype === undefined) throw new UsageError('--type is wanted: int8, f16 or bf16', '--type');
    return convertTo(source, target, { dtype }, json, terminal);
  },
});
