import { inspect } from '../node.ts';
import type { FileInfo } from '../types.ts';
import { defineCommand } from './command.ts';
import { formatBytes, formatCount, plural, table } from './format.ts';
import { modelSource } from './input.ts';

export const command = defineCommand({
  usage: 'inspect FILE|URL [--json] [--tensors]',
  summary: 'say what a model file holds',
  details: ['--tensors   list the tensors: name, type, shape, offset, bytes'],
  options: { json: { type: 'boolean' }, tensors: { type: 'boolean' } },
  takes: [1, 1],
  run: async ([file = ''], { json, tensors }, terminal) => {
    const { signal, onProgress } = terminal;
    const info = await inspect(await modelSource(file), { signal, onProgress });
    if (json) {
      terminal.json({ file, ...info });
      return 0;
    }
    terminal.print(file);
    for (const line of summary(info)) terminal.print(`  ${line}`);
    if (tensors) for (const line of tensorTable(info)) terminal.print(`  ${line}`);
    return 0;
  },
});

function summary(info: FileInfo): string[] {
  const { tokenizer, tensors } = info;
  const numbers = tensors.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const types = [...new Set(tensors.map(({ dtype }) => dtype))].map(
    (type) => `${tensors.filter(({ dtype }) => dtype === type).length} ${type}`,
  );
  const rows = [
    ['format', `${info.format} ${info.version}`],
    ['size', `${formatBytes(info.bytes)} (${plural(info.bytes, 'byte')})`],
    [
      'tensors',
      `${plural(tensors.length, 'tensor')} (${types.join(', ')}), ${plural(numbers, 'number')}`,
    ],
    ['tokenizer', tokenizer ? `${tokenizer.type}, ${plural(tokenizer.size, 'token')}` : 'none'],
    ...facts('config', info.config ?? {}),
    ...facts('metadata', info.metadata),
  ];
  return table(rows);
}

/** One row a fact, the label on the first. */
function facts(label: string, values: Readonly<Record<string, unknown>>): string[][] {
  return Object.entries(values).map(([key, value], i) => [
    i === 0 ? label : '',
    `${key}: ${shorten(typeof value === 'string' ? value : JSON.stringify(value))}`,
  ]);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

function tensorTable({ tensors }: FileInfo): string[] {
  const head = ['name', 'type', 'shape', 'offset', 'bytes'];
  const rows = tensors.map(({ name, dtype, shape, offset, bytes }) => [
    name,
    dtype,
    shape.join(' × '),
    formatCount(offset),
    formatCount(bytes),
  ]);
  return ['', ...table([head, ...rows], [3, 4])];
}
