// Damaged files of classifiers: every fault is an error with its place.
import { afterAll, describe, expect, test } from 'vitest';
import { ambry, smallModel } from '../support/package.ts';

const encoder = await ambry.open(await smallModel(), { kind: 'encoder' });
afterAll(() => encoder.dispose());
const classifier = await ambry.createClassifier(encoder, [
  { text: 'the cat', label: 'animal' },
  { text: 'the mat', label: 'thing' },
]);
const bytes = new Uint8Array(await (await classifier.save()).arrayBuffer());
const headerLength = Number(new DataView(bytes.buffer).getBigUint64(0, true));
const dataBegin = 8 + headerLength;

interface Header {
  __metadata__: Record<string, string>;
  [name: string]: unknown;
}

/** The file with another header. */
function withHeader(change: (header: Header) => void): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(bytes.subarray(8, dataBegin));
  const header = JSON.parse(text) as Header;
  change(header);
  const json = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(json.length), true);
  return new Uint8Array([...length, ...json, ...bytes.subarray(dataBegin)]);
}

const withMetadata = (name: string, value: string | undefined) =>
  withHeader(({ __metadata__: metadata }) => {
    delete metadata[name];
    if (value !== undefined) {
      metadata[name] = value;
    }
  });

const open = (file: Uint8Array<ArrayBuffer>) => ambry.open(file, { encoder });

/** A change of one fact in a value that is JSON. */
const withFact = (name: string, fact: string, value: unknown) =>
  withHeader(({ __metadata__: metadata }) => {
    metadata[name] = JSON.stringify({ ...JSON.parse(metadata[name] ?? ''), [fact]: value });
  });

const score = { correct: 1, count: 2, accuracy: 0.5 };
const perLabel = [
  { label: 'animal', correct: 1, count: 1 },
  { label: 'thing', correct: 0, count: 1 },
];

describe('metadata', () => {
  test.each([
    ['format', undefined, 'BadMagic', 'format'],
    ['format', 'pt', 'BadMagic', 'format'],
    ['version', '2', 'UnsupportedVersion', 'version'],
    ['version', undefined, 'UnsupportedVersion', 'version'],
    ['labels', undefined, 'BadValue', 'labels'],
    ['labels', '[', 'BadValue', 'labels'],
    ['labels', '["one"]', 'BadValue', 'labels'],
    ['labels', '["one", 2]', 'BadValue', 'labels[1]'],
    ['labels', '["one", ""]', 'BadValue', 'labels[1]'],
    ['labels', '["one", "one"]', 'BadValue', 'labels'],
    ['encoder', 'null', 'BadValue', 'encoder'],
    ['encoder', '{"dim": 2, "probe": []}', 'BadValue', 'encoder'],
    ['training', undefined, 'BadValue', 'training'],
    ['training', '{}', 'BadValue', 'training'],
  ])('%s: %s', async (name, value, code, at) => {
    const refused = open(withMetadata(name, value));
    await expect(refused).rejects.toMatchObject({ code, path: `metadata.${at}`, byteOffset: 8 });
  });

  test.each([
    ['encoder', 'dim', 1e9, 'encoder'],
    ['encoder', 'dim', -1, 'encoder'],
    ['encoder', 'reference', 3, 'encoder'],
    ['encoder', 'probe', [null], 'encoder'],
    ['training', 'examples', -1, 'training'],
    ['training', 'l2', 'much', 'training'],
    ['training', 'heldOut', 1, 'training.heldOut'],
    ['training', 'heldOut', { ...score, perLabel: [] }, 'training.heldOut'],
    ['training', 'heldOut', { ...score, perLabel: perLabel.toReversed() }, 'training.heldOut'],
    ['training', 'heldOut', { ...score, correct: 3, perLabel }, 'training.heldOut'],
    ['training', 'heldOut', { ...score, accuracy: 2, perLabel }, 'training.heldOut'],
  ])('%s.%s: %j', async (name, fact, value, at) => {
    const place = { code: 'BadValue', path: `metadata.${at}`, byteOffset: 8 };
    await expect(open(withFact(name, fact, value))).rejects.toMatchObject(place);
  });

  test('a score that is right is taken', async () => {
    const opened = await open(withFact('training', 'heldOut', { ...score, perLabel }));
    expect(opened.training.heldOut).toEqual({ ...score, perLabel });
  });
});

describe('tensors', () => {
  test('a file that ends before its numbers do', async () => {
    for (let end = 0; end < bytes.length; end += 89) {
      const cut = bytes.slice(0, end);
      await expect(open(cut), `${end}`).rejects.toMatchObject({ name: 'AmbryError' });
    }
  });

  test('a number that is not finite', async () => {
    const wrong = bytes.slice();
    new DataView(wrong.buffer).setFloat32(dataBegin + 8, Number.NaN, true);
    await expect(open(wrong)).rejects.toMatchObject({
      code: 'BadValue',
      path: 'tensors[0]',
      byteOffset: dataBegin + 8,
    });
  });

  test('a shape that does not fit the labels', async () => {
    const refused = open(withMetadata('labels', '["a", "b", "c"]'));
    await expect(refused).rejects.toMatchObject({ code: 'Mismatch', path: 'tensors[0]' });
  });

  test('another type, and a tensor that is missing', async () => {
    const other = withHeader((header) => {
      header['weight'] = { ...(header['weight'] as object), dtype: 'I32' };
    });
    await expect(open(other)).rejects.toMatchObject({ code: 'Mismatch', path: 'tensors[0]' });
    const renamed = withHeader((header) => {
      header['biases'] = header['bias'];
      delete header['bias'];
    });
    await expect(open(renamed)).rejects.toMatchObject({ code: 'NotFound', path: 'tensors' });
  });

  test('a tensor that is too large is not read', async () => {
    const size = 4 * 2 ** 20 + 4;
    const header = JSON.stringify({
      __metadata__: { format: 'ambry-classifier' },
      weight: { dtype: 'F32', shape: [size / 4], data_offsets: [0, size] },
    });
    const large = new Uint8Array(8 + header.length + size);
    new DataView(large.buffer).setBigUint64(0, BigInt(header.length), true);
    large.set(new TextEncoder().encode(header), 8);
    const place = { path: 'tensors[0]', byteOffset: 8 + header.length };
    await expect(open(large)).rejects.toMatchObject({ code: 'LimitExceeded', ...place });
  });
});

test('any byte may be another one', async () => {
  for (let at = 0; at < bytes.length; at += 41) {
    const wrong = bytes.slice();
    wrong[at] = (wrong[at] as number) ^ 0x15;
    const opened = await open(wrong).catch((error: unknown) => error);
    const isTyped = opened instanceof ambry.AmbryError;
    expect(isTyped || (opened as { kind?: string }).kind === 'textClassifier', `${at}`).toBe(true);
  }
});
