// Vectors in a table of PostgreSQL with pgvector.
import pg from 'pg';
import { AmbryError, messageOf } from './failure.ts';
import { checkMark } from './model-mark.ts';
import { explained, hasState } from './postgres-errors.ts';
import {
  type EmbeddedPassage,
  type ModelMark,
  type Passage,
  type Sink,
  uniqueByKey,
} from './types.ts';
import { isSparse, vectorText } from './vectors.ts';

const tableNames = /^[a-z_][a-z0-9_]{0,50}$/;
/** pgvector indexes dense vectors of at most this length. */
const maxDim = 2000;

export class PostgresSink implements Sink {
  readonly table: string;
  /** The name in quotation marks: a table may be called like a word of SQL. */
  readonly sqlTable: string;
  readonly #pool: pg.Pool;
  readonly #url: string;
  #dim: Promise<number> | undefined;

  constructor(url: string, table: string) {
    if (!tableNames.test(table)) {
      const message = `--table must be lower-case letters, digits and _, at most 51, not "${table}".`;
      throw new AmbryError('BadValue', message, { path: '--table' });
    }
    this.table = table;
    this.sqlTable = pg.escapeIdentifier(table);
    this.#url = url;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 4,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    // A connection that breaks while it is idle is only replaced by the next query.
    this.#pool.on('error', () => {});
  }

  async prepare({ sha256, dim, sparse = false }: ModelMark): Promise<void> {
    if (dim > maxDim && !sparse) {
      const message = `pgvector indexes vectors of at most ${maxDim} values; the model makes ${dim}. Write Parquet files: give a folder in --to.`;
      throw new AmbryError('Unsupported', message, { path: '--to' });
    }
    await this.#createExtension();
    await this.inTransaction(async (client) => {
      // Workers that start together wait for each other here.
      await client.query('SELECT pg_advisory_xact_lock(724309)');
      await client.query(
        `CREATE TABLE IF NOT EXISTS ambry_models
           (place text PRIMARY KEY, sha256 text NOT NULL, dim integer NOT NULL)`,
      );
      await client
        .query(
          `CREATE TABLE IF NOT EXISTS ${this.sqlTable}
             (key text PRIMARY KEY, text text NOT NULL, vector ${typeOf(sparse)}(${dim}) NOT NULL)`,
        )
        .catch(withoutSparse);
      await client.query('INSERT INTO ambry_models VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
        this.table,
        sha256,
        dim,
      ]);
      checkMark(this.table, await readMark(client, this.table), sha256);
    });
  }

  async #createExtension(): Promise<void> {
    try {
      await this.#pool.query('CREATE EXTENSION IF NOT EXISTS vector');
    } catch (cause) {
      // Two workers that create the extension together: the second is told that it exists.
      if (hasState(cause, '23505', '42710')) {
        return;
      }
      // 0A000 and 58P01: the server has no files of pgvector. 42501: the user may not create it.
      if (!hasState(cause, '0A000', '58P01', '42501')) {
        throw explained(cause, this.#url);
      }
      const message = `PostgreSQL cannot load pgvector: ${messageOf(cause)}. Install it on the server (Debian: postgresql-NN-pgvector), and run CREATE EXTENSION vector in the database as a superuser.`;
      throw new AmbryError('Unsupported', message, { path: '--to', cause });
    }
  }

  /** A passage that is written again replaces the row with its key. */
  async claimCorpus(): Promise<void> {}

  async mark(): Promise<ModelMark> {
    try {
      const mark = await readMark(this.#pool, this.table);
      if (mark) {
        return mark;
      }
    } catch (cause) {
      // There is no table of models.
      if (!hasState(cause, '42P01')) {
        throw explained(cause, this.#url);
      }
    }
    const message = `The database has no table "${this.table}" with vectors. Run "ambry-worker enqueue" first.`;
    throw new AmbryError('NotFound', message, { path: '--table' });
  }

  async missing(_jobId: string, passages: readonly Passage[]): Promise<readonly Passage[]> {
    const { rows } = await this.query<{ key: string }>(
      `SELECT key FROM ${this.sqlTable} JOIN unnest($1::text[], $2::text[]) AS given (key, text)
         USING (key, text)`,
      [passages.map(({ key }) => key), passages.map(({ text }) => storable(text))],
    );
    const done = new Set(rows.map(({ key }) => key));
    return passages.filter(({ key }) => !done.has(key));
  }

  /** The length of the vectors in the table. */
  #dimOfTable(): Promise<number> {
    this.#dim ??= this.mark().then(({ dim }) => dim);
    return this.#dim;
  }

  async write(_jobId: string, passages: readonly EmbeddedPassage[]): Promise<void> {
    const dim = await this.#dimOfTable();
    const type = typeOf(passages.some(({ vector }) => isSparse(vector)));
    // One statement cannot update a row twice.
    const unique = uniqueByKey(passages);
    // Rows are locked in the same order by all workers, so that none waits for another in a circle.
    unique.sort((a, b) => (a.key < b.key ? -1 : 1));
    await this.query(
      `INSERT INTO ${this.sqlTable} (key, text, vector)
         SELECT key, text, vector::${type} FROM unnest($1::text[], $2::text[], $3::text[])
           AS given (key, text, vector)
       ON CONFLICT (key) DO UPDATE SET text = excluded.text, vector = excluded.vector
         WHERE ${this.sqlTable}.text <> excluded.text`,
      [
        unique.map(({ key }) => key),
        unique.map(({ text }) => storable(text)),
        unique.map(({ vector }) => vectorText(vector, dim)),
      ],
    );
  }

  async query<Row extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#pool.query<Row>(sql, [...values]);
    } catch (cause) {
      throw explained(cause, this.#url);
    }
  }

  async inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((cause) => {
      throw explained(cause, this.#url);
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
      throw explained(error, this.#url);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** PostgreSQL's texts cannot hold the character U+0000, nor half of a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** pgvector's type of dense or of sparse vectors. */
export const typeOf = (sparse: boolean) => (sparse ? 'sparsevec' : 'vector');

/** 42704: there is no such type. */
function withoutSparse(cause: unknown): never {
  if (!hasState(cause, '42704')) {
    throw cause;
  }
  const message = 'This pgvector has no type sparsevec. Update it to 0.7.0 or a later version.';
  throw new AmbryError('Unsupported', message, { path: '--to', cause });
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
