// The document of vectors of /v1/embeddings.
import type { EmbeddingRequest } from './embedding-request.ts';

/** `tokens`: how many were read. */
export function embeddingDocument(
  rows: readonly Float32Array[],
  tokens: number,
  { encoding_format: format }: EmbeddingRequest,
  model: string,
): object {
  const encode = format === 'base64' ? base64 : (row: Float32Array) => [...row];
  const data = rows.map((row, index) => ({ object: 'embedding', index, embedding: encode(row) }));
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

/** Base64 of the numbers as float32, little-endian. */
function base64(row: Float32Array): string {
  const bytes = new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
