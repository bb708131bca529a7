import { isAbort } from '../../errors.ts';
import { inspect, validate } from '../../node.ts';
import type { FileInfo, Inspection, TensorStatistics } from '../../types.ts';
import { defineCommand } from '../shared/command.ts';
import { fetchOptions, jsonOption, parseFetchOptions } from '../shared/common-options.ts';
import { formatBytes, formatCount, plural, table } from '../shared/format.ts';
import { modelSource, unreadable } from '../shared/input.ts';

export const command = defineCommand({
  usage: 'FILE|URL',
  summary: 'Show what a model file holds',
  details: [
    'Reads only the headers and tables, also from a URL or a name at the hub (hf:owner/name). FILE may be - for standard input.',
  ],
  options: {
    tensors: { type: 'boolean', help: 'List the tensors with type, shape, offset and bytes.' },
    stats: {
      type: 'boolean',
      help: 'Read all values, and show the minimum, maximum, mean and standard deviation of each tensor and how many values are zero or NaN.',
    },
    ...fetchOptions,
    ...jsonOption,
  },
  json: '{file, format, version, bytes, metadata, config, tokenizer, tensors, regions, memory, metadataToml, statistics?}. --stats adds statistics.',
  examples: ['inspect minilm.weights --tensors', 'inspect https://example.org/model.gguf --json'],
  argumentCount: [1, 1],
  run: async ([file = ''], { json, tensors, stats, ...values }, terminal) => {
    const { signal, onProgress } = terminal;
    const call = { signal, onProgress, ...parseFetchOptions(values) };
    const given = await modelSource(file);
    // A stream can be read only once, and --stats reads twice.
    const needsCopy = stats && given instanceof ReadableStream;
    const source = needsCopy ? await copyOf(given) : given;
    const info = await inspect(source, call);
    const { statistics } = stats ? await validate(source, { ...call, values: true }) : {};
    if (json) {
      terminal.printJson({ file, ...info, ...(statistics && { statistics }) });
      return 0;
    }
    terminal.print(file);
    for (const line of summaryTable(info)) terminal.print(`  ${line}`);
    if (tensors) for (const line of tensorTable(info)) terminal.print(`  ${line}`);
    if (statistics) for (const line of statisticsTable(statistics)) terminal.print(`  ${line}`);
    return 0;
  },
});

async function copyOf(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  try {
    return await new Response(stream).blob();
  } catch (error) {
    throw isAbort(error) ? error : unreadable('-', error);
  }
}

function summaryTable(info: Inspection): string[] {
  const { tokenizer, tensors, memory } = info;
  const values = tensors.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const types = [...new Set(tensors.map(({ dtype }) => dtype))].map(
    (type) => `${tensors.filter(({ dtype }) => dtype === type).length} ${type}`,
  );
  const rows = [
    ['format', `${info.format} ${info.version}`],
    ['size', `${formatBytes(info.bytes)} (${plural(info.bytes, 'byte')})`],
    [
      'tensors',
      `${plural(tensors.length, 'tensor')} (${types.join(', ')}), ${plural(values, 'value')}`,
    ],
    ['tokenizer', tokenizer ? `${tokenizer.type}, ${plural(tokenizer.size, 'token')}` : 'none'],
    [
      'memory',
      memory
        ? `about ${formatBytes(memory.asStored)} to run, ${formatBytes(memory.int8)} as int8`
        : 'none: this file holds no model that can run',
    ],
    ...labelledRows('config', info.config ?? {}),
    ...labelledRows('metadata', info.metadata),
  ];
  return table(rows);
}

/** One row for each entry. Only the first has the label. */
function labelledRows(label: string, values: Readonly<Record<string, unknown>>): string[][] {
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

function statisticsTable(statistics: readonly TensorStatistics[]): string[] {
  const head = ['tensor', 'min', 'max', 'mean', 'std', 'zeros', 'zero rows', 'denormals', 'NaN, ∞'];
  const format = (value: number | null) => (value === null ? '–' : value.toPrecision(4));
  const rows = statistics.map((s) => [
    s.tensor,
    ...[s.min, s.max, s.mean, s.std].map(format),
    ...[s.zeros, s.zeroRows, s.denormals, s.nan + s.infinite].map(formatCount),
  ]);
  return ['', ...table([head, ...rows], [1, 2, 3, 4, 5, 6, 7, 8])];
}
