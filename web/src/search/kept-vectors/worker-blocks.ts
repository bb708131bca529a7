// How kept vectors lie in their file. It only grows: a head, then blocks. Numbers are little-endian.
//
//   head   "AMBRYVEC", u32 version, u32 dim, u32 size of the prompt, dim × f32 probe, prompt as JSON,
//          u32 CRC-32 of all of that
//   block  u32 CRC-32 of what follows up to the end of the keys, u32 CRC-32 of the vectors, u32 n,
//          n keys of 16 bytes (a text's SHA-256, its first half), n × dim × f32

import { crc32 } from '../base/crc32.ts';
import type { VectorFingerprint } from './protocol.ts';
import type { VectorFile } from './vector-file.ts';

export const keyBytes = 16;
export const mostRows = 1 << 12;

const fileVersion = 1;
const headBytes = 20;
const blockHeadBytes = 12;
/** Keys of a block that are read together with its head. */
const usualRows = 128;
/** Vectors of different builds of the core differ by less than this, and vectors of other models by more. */
const sameNumber = 1e-4;

export interface Block {
  /** The offset of the vectors in the file. */
  readonly rowsAt: number;
  readonly rows: number;
  readonly rowsCrc: number;
}

export interface BlockWithKeys {
  readonly block: Block;
  readonly keys: Uint8Array;
}

export function headOf({ probe, prompt }: VectorFingerprint): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(prompt));
  const textAt = headBytes + probe.byteLength;
  const head = new Uint8Array(textAt + text.length + 4);
  const view = new DataView(head.buffer);
  head.set(new TextEncoder().encode('AMBRYVEC'));
  view.setUint32(8, fileVersion, true);
  view.setUint32(12, probe.length, true);
  view.setUint32(16, text.length, true);
  probe.forEach((number, i) => {
    view.setFloat32(headBytes + i * 4, number, true);
  });
  head.set(text, textAt);
  view.setUint32(head.length - 4, crc32(head.subarray(0, -4)), true);
  return head;
}

/** Whether the head of a file is of the same model and prompt. */
export function isSameHead(found: Uint8Array, wanted: Uint8Array, dim: number): boolean {
  if (found.length !== wanted.length) {
    return false;
  }
  const a = viewOf(found);
  const b = viewOf(wanted);
  if (a.getUint32(found.length - 4, true) !== crc32(found.subarray(0, -4))) {
    return false;
  }
  const probeEnd = headBytes + dim * 4;
  let isZero = true;
  for (let at = 0; at < found.length - 4; at++) {
    const isProbe = at >= headBytes && at < probeEnd;
    if (!isProbe && found[at] !== wanted[at]) {
      return false;
    }
  }
  for (let at = headBytes; at < probeEnd; at += 4) {
    const number = a.getFloat32(at, true);
    if (!(Math.abs(number - b.getFloat32(at, true)) <= sameNumber)) {
      return false;
    }
    isZero &&= number === 0;
  }
  // A vector of zeros (word vectors that know none of the sentence's words) identifies no model.
  return !isZero;
}

export function blockOf(
  keys: readonly Uint8Array[],
  rows: Float32Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const keysEnd = blockHeadBytes + keys.length * keyBytes;
  const block = new Uint8Array(keysEnd + rows.byteLength);
  const view = new DataView(block.buffer);
  keys.forEach((key, i) => {
    block.set(key, blockHeadBytes + i * keyBytes);
  });
  block.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength), keysEnd);
  view.setUint32(4, crc32(block.subarray(keysEnd)), true);
  view.setUint32(8, keys.length, true);
  view.setUint32(0, crc32(block.subarray(4, keysEnd)), true);
  return block;
}

/** Reads the block at this offset. Undefined if it is missing or incomplete. */
export async function readBlock(
  file: VectorFile,
  { at, size, dim }: { readonly at: number; readonly size: number; readonly dim: number },
): Promise<BlockWithKeys | undefined> {
  let head = await file.read(at, blockHeadBytes + usualRows * keyBytes);
  if (head.length < blockHeadBytes) {
    return undefined;
  }
  const rows = viewOf(head).getUint32(8, true);
  const keysEnd = blockHeadBytes + rows * keyBytes;
  if (rows === 0 || rows > mostRows || at + keysEnd + rows * dim * 4 > size) {
    return undefined;
  }
  if (head.length < keysEnd) {
    head = await file.read(at, keysEnd);
  }
  return blockIn(head, at);
}

/** Parses the head and the keys of a block at this offset. */
export function blockIn(head: Uint8Array, at: number): BlockWithKeys | undefined {
  const view = viewOf(head);
  const rows = view.getUint32(8, true);
  const keysEnd = blockHeadBytes + rows * keyBytes;
  if (view.getUint32(0, true) !== crc32(head.subarray(4, keysEnd))) {
    return undefined;
  }
  const block = { rowsAt: at + keysEnd, rows, rowsCrc: view.getUint32(4, true) };
  return { block, keys: head.subarray(blockHeadBytes, keysEnd) };
}

export const blockEnd = ({ rowsAt, rows }: Block, dim: number): number => rowsAt + rows * dim * 4;

/** Undefined if the bytes are damaged. */
export async function readRows(
  file: VectorFile,
  { rowsAt, rows, rowsCrc }: Block,
  dim: number,
): Promise<Float32Array<ArrayBuffer> | undefined> {
  const bytes = await file.read(rowsAt, rows * dim * 4);
  if (bytes.length < rows * dim * 4 || crc32(bytes) !== rowsCrc) {
    return undefined;
  }
  return new Float32Array(bytes.buffer, bytes.byteOffset, rows * dim);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
