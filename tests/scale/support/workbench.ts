// What most tests need: servers, a corpus, and the rows that were written.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { root } from './processes.ts';
import { postgresServer, redisServer, type Server } from './servers.ts';

export const model = `${root}/web/demo/public/models/english-static-336.weights`;
export const otherModel = `${root}/web/demo/public/models/english-192x1.weights`;

export interface Workbench extends AsyncDisposable {
  readonly folder: string;
  readonly redis: Server;
  readonly postgres: Server;
  /** Options of the queue and of the table with this name. */
  place(name: string): readonly string[];
  queue(name: string): readonly string[];
  corpus(name: string, count: number): string;
  rows<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
}

export const textOf = (i: number) => `Passage ${i} tells of ${i * 7} ships and ${i % 13} harbours.`;

export async function openWorkbench(): Promise<Workbench> {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-scale-'));
  const redis = await redisServer();
  const postgres = await postgresServer();
  await Promise.all([redis.start(), postgres.start()]);
  const queue = (name: string) => ['--redis', redis.url, '--queue', name];
  return {
    folder,
    redis,
    postgres,
    queue,
    place: (name) => [...queue(name), '--model', model, '--to', postgres.url, '--table', name],
    corpus: (name, count) => {
      const path = join(folder, `${name}.jsonl`);
      const lines = Array.from({ length: count }, (_, i) =>
        JSON.stringify({ id: `p${i}`, text: textOf(i) }),
      );
      writeFileSync(path, `${lines.join('\n')}\n`);
      return path;
    },
    rows: async (sql) => {
      const client = new pg.Client({ connectionString: postgres.url });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([redis.stop(), postgres.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
