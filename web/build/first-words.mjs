// Makes a file of the most frequent words of quantized word vectors, in the format finalfusion, with their vectors as they are: the words page
// answers from it while the whole file is on its way.
import { readFileSync } from 'node:fs';
import { inspect, open } from '../../dist/node.js';

const simpleVocabulary = 1;
const quantizedArray = 4;
const norms = 6;
const u8 = 1;
const f32 = 10;

const u32 = (...values) => Buffer.from(new Uint32Array(values).buffer);
const u64 = (value) => Buffer.from(new BigUint64Array([BigInt(value)]).buffer);

/** Values begin at a multiple of four bytes, after one to four zeros. */
const padding = (at) => Buffer.alloc(4 - (at % 4));

/** A chunk that begins at `at`: its number, its length, fields, and then values. */
function chunk(id, at, fields, values) {
  const head = Buffer.concat(fields);
  const content = Buffer.concat(
    values === undefined ? [head] : [head, padding(at + 12 + head.length), ...values],
  );
  return Buffer.concat([u32(id), u64(content.length), content]);
}

/** The first words of the file at `path`. */
export async function firstWords(path, count) {
  const file = readFileSync(path);
  const { config, tensors } = await inspect(path);
  const model = await open(path, { kind: 'words' });
  const words = await model.list({ offset: 0, limit: count });
  await model.dispose();
  /** A tensor's bytes, or those of its first rows. */
  const bytesOf = (name, rows) => {
    const { offset, bytes, shape } = tensors.find((tensor) => tensor.name === name);
    const length = rows === undefined ? bytes : (bytes / shape[0]) * rows;
    return file.subarray(offset, offset + length);
  };
  const ids = [simpleVocabulary, quantizedArray, norms];
  const parts = [Buffer.from('FiFu'), u32(0, ids.length, ...ids)];
  const end = () => parts.reduce((sum, { length }) => sum + length, 0);
  const texts = words.map((word) => Buffer.from(word));
  parts.push(
    chunk(simpleVocabulary, end(), [
      u64(count),
      ...texts.flatMap((text) => [u32(text.length), text]),
    ]),
  );
  const { quantized_len: codes, n_centroids: centroids, dims } = config;
  parts.push(
    chunk(
      quantizedArray,
      end(),
      [u32(1, 1, codes, dims, centroids), u64(count), u32(u8, f32)],
      [
        bytesOf('quantized.projection'),
        bytesOf('quantized.centroids'),
        bytesOf('quantized.norms', count),
        bytesOf('quantized.codes', count),
      ],
    ),
  );
  parts.push(chunk(norms, end(), [u64(count), u32(f32)], [bytesOf('norms', count)]));
  return Buffer.concat(parts);
}
