// Pictures as files: what is decoded, and what is refused.
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { decodePicture } from '../src/index.ts';

/** 3 × 2, every pixel of another colour. */
function picture(): PNG {
  const made = new PNG({ width: 3, height: 2 });
  for (let i = 0; i < 6; i++) {
    made.data.set([40 * i, 255 - 40 * i, 7, 255], 4 * i);
  }
  return made;
}

test('PNG keeps every value', async () => {
  const made = picture();
  const { width, height, data } = await decodePicture(PNG.sync.write(made));
  expect([width, height]).toEqual([3, 2]);
  expect([...data]).toEqual([...made.data]);
});

test('a view of a larger buffer is decoded by itself', async () => {
  const file = PNG.sync.write(picture());
  const around = new Uint8Array(file.length + 20).fill(9);
  around.set(file, 10);
  const { data } = await decodePicture(around.subarray(10, 10 + file.length));
  expect([...data]).toEqual([...picture().data]);
});

test('JPEG is decoded to RGBA', async () => {
  const { encode } = await import('jpeg-js');
  const { width, height, data } = picture();
  const file = encode({ width, height, data: Buffer.from(data) }, 95).data;
  const decoded = await decodePicture(file);
  expect([decoded.width, decoded.height, decoded.data.length]).toEqual([3, 2, 24]);
});

test.each([
  ['GIF', Buffer.from('GIF89a....'), 'Unsupported'],
  ['nothing', new Uint8Array(), 'Unsupported'],
  ['a damaged PNG', PNG.sync.write(picture()).subarray(0, 40), 'BadValue'],
  ['a damaged JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'BadValue'],
])('%s is refused', async (_, file, code) => {
  await expect(decodePicture(file)).rejects.toMatchObject({ code, path: 'picture' });
});

test('a header that claims too many pixels is refused before memory is taken', async () => {
  const file = PNG.sync.write(picture());
  file.writeUInt32BE(2 ** 20, 16);
  file.writeUInt32BE(2 ** 20, 20);
  await expect(decodePicture(file)).rejects.toMatchObject({ code: 'LimitExceeded' });
});
