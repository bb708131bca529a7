// Vectors in a table of PostgreSQL with pgvector.
import pg from 'pg';
import { AmbryError, messageOf } from './ambry-errors.ts';
import { isPassing, shownUrl } from './failure.ts';
import type { EmbeddedPassage, EmbedJob, ModelMark, Passage, Sink } from './types.ts';

const tableNames = /^[a-z_][a-z0-9_]{0,50}$/;
/** pgvector indexes vectors of at most this length. */
const maxDim = 2000;

export class PostgresSink implements Sink {
  readonly table: string;
  /** The name in quotation marks: a table may be called like a word of SQL. */
  readonly sqlTable: string;
  readonly #pool: pg.Pool;
  readonly #url: string;

  constructor(url: string, table: string) {
    if (!tableNames.test(table)) {
      const message = `--table must be lower-case letters, digits and _, at most 51, not "${table}".`;
      throw new AmbryError('BadValue', message, { path: '--table' });
    }
    this.table = table;
    this.sqlTable = pg.escapeIdentifier(table);
    this.#url = url;
    this.#pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 5000 });
    // A connection that breaks while it is idle is only replaced by the next query.
    this.#pool.on('error', () => {});
  }

  async prepare({ sha256, dim }: ModelMark): Promise<void> {
    if (dim > maxDim) {
      const message = `pgvector indexes vectors of at most ${maxDim} values; the model makes ${dim}.`;
      throw new AmbryError('Unsupported', message, { path: '--model' });
    }
    await this.#createExtension();
    await this.inTransaction(async (client) => {
      // Workers that start together wait for each other here.
      await client.query('SELECT pg_advisory_xact_lock(724309)');
      await client.query(
        `CREATE TABLE IF NOT EXISTS ambry_models
           (place text PRIMARY KEY, sha256 text NOT NULL, dim integer NOT NULL)`,
      );
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${this.sqlTable}
           (key text PRIMARY KEY, text text NOT NULL, vector vector(${dim}) NOT NULL)`,
      );
      await client.query('INSERT INTO ambry_models VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
        this.table,
        sha256,
        dim,
      ]);
      checkModel(this.table, await readMark(client, this.table), sha256);
    });
  }

  async #createExtension(): Promise<void> {
    try {
      await this.query('CREATE EXTENSION IF NOT EXISTS vector');
    } catch (cause) {
      // Two workers that create the extension together: the second is told that it exists.
      const { code } = cause as { code?: string };
      if (code === '23505' || code === '42710') return;
      if (isPassing(cause) || cause instanceof AmbryError) throw cause;
      const message = `PostgreSQL cannot load pgvector: ${messageOf(cause)}. Install it (Debian: postgresql-NN-pgvector), and run CREATE EXTENSION vector as a superuser.`;
      throw new AmbryError('Unsupported', message, { path: '--to', cause });
    }
  }

  /** The model of the table's vectors. */
  async mark(): Promise<ModelMark> {
    try {
      const mark = await readMark(this.#pool, this.table);
      if (mark) return mark;
    } catch (cause) {
      if ((cause as { code?: string }).code !== '42P01') throw this.#explained(cause);
    }
    const message = `The database has no table "${this.table}" with vectors. Run "ambry-worker enqueue" first.`;
    throw new AmbryError('NotFound', message, { path: '--table' });
  }

  async missing(_jobId: string, { passages }: EmbedJob): Promise<readonly Passage[]> {
    const { rows } = await this.query<{ key: string }>(
      `SELECT key FROM ${this.sqlTable} JOIN unnest($1::text[], $2::text[]) AS given (key, text)
         USING (key, text)`,
      [passages.map(({ key }) => key), passages.map(({ text }) => storable(text))],
    );
    const done = new Set(rows.map(({ key }) => key));
    return passages.filter(({ key }) => !done.has(key));
  }

  async write(_jobId: string, _job: EmbedJob, passages: readonly EmbeddedPassage[]): Promise<void> {
    // One statement cannot update a row twice. Of passages with the same key the last one counts.
    const unique = [...new Map(passages.map((one) => [one.key, one])).values()];
    // Rows are locked in the same order by all workers, so that none waits for another in a circle.
    unique.sort((a, b) => (a.key < b.key ? -1 : 1));
    await this.query(
      `INSERT INTO ${this.sqlTable} (key, text, vector)
         SELECT key, text, vector::vector FROM unnest($1::text[], $2::text[], $3::text[])
           AS given (key, text, vector)
       ON CONFLICT (key) DO UPDATE SET text = excluded.text, vector = excluded.vector
         WHERE ${this.sqlTable}.text <> excluded.text`,
      [
        unique.map(({ key }) => key),
        unique.map(({ text }) => storable(text)),
        unique.map(({ vector }) => vectorText(vector)),
      ],
    );
  }

  async count(): Promise<number> {
    const { rows } = await this.query<{ count: string }>(`SELECT count(*) FROM ${this.sqlTable}`);
    return Number(rows[0]?.count ?? 0);
  }

  async query<Row extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#pool.query<Row>(sql, [...values]);
    } catch (cause) {
      throw this.#explained(cause);
    }
  }

  async inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((cause) => {
      throw this.#explained(cause);
    });
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      // The server ends the transaction of a connection that is closed.
      client.release(true);
      throw error;
    }
  }

  /** Names the server in the error of a connection. The original keeps its code, by which it is known to pass. */
  #explained(cause: unknown): unknown {
    if (!isPassing(cause)) return cause;
    const message = `No connection to PostgreSQL at ${shownUrl(this.#url)}: ${messageOf(cause)}. Is it running?`;
    return Object.assign(new Error(message, { cause }), { code: 'ECONNREFUSED' });
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** PostgreSQL's texts cannot hold the character U+0000, nor half of a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

async function readMark(
  client: pg.Pool | pg.PoolClient,
  table: string,
): Promise<ModelMark | undefined> {
  const { rows } = await client.query<ModelMark>(
    'SELECT sha256, dim FROM ambry_models WHERE place = $1',
    [table],
  );
  return rows[0];
}

/** Refuses a place whose vectors another model made. */
export function checkModel(place: string, mark: ModelMark | undefined, sha256: string): void {
  if (!mark || mark.sha256 === sha256) return;
  const message = `"${place}" has vectors of another model: SHA-256 ${mark.sha256}, not ${sha256}. Give that model or another place.`;
  throw new AmbryError('Mismatch', message, { path: '--model' });
}
