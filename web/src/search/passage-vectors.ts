// The vectors of an index as floats. They come as an index file without a header, whose layout core/search/README.md
// describes. Browsers fetch this file when they need it.

import { AmbryError } from '../base/errors.ts';
import { isSparse } from './base/probe.ts';
import type { IndexState } from './index-state.ts';

const headBytes = 64;
const scaleBytes = 4;

interface Layout {
  readonly dim: number;
  readonly rows: number;
  readonly data: number;
  readonly int8: boolean;
  /** The number of passages, in an index with a vector for each token; 0 otherwise. */
  readonly documents: number;
  /** How many bytes the file has. A file of sparse vectors is before that of the others. */
  readonly size: number;
}

async function headOf(file: Blob): Promise<Layout> {
  const head = new DataView(await file.slice(0, headBytes).arrayBuffer());
  return {
    dim: head.getUint32(12, true),
    rows: Number(head.getBigUint64(16, true)),
    data: Number(head.getBigUint64(32, true)),
    int8: head.getUint32(48, true) === 1,
    documents: Number(head.getBigUint64(56, true)),
    size: Number(head.getBigUint64(40, true)),
  };
}

/** Widens the rows of a file. */
function readRows(bytes: ArrayBuffer, { dim, rows, int8 }: Layout): Float32Array<ArrayBuffer> {
  if (!int8) {
    return new Float32Array(bytes);
  }
  const view = new DataView(bytes);
  const vectors = new Float32Array(rows * dim);
  for (let row = 0; row < rows; row += 1) {
    const at = row * (scaleBytes + dim);
    const scale = view.getFloat32(at, true);
    const codes = new Int8Array(bytes, at + scaleBytes, dim);
    for (let i = 0; i < dim; i += 1) {
      vectors[row * dim + i] = (codes[i] as number) * scale;
    }
  }
  return vectors;
}

/** The mean of the rows of each document. */
function meansOf(rows: Float32Array, dim: number, lengths: Uint32Array): Float32Array<ArrayBuffer> {
  const means = new Float32Array(lengths.length * dim);
  let from = 0;
  lengths.forEach((length, document) => {
    for (const end = from + length * dim; from < end; from += dim) {
      for (let i = 0; i < dim; i += 1) {
        const at = document * dim + i;
        means[at] = (means[at] as number) + (rows[from + i] as number) / length;
      }
    }
  });
  return means;
}

export async function passageVectors({
  channel,
  inTurn,
  model,
  sparse,
}: IndexState): Promise<Float32Array<ArrayBuffer>> {
  if (isSparse(model)) {
    const message = 'An index of sparse vectors has no others.';
    throw new AmbryError('Unsupported', message, { path: 'model' });
  }
  const saved = await inTurn(() => channel.call('writeIndex', { header: new Uint8Array() }));
  const file = sparse ? saved.slice((await headOf(saved)).size) : saved;
  const layout = await headOf(file);
  const { dim, rows, data, int8, documents } = layout;
  const end = data + rows * (int8 ? scaleBytes + dim : scaleBytes * dim);
  const vectors = readRows(await file.slice(data, end).arrayBuffer(), layout);
  if (documents === 0) {
    return vectors;
  }
  const lengths = await file.slice(end, end + scaleBytes * documents).arrayBuffer();
  return meansOf(vectors, dim, new Uint32Array(lengths));
}
