import { describe, expect, test } from 'vitest';
import { blobOutput } from '../../../web/src/convert/worker-convert-job.ts';

describe('blobOutput', () => {
  test('overwrites earlier bytes, such as checksums in a header', async () => {
    const output = blobOutput();
    await output.write(0, Uint8Array.of(1, 0, 0, 4));
    await output.write(4, Uint8Array.of(5, 6));
    await output.write(1, Uint8Array.of(2, 3));
    await output.write(3, Uint8Array.of(40, 50));
    const blob = (await output.finish()) as Blob;
    expect([...new Uint8Array(await blob.arrayBuffer())]).toEqual([1, 2, 3, 40, 50, 6]);
  });
});
