// The file of kept vectors: what is found again, and what a cut, a flip, another model or a full disk leave of it.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { crc32 } from '../../../web/src/search/base/crc32.ts';
import { list, openVectorFile, remove } from '../../../web/src/search/kept-vectors/node-store.ts';
import type { VectorFingerprint } from '../../../web/src/search/kept-vectors/protocol.ts';
import {
  fileNameOf,
  nameIn,
  type VectorFile,
  withStorageErrors,
} from '../../../web/src/search/kept-vectors/vector-file.ts';
import { KeptVectors } from '../../../web/src/search/kept-vectors/worker-store.ts';

const dim = 3;
const testTexts = ['a cat', 'a dog', '', 'ein Hund', 'a cat on a mat'];
const rowsOf = (texts: readonly string[]) =>
  Float32Array.from(texts.flatMap((text) => [text.length, Math.sin(text.length), -0.5]));
const fingerprint = (change: Partial<VectorFingerprint> = {}): VectorFingerprint => ({
  probe: Float32Array.of(0.6, -0.8, 0),
  prompt: null,
  ...change,
});

/** A file in memory; `room` is what the disk has left in all. */
class MemoryFile implements VectorFile {
  bytes: Uint8Array<ArrayBuffer>;
  room = Number.POSITIVE_INFINITY;
  closed = 0;

  constructor(bytes = new Uint8Array(0)) {
    this.bytes = bytes;
  }

  async size() {
    return this.bytes.length;
  }
  async read(offset: number, length: number) {
    return this.bytes.slice(offset, offset + length);
  }
  async write(offset: number, bytes: Uint8Array<ArrayBuffer>) {
    const fits = bytes.subarray(0, Math.max(0, this.room - offset));
    const grown = new Uint8Array(Math.max(this.bytes.length, offset + fits.length));
    grown.set(this.bytes);
    grown.set(fits, offset);
    this.bytes = grown;
    if (fits.length < bytes.length) {
      throw new DOMException('no room', 'QuotaExceededError');
    }
  }
  async truncate(size: number) {
    this.bytes = this.bytes.slice(0, size);
  }
  async flush() {}
  async close() {
    this.closed++;
  }
}

const open = (file: VectorFile, change?: Partial<VectorFingerprint>) =>
  KeptVectors.open(file, fingerprint(change));

/** A file in which each text has a block of its own. */
async function written(texts: readonly string[] = testTexts): Promise<MemoryFile> {
  const file = new MemoryFile();
  const kept = await open(file);
  for (const text of texts) {
    await kept.keep([text], rowsOf([text]));
  }
  return file;
}

async function foundIn(kept: KeptVectors, texts: readonly string[] = testTexts): Promise<string[]> {
  const { found, rows } = await kept.find(texts);
  expect(rows).toHaveLength(texts.length * dim);
  return texts.filter((text, i) => {
    const row = [...rows.subarray(i * dim, (i + 1) * dim)];
    expect(row).toEqual(found[i] ? [...rowsOf([text])] : [0, 0, 0]);
    return found[i] === 1;
  });
}

test('crc32 equals that of zlib', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array(0))).toBe(0);
});

describe('kept vectors', () => {
  test('are found at once, and after the file is opened again', async () => {
    const file = new MemoryFile();
    const kept = await open(file);
    expect(await foundIn(kept)).toEqual([]);
    await kept.keep(testTexts.slice(0, 2), rowsOf(testTexts.slice(0, 2)));
    await kept.keep(testTexts.slice(3), rowsOf(testTexts.slice(3)));
    const wanted = testTexts.filter((text) => text !== '');
    expect(await foundIn(kept)).toEqual(wanted);
    const again = await open(file);
    expect(again.size).toBe(4);
    expect(await foundIn(again)).toEqual(wanted);
    expect(await foundIn(again, ['a cat', 'a Cat', 'a cat'])).toEqual(['a cat', 'a cat']);
  });

  test('may be many in one call', async () => {
    const texts = Array.from({ length: 9000 }, (_, i) => `text ${i}`);
    const file = new MemoryFile();
    await (await open(file)).keep(texts, rowsOf(texts));
    const kept = await open(file);
    expect(kept.size).toBe(texts.length);
    expect(await foundIn(kept, ['text 8999', 'text 9000', 'text 4096'])).toHaveLength(2);
  });

  test('are added one after another by simultaneous calls', async () => {
    const file = new MemoryFile();
    const kept = await open(file);
    await Promise.all(testTexts.map((text) => kept.keep([text], rowsOf([text]))));
    expect(await foundIn(await open(file))).toEqual(testTexts);
  });

  test('survive truncation anywhere: complete blocks are found, and others are added', async () => {
    const { bytes } = await written();
    const whole: number[] = [];
    for (let size = 0; size <= bytes.length; size++) {
      const file = new MemoryFile(bytes.slice(0, size));
      const kept = await open(file);
      whole.push(kept.size);
      expect(await foundIn(kept)).toEqual(testTexts.slice(0, kept.size));
      const rest = testTexts.slice(kept.size);
      if (rest.length > 0) {
        await kept.keep(rest, rowsOf(rest));
      }
      expect(await foundIn(await open(file))).toEqual(testTexts);
    }
    expect([...new Set(whole)]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('are not found if any of their bytes changes', async () => {
    const { bytes } = await written();
    for (let at = 0; at < bytes.length; at++) {
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] as number) ^ 0x10;
      const kept = await open(new MemoryFile(flipped));
      const found = await foundIn(kept);
      expect(found.length).toBeLessThan(testTexts.length);
      await kept.keep(testTexts, rowsOf(testTexts));
      expect(await foundIn(kept)).toEqual(testTexts);
    }
  });

  test.each([
    ['another model', { probe: Float32Array.of(0.6, 0.8, 0) }],
    ['other weights of the model', { probe: Float32Array.of(0.601, -0.799, 0) }],
    ['a probe that is no number', { probe: Float32Array.of(0.6, Number.NaN, 0) }],
    ['another prompt', { prompt: 'passage: ' }],
    ['an empty prompt', { prompt: '' }],
  ])('are replaced by those of %s', async (_, change) => {
    const file = await written();
    const other = await open(file, change);
    expect(other.size).toBe(0);
    await other.keep(['a cow'], rowsOf(['a cow']));
    expect((await open(file)).size).toBe(0);
  });

  test('are replaced if the dimension differs', async () => {
    const file = await written();
    expect((await open(file, { probe: Float32Array.of(1, 0) })).size).toBe(0);
  });

  test('are used with another build of the core, whose last digits differ', async () => {
    const file = await written();
    const kept = await open(file, { probe: Float32Array.of(0.600001, -0.8, 0.000001) });
    expect(await foundIn(kept)).toEqual(testTexts);
  });

  test('of a model without a fingerprint are not used', async () => {
    const file = new MemoryFile();
    const nothing = { probe: new Float32Array(dim) };
    await (await open(file, nothing)).keep(['a cat'], rowsOf(['a cat']));
    expect((await open(file, nothing)).size).toBe(0);
  });

  test('of a wrong size are rejected, and the file does not change', async () => {
    const file = await written(testTexts.slice(0, 2));
    const kept = await open(file);
    const { length } = file.bytes;
    file.room = length + 20;
    const rest = testTexts.slice(2);
    await expect(kept.keep(rest, rowsOf(rest))).rejects.toMatchObject({
      name: 'QuotaExceededError',
    });
    expect(file.bytes).toHaveLength(length);
    file.room = Number.POSITIVE_INFINITY;
    await kept.keep(rest, rowsOf(rest));
    expect(await foundIn(await open(file))).toEqual(testTexts);
  });

  test('release the file if it cannot be written', async () => {
    const file = new MemoryFile();
    file.room = 10;
    await expect(open(file)).rejects.toMatchObject({ name: 'QuotaExceededError' });
    expect(file.closed).toBe(1);
  });
});

test.each([
  [{ name: 'QuotaExceededError' }, 'LimitExceeded'],
  [{ code: 'ENOSPC' }, 'LimitExceeded'],
  [{ code: 'EDQUOT' }, 'LimitExceeded'],
  [{ code: 'EACCES' }, 'Unsupported'],
])('a file system error (%j) becomes an AmbryError', async (facts, code) => {
  const file = new MemoryFile();
  file.write = () => Promise.reject(Object.assign(new Error('no'), facts));
  await expect(open(withStorageErrors(file))).rejects.toMatchObject({ code });
});

describe('names', () => {
  test.each([
    'notes',
    '../a/b',
    'Ä ö*?:<>|',
    '.',
    'a.vectors',
    '日本',
  ])('%j is read back from the file name', (name) => {
    const file = fileNameOf(name);
    expect(file).toMatch(/^[\w.%~!'()-]+\.vectors$/);
    expect(nameIn(file)).toBe(name);
  });

  test.each([['', 'x'.repeat(201), 'a\ud800', 7]])('%j is rejected', (name) => {
    expect(() => fileNameOf(name)).toThrow(
      expect.objectContaining({ code: 'BadValue', path: 'keep' }),
    );
  });

  test('other files have no name', () => {
    expect(nameIn('notes.bin')).toBeUndefined();
    expect(nameIn('%E0%A4%A.vectors')).toBeUndefined();
  });
});

describe('in Node', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ambry-vectors-'));
  const path = join(folder, 'deep', 'kept');
  const cacheHome = process.env['XDG_CACHE_HOME'];
  process.env['XDG_CACHE_HOME'] = folder;
  afterAll(async () => {
    if (cacheHome === undefined) {
      delete process.env['XDG_CACHE_HOME'];
    } else {
      process.env['XDG_CACHE_HOME'] = cacheHome;
    }
    await rm(folder, { recursive: true });
  });

  test('a path is a file that one user at a time can open', async () => {
    const kept = await open(await openVectorFile({ path }));
    await kept.keep(testTexts, rowsOf(testTexts));
    await expect(openVectorFile({ path })).rejects.toMatchObject({ code: 'Unsupported' });
    await kept.close();
    const again = await open(await openVectorFile({ path }));
    expect(await foundIn(again)).toEqual(testTexts);
    await again.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('the lock of a process that has ended is ignored', async () => {
    await writeFile(`${path}.lock`, '999999999');
    await (await openVectorFile({ path })).close();
    await writeFile(`${path}.lock`, '');
    await (await openVectorFile({ path })).close();
  });

  test('names lie in the user’s cache directory, and are listed and removed', async () => {
    expect(await list()).toEqual([]);
    const kept = await open(await openVectorFile({ name: 'my notes' }));
    await kept.keep(testTexts, rowsOf(testTexts));
    const { length: bytes } = await readFile(join(folder, 'ambry/vectors/my%20notes.vectors'));
    expect(await list()).toEqual([{ name: 'my notes', bytes }]);
    expect(await remove('my notes')).toBe(false);
    await kept.close();
    expect(await remove('my notes')).toBe(true);
    expect(await remove('my notes')).toBe(false);
    expect(await list()).toEqual([]);
  });

  test('a file that cannot be written is an error', async () => {
    const path = join(folder, 'a-file');
    await writeFile(path, '');
    await expect(openVectorFile({ path: join(path, 'below') })).rejects.toMatchObject({
      code: 'Unsupported',
      message: /cannot be used/,
    });
    await expect(openVectorFile({ path: folder })).rejects.toMatchObject({ code: 'Unsupported' });
  });
});
