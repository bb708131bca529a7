// What most tests need: servers, a corpus, and the rows that were written.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { root } from './processes.ts';
import { postgresServer, redisServer, type Server } from './servers.ts';

export const model = `${root}web/demo/public/models/english-static-336.weights`;
export const otherModel = `${root}web/demo/public/models/english-192x1.weights`;

export interface Workbench extends AsyncDisposable {
  readonly folder: string;
  readonly redis: Server;
  readonly postgres: Server;
  /** Options of the queue and of the table with this name. */
  place(name: string): readonly string[];
  queue(name: string): readonly string[];
  corpus(name: string, count: number): string;
  /** Writes a corpus of these texts. */
  corpusOf(name: string, texts: readonly string[]): string;
  /** Keeps the row with this key to itself, so that a worker that writes the key waits. Returns what lets it go on. */
  blockKey(name: string, key: string): Promise<() => Promise<void>>;
  count(name: string): Promise<number>;
  rows<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
}

export const textOf = (i: number) => `Passage ${i} tells of ${i * 7} ships and ${i % 13} harbours.`;

const textsOf = (count: number) => Array.from({ length: count }, (_, i) => textOf(i));

export async function openWorkbench(): Promise<Workbench> {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-scale-'));
  const redis = await redisServer();
  const postgres = await postgresServer();
  await Promise.all([redis.start(), postgres.start()]);
  const queue = (name: string) => ['--redis', redis.url, '--queue', name];
  const connect = async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
  // The next query gets another connection.
  pool.on('error', () => {});
  const rows = async <Row extends pg.QueryResultRow>(sql: string) =>
    (await pool.query<Row>(sql)).rows;
  const corpusOf = (name: string, texts: readonly string[]) => {
    const path = join(folder, `${name}.jsonl`);
    const lines = texts.map((text, i) => JSON.stringify({ id: `p${i}`, text }));
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  return {
    folder,
    redis,
    postgres,
    queue,
    place: (name) => [...queue(name), '--model', model, '--to', postgres.url, '--table', name],
    corpus: (name, count) => corpusOf(name, textsOf(count)),
    corpusOf,
    blockKey: async (name, key) => {
      const client = await connect();
      await client.query('BEGIN');
      const zeros = `SELECT array_fill(0, ARRAY[dim])::vector FROM ambry_models WHERE place = '${name}'`;
      await client.query(`INSERT INTO "${name}" VALUES ($1, '', (${zeros}))`, [key]);
      // The server may have been killed in between.
      return () => client.end().catch(() => {});
    },
    count: async (name) => {
      const [row] = await rows<{ count: string }>(`SELECT count(*) FROM "${name}"`);
      return Number(row?.count);
    },
    rows,
    [Symbol.asyncDispose]: async () => {
      await pool.end();
      await Promise.all([redis.stop(), postgres.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
