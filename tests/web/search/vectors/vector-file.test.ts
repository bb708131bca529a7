// The built package in Node: files of own vectors, read by range.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VectorIndex } from '../../../../web/src/index.ts';
import { PartCache } from '../../../../web/src/search/vectors/part-cache.ts';
import { groupedVectors } from '../../support/grouped-vectors.ts';
import { ambry } from '../../support/package.ts';
import { ByteServer, contentOf } from '../../support/servers/byte-server.ts';

const { createVectorIndex, openVectorIndex } = ambry;
const dim = 128;
const count = 3000;
const vectors = groupedVectors(count, { dim, groups: 60 });
const rowOf = (i: number) => vectors.slice(i * dim, (i + 1) * dim);
const ids = Array.from({ length: count }, (_, i) => `vector ${i}`);
const folder = mkdtempSync(join(tmpdir(), 'ambry-vectors-'));

let server: ByteServer;
let index: VectorIndex;
let file: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  server = await ByteServer.start();
  index = await createVectorIndex({ vectors, ids }, { lists: 60 });
  file = new Uint8Array(await (await index.save()).arrayBuffer());
});
afterAll(async () => {
  server.close();
  rmSync(folder, { recursive: true });
  await index.dispose();
});

const served = (name: string, bytes = file) =>
  server.serve(name, { content: contentOf(bytes), etag: '"one"' });

describe('a file', () => {
  test('finds what the index in memory finds, wherever it lies', async () => {
    const path = join(folder, 'own.ambryindex');
    writeFileSync(path, file);
    const sources = [file, new Blob([file]), path, { path }, served('own.ambryindex').url];
    for (const source of sources) {
      await using opened = await openVectorIndex(source);
      expect(opened).toMatchObject({ size: count, dim, vectors: 'int8', measured: index.measured });
      for (const i of [0, 1500, 2999]) {
        expect(await opened.search(rowOf(i))).toEqual(await index.search(rowOf(i)));
      }
    }
  });

  test.each([0, 40])('keeps positions and floats, with %i lists', async (lists) => {
    const options = { lists, vectors: 'f32' } as const;
    await using made = await createVectorIndex({ vectors, dim }, options);
    await using opened = await openVectorIndex(await made.save());
    expect(opened.vectors).toBe('f32');
    const query = [rowOf(77), rowOf(2000)];
    expect(await opened.search(query, { k: 7 })).toEqual(await made.search(query, { k: 7 }));
  });

  test('takes a filter by ids', async () => {
    await using opened = await openVectorIndex(file);
    const filter = [ids[9], ids[100], ids[2222]] as string[];
    const options = { filter, k: 2 };
    expect(await opened.search(rowOf(3), options)).toEqual(await index.search(rowOf(3), options));
  });

  test('holds an empty index', async () => {
    await using made = await createVectorIndex({ vectors: new Float32Array(), dim });
    await using opened = await openVectorIndex(await made.save());
    expect(opened.size).toBe(0);
    expect(await opened.search(rowOf(0))).toEqual([]);
  });

  test('cannot be saved or measured again', async () => {
    await using opened = await openVectorIndex(file);
    await expect(opened.save()).rejects.toMatchObject({ code: 'Unsupported' });
    await expect(opened.recall([rowOf(0)])).rejects.toMatchObject({ code: 'Unsupported' });
  });
});

describe('a file at a server', () => {
  test('is read in small parts, and less than all of it', async () => {
    const { url, asked, sent } = served('parts.ambryindex');
    await using opened = await openVectorIndex(url);
    await opened.search(rowOf(5));
    expect(asked.every(({ range, status }) => range !== undefined && status === 206)).toBe(true);
    expect(sent()).toBeLessThan(file.length / 2);
    const before = asked.length;
    await opened.search(rowOf(5));
    expect(asked).toHaveLength(before);
  });

  test('is searched with less memory than it has bytes', async () => {
    const { url, asked } = served('small-memory.ambryindex');
    await using opened = await openVectorIndex(url, { memory: 16_000 });
    for (let i = 0; i < 20; i++) {
      const [best] = await opened.search(rowOf(i * 100), { k: 1 });
      expect(best?.id).toBe(ids[i * 100]);
    }
    // What the first search read is not held any more.
    const before = asked.length;
    await opened.search(rowOf(0));
    expect(asked.length).toBeGreaterThan(before);
  });

  test('must not change', async () => {
    let tag = '"one"';
    const { url } = server.serve('changing.ambryindex', {
      content: contentOf(file),
      etag: () => tag,
    });
    await using opened = await openVectorIndex(url);
    tag = '"two"';
    await expect(opened.search(rowOf(5))).rejects.toMatchObject({ code: 'Mismatch' });
  });

  test('needs range requests', async () => {
    const { url } = server.serve('whole.ambryindex', { content: contentOf(file), ranges: false });
    await expect(openVectorIndex(url)).rejects.toMatchObject({ code: 'Unsupported' });
    await expect(openVectorIndex(new Blob([file]).stream())).rejects.toMatchObject({
      code: 'Unsupported',
    });
  });

  test('is not asked any more after an abort', async () => {
    const { url } = server.serve('slow.ambryindex', {
      content: contentOf(file),
      etag: '"one"',
      stallAfter: (request) => (request > 1 ? 0 : undefined),
    });
    const opened = await openVectorIndex(url);
    const controller = new AbortController();
    const searching = opened.search(rowOf(5), { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(searching).rejects.toMatchObject({ name: 'AbortError' });
    await opened.dispose();
  });
});

describe('a damaged file', () => {
  const view = (bytes: Uint8Array<ArrayBuffer>) => new DataView(bytes.buffer);
  const headEnd = () => Number(view(file).getBigUint64(32, true));
  /** The checksum of the head made right, behind which are most of the checks. */
  const sealed = (bytes: Uint8Array<ArrayBuffer>) => {
    view(bytes).setUint32(headEnd() - 4, crc32(bytes.subarray(0, headEnd() - 4)), true);
    return bytes;
  };
  const searched = async (bytes: Uint8Array<ArrayBuffer>) => {
    await using opened = await openVectorIndex(bytes);
    await opened.search(rowOf(5), { probes: 60, candidates: count });
  };

  test('is refused with the place of the fault, wherever that is', async () => {
    const codes = headEnd();
    const rows = codes + count * (dim / 8 + 4);
    const idsBegin = rows + count * (12 + dim);
    const places = [0, 8, 12, 16, 24, 32, 40, 48, 52, 56, 60, 70, 2000, codes, rows, idsBegin];
    for (const at of places) {
      const bytes = file.slice();
      bytes[at] = (bytes[at] as number) ^ 0x81;
      const error = await searched(bytes).catch((caught: unknown) => caught);
      if (at < idsBegin) {
        expect(error, String(at)).toBeInstanceOf(Error);
      }
      // A search does not read the ids of lists in which it finds nothing.
      if (error === undefined) {
        continue;
      }
      expect(error, String(at)).toMatchObject({ name: 'AmbryError' });
      expect((error as { byteOffset?: number }).byteOffset, String(at)).toBeLessThan(file.length);
    }
  });

  test('may be cut off', async () => {
    for (const size of [0, 7, 63, 64, 500, headEnd(), file.length - 1]) {
      await expect(searched(file.slice(0, size)), String(size)).rejects.toMatchObject({
        code: 'Truncated',
      });
    }
  });

  test('may have a header or ids that are no JSON of ours', async () => {
    const header = sealed(file.slice().fill(0x20, 64, 70));
    await expect(searched(header)).rejects.toMatchObject({ path: 'header', byteOffset: 64 });
    await using numbers = await createVectorIndex(
      { vectors, ids: ids.map((_, i) => i) },
      { lists: 60 },
    );
    const other = new Uint8Array(await (await numbers.save()).arrayBuffer());
    other[other.length - 1] = 0x20;
    await using opened = await openVectorIndex(other);
    const all = opened.search(rowOf(5), { k: count, probes: 60, candidates: count });
    await expect(all).rejects.toMatchObject({ code: 'Mismatch', path: 'ids' });
  });

  test('of passages needs its model', async () => {
    const bytes = sealed(file.slice());
    view(bytes).setUint32(8, 2, true);
    await expect(openVectorIndex(bytes)).rejects.toMatchObject({
      code: 'UnsupportedVersion',
      path: 'version',
    });
  });

  test('does not open with a memory of nothing', async () => {
    await expect(openVectorIndex(file, { memory: 0 })).rejects.toMatchObject({
      path: 'options.memory',
    });
  });
});

describe('the parts that are held', () => {
  const content = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
  const cacheOf = (most: number) => {
    const reads: [number, number][] = [];
    const read = async (offset: number, size: number) => {
      reads.push([offset, size]);
      return content.slice(offset, offset + size);
    };
    const source = () => ({ read }) as never;
    return { reads, cache: new PartCache({ source, keepHead: async () => {} }, most) };
  };
  const { signal } = new AbortController();

  test('never have more bytes than allowed, and the oldest go first', async () => {
    const { reads, cache } = cacheOf(100);
    const parts = [0, 200, 400].map((offset) => ({ offset, size: 40 }));
    for (const part of parts) {
      expect(await cache.read([part], 0, signal)).toEqual([
        content.slice(part.offset, part.offset + 40),
      ]);
      expect(cache.bytes).toBeLessThanOrEqual(100);
    }
    await cache.read(parts.slice(1), 0, signal);
    expect(reads).toHaveLength(3);
    await cache.read(parts.slice(0, 1), 0, signal);
    expect(reads).toHaveLength(4);
    await cache.read([{ offset: 500, size: 400 }], 0, signal);
    expect(cache.bytes).toBeLessThanOrEqual(100);
  });

  test('are read together where little lies between them', async () => {
    const { reads, cache } = cacheOf(1000);
    const parts = [
      { offset: 300, size: 10 },
      { offset: 0, size: 10 },
      { offset: 15, size: 10 },
      { offset: 25, size: 0 },
    ];
    const found = await cache.read(parts, 5, signal);
    expect(found.map((bytes) => bytes.length)).toEqual([10, 10, 10, 0]);
    expect(reads.sort()).toEqual([
      [0, 25],
      [300, 10],
    ]);
  });

  test('are checked, and must be whole', async () => {
    const { cache } = cacheOf(1000);
    const check = () => {
      throw new Error('wrong');
    };
    await expect(cache.read([{ offset: 0, size: 9, check }], 0, signal)).rejects.toThrow('wrong');
    await expect(cache.read([{ offset: 990, size: 20 }], 0, signal)).rejects.toMatchObject({
      code: 'Truncated',
      byteOffset: 990,
    });
  });
});
