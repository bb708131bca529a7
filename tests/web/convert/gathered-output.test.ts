// Small writes of a conversion, joined.
import { expect, test } from 'vitest';
import { blobOutput } from '../../../web/src/convert/worker-convert-job.ts';
import { GatheredOutput } from '../../../web/src/output/gathered-output.ts';

const mib = 1 << 20;

/** The sizes of the writes that reach the output, and the target. */
async function written(writes: readonly [offset: number, size: number][]) {
  const output = blobOutput();
  const sizes: number[] = [];
  const gathered = new GatheredOutput({
    ...output,
    write: (offset, bytes) => {
      sizes.push(bytes.length);
      return output.write(offset, bytes);
    },
  });
  const block = new Uint8Array(2 * mib);
  let value = 0;
  for (const [offset, size] of writes) {
    value += 1;
    block.fill(value);
    await gathered.write(offset, block.subarray(0, size));
  }
  await gathered.flush();
  return { sizes, bytes: new Uint8Array(await ((await output.finish()) as Blob).arrayBuffer()) };
}

test('joins writes that follow one another, up to a MiB', async () => {
  const { sizes, bytes } = await written([
    [0, 3],
    [3, 5],
    [8, mib],
    [8 + mib, 2 * mib],
    [8 + 3 * mib, 7],
  ]);
  expect(sizes).toEqual([8, mib, 2 * mib, 7]);
  expect(bytes.length).toBe(15 + 3 * mib);
  const ends = [2, 3, 7, 8, 7 + mib, 8 + mib, 8 + 3 * mib];
  expect(ends.map((at) => bytes[at])).toEqual([1, 2, 2, 3, 3, 4, 5]);
});

test('writes a patch of earlier bytes after them', async () => {
  const { sizes, bytes } = await written([
    [0, 6],
    [1, 2],
    [4, 1],
  ]);
  expect(sizes).toEqual([6, 2, 1]);
  expect([...bytes]).toEqual([1, 2, 2, 1, 3, 1]);
});
