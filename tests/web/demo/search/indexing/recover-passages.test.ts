import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { passagesIn } from '../../../../../web/demo/search/indexing/recover-passages.ts';

const kDocs = [{ text: 'One.' }, { id: 7, text: 'Two, ünïcode.' }];

/** An index file as core/search lays it out, without its vectors. */
function indexFile(version: number, headerAt: number, header: Uint8Array): Buffer {
  const head = Buffer.alloc(headerAt);
  head.write('AMBRYIDX');
  head.writeUInt32LE(version, 8);
  head.writeBigUInt64LE(BigInt(header.length), 24);
  return Buffer.concat([head, header, Buffer.alloc(64)]);
}

const json = (docs: unknown) => Buffer.from(JSON.stringify({ version: 1, docs }));
const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);

test('passages of both versions are found without the vectors', async () => {
  expect(await passagesIn(blob(indexFile(1, 48, json(kDocs))))).toEqual(kDocs);
  expect(await passagesIn(blob(indexFile(2, 64, deflateSync(json(kDocs)))))).toEqual(kDocs);
});

test.each([
  ['another version', indexFile(3, 64, json(kDocs))],
  [
    'another file',
    Buffer.from('EMBD and whatever else there is, more than 64 bytes of it in all, here'),
  ],
  ['an empty file', Buffer.alloc(0)],
  ['no passages', indexFile(1, 48, json([]))],
  ['passages without texts', indexFile(1, 48, json([{ text: 'One.' }, { id: 2 }]))],
  ['no JSON', indexFile(1, 48, Buffer.from('{"docs": ['))],
  ['a file that was cut off', indexFile(2, 64, deflateSync(json(kDocs))).subarray(0, 80)],
])('%s gives nothing', async (_, bytes) => {
  expect(await passagesIn(blob(bytes))).toBeNull();
});

test('a flipped bit in deflated passages is noticed', async () => {
  const bytes = indexFile(2, 64, deflateSync(json(kDocs)));
  for (let at = 64; at < bytes.length - 64; at++) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    const found = await passagesIn(blob(damaged));
    expect(found === null || JSON.stringify(found) === JSON.stringify(kDocs)).toBe(true);
  }
});
