// Splits a GGUF file as llama.cpp's tool does: the first part has all metadata, every part its number, the number of
// parts and that of all tensors.
import { dtypes } from '../../../../web/src/entries/tables.ts';
import type { TensorInfo } from '../../../../web/src/entries/types.ts';
import { ambry } from '../package.ts';

export interface Split {
  readonly number: number;
  readonly count: number;
  readonly tensors: number;
}

const alignment = 32;
const u16 = 2;
const i32 = 5;

/** The parts by their names. `change` may spoil what a part says of itself. */
export async function splitGguf(
  file: Uint8Array<ArrayBuffer>,
  count: number,
  change: (split: Split) => Split = (split) => split,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const { tensors, regions } = await ambry.inspect(file);
  const metadata = regions.find(({ name }) => name === 'metadata');
  if (!metadata) {
    throw new Error('no metadata');
  }
  const stored = file.subarray(metadata.offset, metadata.offset + metadata.bytes);
  const entries = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(16, true));
  const parts = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let i = 0; i < count; i++) {
    const own = tensors.slice((i * tensors.length) / count, ((i + 1) * tensors.length) / count);
    const split = change({ number: i, count, tensors: tensors.length });
    const head = i === 0 ? { bytes: stored, entries } : { bytes: new Uint8Array(0), entries: 0 };
    parts.set(partName(i, count), partOf(file, own, head, split));
  }
  return parts;
}

export function partName(i: number, count: number): string {
  const digits = (n: number) => String(n).padStart(5, '0');
  return `tiny-${digits(i + 1)}-of-${digits(count)}.gguf`;
}

function partOf(
  file: Uint8Array,
  tensors: readonly TensorInfo[],
  head: { readonly bytes: Uint8Array; readonly entries: number },
  split: Split,
): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [
    Buffer.from('GGUF'),
    number(3, 4),
    number(tensors.length, 8),
    number(head.entries + 3, 8),
    head.bytes,
    entry('split.no', u16, number(split.number, 2)),
    entry('split.count', u16, number(split.count, 2)),
    entry('split.tensors.count', i32, number(split.tensors, 4)),
  ];
  let offset = 0;
  for (const tensor of tensors) {
    pieces.push(infoOf(tensor, offset));
    offset = aligned(offset + tensor.bytes);
  }
  const at = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  pieces.push(new Uint8Array(aligned(at) - at));
  for (const { offset: from, bytes } of tensors) {
    pieces.push(file.subarray(from, from + bytes), new Uint8Array(aligned(bytes) - bytes));
  }
  return new Uint8Array(Buffer.concat(pieces));
}

function infoOf({ name, dtype, shape }: TensorInfo, offset: number): Buffer {
  const row = dtypes.find((known) => known.name === dtype);
  const type = row && 'gguf' in row.formats ? Number(row.formats.gguf) : -1;
  const extents = [...shape].reverse().map((extent) => number(extent, 8));
  return Buffer.concat([
    text(name),
    number(shape.length, 4),
    ...extents,
    number(type, 4),
    number(offset, 8),
  ]);
}

const aligned = (size: number) => Math.ceil(size / alignment) * alignment;

const entry = (key: string, type: number, value: Uint8Array) =>
  Buffer.concat([text(key), number(type, 4), value]);

const text = (value: string) => Buffer.concat([number(value.length, 8), Buffer.from(value)]);

function number(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  for (let i = 0, left = value; i < bytes; i++, left = Math.floor(left / 256)) {
    buffer[i] = left % 256;
  }
  return buffer;
}
