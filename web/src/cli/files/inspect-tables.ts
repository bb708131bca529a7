// What `ambry inspect` prints.
import { exactJson } from '../../base/exact-json.ts';
import { formatLabels, kindNames } from '../../entries/tables.ts';
import type {
  FileInfo,
  GeneratorReport,
  Inspection,
  MemoryEstimate,
  RunReport,
  TensorStatistics,
} from '../../entries/types.ts';
import { describeProblem, describeWarnings } from '../shared/failure.ts';
import { formatBytes, formatCount, plural, table } from '../shared/format.ts';

/** A model that is no single file has only the report. */
export function summaryTable(info: Inspection | undefined, run: RunReport): string[] {
  if (!info) {
    return table(runRows(run));
  }
  const texts = [
    ...labelledRows('config', info.config ?? {}),
    ...labelledRows('metadata', info.metadata),
  ];
  return table([...factRows(info), ...runRows(run), ...texts]);
}

function factRows({ format, version, bytes, tokenizer, tensors }: Inspection): string[][] {
  const values = tensors.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const types = [...new Set(tensors.map(({ dtype }) => dtype))].map(
    (type) => `${tensors.filter(({ dtype }) => dtype === type).length} ${type}`,
  );
  return [
    ['format', `${format} ${version}`],
    ['size', `${formatBytes(bytes)} (${plural(bytes, 'byte')})`],
    [
      'tensors',
      tensors.length === 0
        ? 'none'
        : `${plural(tensors.length, 'tensor')} (${types.join(', ')}), ${plural(values, 'value')}`,
    ],
    ['tokenizer', tokenizer ? `${tokenizer.type}, ${plural(tokenizer.size, 'token')}` : 'none'],
  ];
}

function runRows(run: RunReport): string[][] {
  const { memory, obstacle, warnings, generator, files = [] } = run;
  const sizes = files.map(({ name, bytes }) => `${name}, ${formatBytes(bytes)}`);
  return [
    ...listRows('files', sizes),
    ['runs', howItRuns(run)],
    ...(obstacle ? [['obstacle', describeProblem(obstacle)]] : []),
    ...(obstacle && !memory ? [] : [['memory', memoryText(memory)]]),
    ...(generator ? generatorRows(generator) : []),
    ...listRows('warnings', describeWarnings(warnings)),
  ];
}

function generatorRows({ endIds, chatTemplates }: GeneratorReport): string[][] {
  return [
    ['answers end at', endIds.length === 0 ? 'no token' : `token ${endIds.join(', ')}`],
    ['chat templates', chatTemplates.length === 0 ? 'none' : chatTemplates.join(', ')],
  ];
}

function howItRuns({ kind, format, converts, obstacle }: RunReport): string {
  if (obstacle || !kind) {
    return 'no';
  }
  const labels: Readonly<Record<string, string>> = formatLabels;
  const how = converts ? `after conversion to ${labels[format ?? ''] ?? format}` : 'as it is';
  return `as ${kindNames[kind]}, ${how}`;
}

function memoryText(memory: MemoryEstimate | null): string {
  if (!memory) {
    return 'not known';
  }
  const { asStored, int8 } = memory;
  const small = int8 === null ? '' : `, ${formatBytes(int8)} as int8`;
  return `about ${formatBytes(asStored)} to run${small}`;
}

function labelledRows(label: string, values: Readonly<Record<string, unknown>>): string[][] {
  const texts = Object.entries(values).map(([key, value]) => {
    return `${key}: ${shorten(factText(value))}`;
  });
  return listRows(label, texts);
}

/** Lists of records (inputs, operators and files of an ONNX graph) as `float [2, n], int64 [n]`. */
function factText(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return 'none';
  }
  return isRecords(value) ? value.map(recordText).join(', ') : exactJson(value);
}

function isRecords(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  );
}

function recordText(record: Readonly<Record<string, unknown>>): string {
  const words = Object.values(record).filter((part) => part !== '' && part !== null);
  return words.map((part) => (Array.isArray(part) ? shapeText(part) : String(part))).join(' ');
}

function shapeText(shape: readonly unknown[]): string {
  return `[${shape.map((extent) => extent ?? '?').join(', ')}]`;
}

/** One row for each text. Only the first has the label. */
function listRows(label: string, texts: readonly string[]): string[][] {
  return texts.map((text, i) => [i === 0 ? label : '', text]);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

export function tensorTable({ tensors }: FileInfo): string[] {
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

export function statisticsTable(statistics: readonly TensorStatistics[]): string[] {
  const head = ['tensor', 'min', 'max', 'mean', 'std', 'zeros', 'zero rows', 'denormals', 'NaN, ∞'];
  const format = (value: number | null) => (value === null ? '–' : value.toPrecision(4));
  const rows = statistics.map((s) => [
    s.tensor,
    ...[s.min, s.max, s.mean, s.std].map(format),
    ...[s.zeros, s.zeroRows, s.denormals, s.nan + s.infinite].map(formatCount),
  ]);
  return ['', ...table([head, ...rows], [1, 2, 3, 4, 5, 6, 7, 8])];
}
