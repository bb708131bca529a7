// Search through pgvector.
import { type PostgresSink, typeOf } from './postgres-sink.ts';
import { isSparse, type Vector, vectorText } from './vectors.ts';

export interface TableHit {
  readonly key: string;
  readonly text: string;
  /** Cosine similarity, −1 to 1; of sparse vectors the dot product. */
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
export async function createHnsw(sink: PostgresSink, sparse = false): Promise<void> {
  const operators = sparse ? 'sparsevec_ip_ops' : 'vector_cosine_ops';
  await sink.query(
    `CREATE INDEX IF NOT EXISTS ${sink.table}_hnsw ON ${sink.sqlTable} USING hnsw (vector ${operators})`,
  );
}

/** How far the vector of a passage is from that of the query, and the score that it gives. */
const distances = {
  vector: { distance: 'vector <=> $1::vector', score: '1 - (vector <=> $1::vector)' },
  sparsevec: { distance: 'vector <#> $1::sparsevec', score: '-(vector <#> $1::sparsevec)' },
} as const;

/** Returns the passages nearest to the vector, the best first. */
export async function searchTable(
  sink: PostgresSink,
  vector: Vector,
  { k, approximate }: TableSearch,
): Promise<TableHit[]> {
  const { dim } = await sink.mark();
  const { distance, score } = distances[typeOf(isSparse(vector))];
  return sink.inTransaction(async (client) => {
    await client.query(`SET LOCAL enable_indexscan = ${approximate ? 'on' : 'off'}`);
    if (approximate) {
      await client.query(
        `SET LOCAL hnsw.ef_search = ${Math.min(maxHnswHits, Math.max(40, 2 * k))}`,
      );
    }
    const { rows } = await client.query<TableHit>(
      `SELECT key, text, ${score} AS score FROM ${sink.sqlTable} ORDER BY ${distance} LIMIT $2`,
      [vectorText(vector, dim), k],
    );
    return rows;
  });
}
