import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { recoverPassages } from '../../../../../web/demo/search/indexing/recover-passages.ts';

const docs = [{ text: 'One.' }, { id: 7, text: 'Two, ünïcode.' }];

/** An index file in the format of core/search, without its vectors. */
function indexFile(version: number, headerAt: number, header: Uint8Array): Buffer {
  const head = Buffer.alloc(headerAt);
  head.write('AMBRYIDX');
  head.writeUInt32LE(version, 8);
  head.writeBigUInt64LE(BigInt(header.length), 24);
  return Buffer.concat([head, header, Buffer.alloc(64)]);
}

const json = (docs: unknown) => Buffer.from(JSON.stringify({ version: 1, docs }));
const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);

test('passages of both versions are read without the vectors', async () => {
  expect(await recoverPassages(blob(indexFile(1, 48, json(docs))))).toEqual(docs);
  expect(await recoverPassages(blob(indexFile(2, 64, deflateSync(json(docs)))))).toEqual(docs);
});

test.each([
  ['another version', indexFile(3, 64, json(docs))],
  [
    'another file',
    Buffer.from('EMBD and whatever else there is, more than 64 bytes of it in all, here'),
  ],
  ['an empty file', Buffer.alloc(0)],
  ['no passages', indexFile(1, 48, json([]))],
  ['passages without texts', indexFile(1, 48, json([{ text: 'One.' }, { id: 2 }]))],
  ['invalid JSON', indexFile(1, 48, Buffer.from('{"docs": ['))],
  ['a truncated file', indexFile(2, 64, deflateSync(json(docs))).subarray(0, 80)],
])('%s gives no passages', async (_, bytes) => {
  expect(await recoverPassages(blob(bytes))).toBeNull();
});

test('a flipped bit in compressed passages is detected', async () => {
  const bytes = indexFile(2, 64, deflateSync(json(docs)));
  for (let at = 64; at < bytes.length - 64; at++) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    const found = await recoverPassages(blob(damaged));
    expect(found === null || JSON.stringify(found) === JSON.stringify(docs)).toBe(true);
  }
});
