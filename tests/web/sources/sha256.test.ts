// Our incremental SHA-256 against Node's.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { HashedSource, hashOption } from '../../../web/src/sources/base/hashed.ts';
import { memorySource } from '../../../web/src/sources/base/memory.ts';
import { Sha256 } from '../../../web/src/sources/base/sha256.ts';

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 37 + (i >> 3)) & 0xff);
const hexOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');

test.each([0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1000])('%d bytes', (size) => {
  const data = bytes.subarray(0, size);
  for (const piece of [1, 7, 64, 1000]) {
    const hash = new Sha256();
    for (let at = 0; at < size; at += piece) {
      hash.update(data.subarray(at, at + piece));
    }
    expect(hash.hex()).toBe(hexOf(data));
  }
});

test('a source with a hash returns the bytes, and rejects other bytes at the end', async () => {
  const good = new HashedSource(memorySource(bytes), hexOf(bytes));
  const parts: Uint8Array[] = [];
  for await (const chunk of good.stream(10, 20)) {
    parts.push(chunk);
  }
  expect(Buffer.concat(parts)).toEqual(Buffer.from(bytes.subarray(10, 20)));
  await good.settle();
  const bad = new HashedSource(memorySource(bytes), '0'.repeat(64));
  await expect(bad.settle()).rejects.toMatchObject({ code: 'Mismatch', path: 'sha256' });
});

test('an invalid SHA-256 is rejected', () => {
  expect(hashOption('AB'.repeat(32))).toBe('ab'.repeat(32));
  expect(() => hashOption('abc')).toThrow(/64 hexadecimal/);
});
