// Sources on this machine: memory, blobs, files, pipes.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blobSource } from '../../../web/src/sources/base/blob.ts';
import type { ByteSource } from '../../../web/src/sources/base/byte-source.ts';
import { memorySource } from '../../../web/src/sources/base/memory.ts';
import { openFile } from '../../../web/src/sources/base/node-file.ts';
import { openSource } from '../../../web/src/sources/open-source.ts';
import { gather } from '../support/source-jobs.ts';

const testSize = 2_500_000;
const bytes = Uint8Array.from({ length: testSize }, (_, i) => (i * 7 + (i >> 9)) & 0xff);
const signal = new AbortController().signal;
let folder = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-source-'));
  path = join(folder, 'file.bin');
  await writeFile(path, bytes);
});
afterAll(() => rm(folder, { recursive: true }));

const kinds: [string, () => Promise<ByteSource>][] = [
  ['memory', async () => memorySource(bytes)],
  ['a blob', async () => blobSource(new Blob([bytes]), signal)],
  ['a file', () => openFile(path, { signal })],
];

describe.each(kinds)('%s', (_, open) => {
  test('reads and streams by range', async () => {
    const source = await open();
    expect(source).toMatchObject({ size: testSize, seekable: true, phase: 'load' });
    expect(
      Buffer.compare(await source.read(1_000_000, 99), bytes.subarray(1_000_000, 1_000_099)),
    ).toBe(0);
    expect(
      (await gather(source.stream(7, testSize - 3))).equals(bytes.subarray(7, testSize - 3)),
    ).toBe(true);
    await source.close();
  });
});

describe('openFile', () => {
  test('rejects a missing file', async () => {
    await expect(openFile(join(folder, 'none'), { signal })).rejects.toMatchObject({
      code: 'NotFound',
      message: /No such file/,
    });
  });

  test('rejects a directory, with advice', async () => {
    await expect(openFile(folder, { signal })).rejects.toMatchObject({ message: /ambry convert/ });
  });

  test('rejects a file that becomes shorter while it is read', async () => {
    const shrinking = join(folder, 'shrinking.bin');
    await writeFile(shrinking, bytes);
    const source = await openFile(shrinking, { signal });
    await truncate(shrinking, 1000);
    await expect(source.read(500, 1000)).rejects.toMatchObject({
      code: 'Truncated',
      byteOffset: 1000,
    });
    await source.close();
  });

  test('reads a whole pipe first', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [source] = await Promise.all([openFile(pipe, { signal }), writeFile(pipe, bytes)]);
    expect(source.size).toBe(testSize);
    expect((await gather(source.stream(0, testSize))).equals(bytes)).toBe(true);
  });
});

test('a path is rejected without a file system', async () => {
  await expect(openSource({ kind: 'path', path }, { signal })).rejects.toThrow(
    /browser cannot open a path/,
  );
});

describe('a stream', () => {
  const open = () =>
    openSource(
      { kind: 'stream', stream: new Blob([bytes]).stream(), head: new Uint8Array(0) },
      { signal },
    );

  test('is read from the head to the end, which gives its size', async () => {
    const source = await open();
    expect(source).toMatchObject({ size: undefined, seekable: false, phase: 'load' });
    expect(await source.read(10, 5)).toEqual(bytes.subarray(10, 15));
    expect((await gather(source.stream(3, testSize))).equals(bytes.subarray(3))).toBe(true);
    expect(source.size).toBe(testSize);
    await source.close();
  });

  test('is read completely if a reader jumps ahead', async () => {
    const large = new Uint8Array(20 << 20).fill(7);
    const wire = {
      kind: 'stream',
      stream: new Blob([large]).stream(),
      head: new Uint8Array(0),
    } as const;
    const source = await openSource(wire, { signal });
    expect(await source.read(17 << 20, 3)).toEqual(new Uint8Array(3).fill(7));
    expect(source.size).toBe(large.length);
    expect((await gather(source.stream(1, large.length))).length).toBe(large.length - 1);
    await source.close();
  });

  test('that breaks is an error of its own, from its start or later', async () => {
    for (const sound of [0, 3]) {
      let left = sound;
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (left-- > 0) {
            controller.enqueue(new Uint8Array(100));
          } else {
            controller.error(new Error('cable cut'));
          }
        },
      });
      const source = await openSource(
        { kind: 'stream', stream, head: new Uint8Array(0) },
        { signal },
      );
      await expect(source.measure()).rejects.toMatchObject({
        code: 'NotFound',
        path: 'source',
        message: 'The stream broke: cable cut. Give it again from its beginning.',
      });
    }
  });

  test('is cancelled by close and by an abort', async () => {
    let cancelled = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1000)),
        cancel: () => void cancelled++,
      });
    const source = await openSource(
      { kind: 'stream', stream: endless(), head: new Uint8Array(0) },
      { signal },
    );
    await source.read(0, 10);
    await source.close();
    expect(cancelled).toBe(1);
    const controller = new AbortController();
    const wire = { kind: 'stream', stream: endless(), head: new Uint8Array(0) } as const;
    const aborted = await openSource(wire, { signal: controller.signal });
    await aborted.read(0, 10);
    controller.abort();
    await expect(aborted.read(100_000, 10)).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => cancelled).toBe(2);
  });
});
