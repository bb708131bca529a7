// What this machine can do at most on one core, in Node, and what share of it an answer takes. Benchmarks print this beside
// their results, from the same run.
import { leastSeconds, plainReader } from './plain-read.mjs';
import { roofline } from './roofline.mjs';

/** Billions of operations on bytes (a product and an addition are two), and of bytes that are read, a second: one after
 *  another. Several streams at once may read more (core/kernels/gemm/layout/panels_ahead.h). */
export async function machineLimits() {
  const memory = new WebAssembly.Memory({ initial: 2048 });
  // Pages that were never written are all the same one.
  new Uint8Array(memory.buffer).fill(1);
  const read = await plainReader(memory);
  const bytes = memory.buffer.byteLength;
  return {
    operations: (await roofline())['relaxed int8'],
    reads: bytes / leastSeconds(() => read(0, bytes), 9) / 1e9,
  };
}

export const limitsLine = ({ operations, reads }) =>
  `at most ${operations.toFixed(0)} G operations on bytes and ${reads.toFixed(1)} GB read a second`;

export const percent = (part, whole) => `${((100 * part) / whole).toFixed(0)} %`;

/** How near `own` tokens a second come to the limits, where each token takes `operations` and reads `bytes`; and how many
 *  times as fast as `other` tokens a second plain reads allow. */
export function answerShares(limits, { own, other, operations, bytes }) {
  const most = (limits.reads * 1e9) / bytes / other;
  const products = percent((own * operations) / 1e9, limits.operations);
  return `answer ${products} and ${percent((own * bytes) / 1e9, limits.reads)} of all reads, which allow ${most.toFixed(1)} times wllama's`;
}
