// Options that several commands have.
import type { Option, Values } from './arguments.ts';
import { UsageError } from './failure.ts';
import type { PostgresSink } from './postgres-sink.ts';
import type { QueuePlace } from './queue.ts';
import type { Sink } from './types.ts';

export const queueOptions = {
  redis: {
    type: 'string',
    value: 'URL',
    help: 'The Redis or Valkey server. Default: redis://127.0.0.1:6379.',
  },
  queue: { type: 'string', value: 'NAME', help: 'The name of the queue. Default: ambry.' },
} as const satisfies Record<string, Option>;

export const tableOptions = {
  to: { type: 'string', value: 'URL', help: 'The database, as postgres://USER@HOST/DATABASE.' },
  table: { type: 'string', value: 'NAME', help: 'The table of the vectors. Default: passages.' },
} as const satisfies Record<string, Option>;

export const sinkOptions = {
  ...tableOptions,
  to: {
    type: 'string',
    value: 'PLACE',
    help: 'Where vectors are written: postgres://USER@HOST/DATABASE, or a folder for Parquet files.',
  },
} as const satisfies Record<string, Option>;

export const modelOptions = {
  model: { type: 'string', value: 'FILE', help: 'The model: a file or a folder.' },
  prompt: {
    type: 'string',
    value: 'TEXT',
    help: 'A text to put before each passage, or the name of one of the model’s prompts. All workers need the same.',
  },
} as const satisfies Record<string, Option>;

export const jsonOption = {
  json: { type: 'boolean', help: 'Print JSON.' },
} as const satisfies Record<string, Option>;

/** `read 3, added 3` */
export const lineOf = (counts: object): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

export function queuePlace({ redis, queue }: Values): QueuePlace {
  const url = String(redis ?? 'redis://127.0.0.1:6379');
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--redis must be a URL such as redis://127.0.0.1:6379.`, '--redis');
  }
  return { redis: url, queue: String(queue ?? 'ambry') };
}

export async function openTable({ to, table }: Values): Promise<PostgresSink> {
  if (!isDatabase(to)) {
    throw new UsageError('--to must be a database: postgres://USER@HOST/DATABASE.', '--to');
  }
  const { PostgresSink } = await import('./postgres-sink.ts');
  return new PostgresSink(String(to), String(table ?? 'passages'));
}

export async function openSink(values: Values): Promise<Sink> {
  if (isDatabase(values['to'])) {
    return openTable(values);
  }
  const folder = String(values['to']);
  if (folder.includes('://')) {
    throw new UsageError(
      '--to must be postgres://USER@HOST/DATABASE or a folder on this machine.',
      '--to',
    );
  }
  if (values['table'] !== undefined) {
    throw new UsageError('--table needs a database in --to.', '--table');
  }
  const { ParquetSink } = await import('./parquet-sink.ts');
  return new ParquetSink(folder);
}

const isDatabase = (to: unknown) => /^postgres(ql)?:\/\//.test(String(to));
