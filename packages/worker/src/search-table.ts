// Search through pgvector.
import { type PostgresSink, vectorText } from './postgres-sink.ts';

export interface TableHit {
  readonly key: string;
  readonly text: string;
  /** Cosine similarity, −1 to 1. */
  readonly score: number;
}

/** pgvector's largest `hnsw.ef_search`. */
export const maxHnswHits = 1000;

export interface TableSearch {
  readonly k: number;
  /** Uses the HNSW index, which may miss a passage. Otherwise every vector is compared. */
  readonly approximate: boolean;
}

/** Makes the HNSW index if it is missing. Building it takes long for a large table. */
export async function createHnsw(sink: PostgresSink): Promise<void> {
  await sink.query(
    `CREATE INDEX IF NOT EXISTS ${sink.table}_hnsw ON ${sink.sqlTable} USING hnsw (vector vector_cosine_ops)`,
  );
}

/** Returns the passages nearest to the vector, the best first. */
export async function searchTable(
  sink: PostgresSink,
  vector: Float32Array,
  { k, approximate }: TableSearch,
): Promise<TableHit[]> {
  return sink.inTransaction(async (client) => {
    await client.query(`SET LOCAL enable_indexscan = ${approximate ? 'on' : 'off'}`);
    if (approximate) {
      await client.query(
        `SET LOCAL hnsw.ef_search = ${Math.min(maxHnswHits, Math.max(40, 2 * k))}`,
      );
    }
    const { rows } = await client.query<TableHit>(
      `SELECT key, text, 1 - (vector <=> $1::vector) AS score FROM ${sink.sqlTable}
         ORDER BY vector <=> $1::vector LIMIT $2`,
      [vectorText(vector), k],
    );
    return rows;
  });
}
