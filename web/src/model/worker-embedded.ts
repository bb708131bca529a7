// The rows of all texts, copied out of the heap and moved to the page.

import type { CallContext } from '../rpc/serve.ts';
import { copyOut } from '../runtime/worker-heap.ts';
import type { CoreModule, EmbeddedRows } from '../wasm/module.mjs';
import type { Embedded } from './embedding.ts';

export function embeddedOut(
  module: CoreModule,
  { dim, rows, rowCounts: counts }: EmbeddedRows,
  { transfer }: CallContext,
): Embedded {
  const vectors = new Float32Array(copyOut(module, rows).buffer);
  const rowCounts = new Uint32Array(copyOut(module, counts).buffer);
  transfer.push(vectors.buffer, rowCounts.buffer);
  return { vectors, dim, rowCounts };
}
