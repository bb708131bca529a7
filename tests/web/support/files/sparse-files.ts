// Model files of a gigabyte that exist only as a server's answers: headers and tables are real, the
// weights between them are zeros that nobody should ask for. Byte layouts: core/formats/*/README.md.
import { crc32 } from 'node:zlib';
import type { Content } from '../servers/byte-server.ts';

export class SparseFile implements Content {
  size = 0;
  readonly #patches: { offset: number; bytes: Uint8Array }[] = [];

  slice(begin: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - begin);
    for (const { offset, bytes: patch } of this.#patches) {
      const from = Math.max(begin, offset);
      const to = Math.min(end, offset + patch.length);
      if (from < to) {
        bytes.set(patch.subarray(from - offset, to - offset), from - begin);
      }
    }
    return bytes;
  }

  add(bytes: Uint8Array): void {
    this.#patches.push({ offset: this.size, bytes });
    this.size += bytes.length;
  }

  skip(bytes: number): void {
    this.size += bytes;
  }

  alignTo(multiple: number): void {
    this.size = Math.ceil(this.size / multiple) * multiple;
  }
}

/** Fields one after another, little-endian. */
export class Fields {
  readonly #parts: Uint8Array[] = [];

  #number(size: number, set: (view: DataView) => void): this {
    const bytes = new Uint8Array(size);
    set(new DataView(bytes.buffer));
    return this.raw(bytes);
  }
  u8 = (value: number): this => this.#number(1, (view) => view.setUint8(0, value));
  u16 = (value: number): this => this.#number(2, (view) => view.setUint16(0, value, true));
  u32 = (value: number): this => this.#number(4, (view) => view.setUint32(0, value, true));
  i32 = (value: number): this => this.#number(4, (view) => view.setInt32(0, value, true));
  f32 = (value: number): this => this.#number(4, (view) => view.setFloat32(0, value, true));
  u64 = (value: number): this =>
    this.#number(8, (view) => view.setBigUint64(0, BigInt(value), true));

  raw(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }
  text(text: string): this {
    return this.raw(new TextEncoder().encode(text));
  }
  /** `text` after its length. */
  string(length: 'u16' | 'i32' | 'u64', text: string): this {
    return this[length](new TextEncoder().encode(text).length).text(text);
  }
  get size(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, 0);
  }
  done(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts));
  }
}

export const tensors = 300;
const rows = 890;
const columns = 1000;
const tensorBytes = rows * columns * 4;
const nameOf = (i: number) => `model.layers.${i}.mlp.up_proj.weight`;
const indices = Array.from({ length: tensors }, (_, i) => i);
const testTokens = Array.from({ length: 30_000 }, (_, i) => `token${i}`);

export function sparseSafetensors(): Content {
  const header: Record<string, unknown> = {};
  for (const i of indices) {
    const data_offsets = [i * tensorBytes, (i + 1) * tensorBytes];
    header[nameOf(i)] = { dtype: 'F32', shape: [rows, columns], data_offsets };
  }
  const text = JSON.stringify(header);
  const file = new SparseFile();
  const padded = text.padEnd(Math.ceil(text.length / 8) * 8);
  file.add(new Fields().u64(padded.length).text(padded).done());
  file.skip(tensors * tensorBytes);
  return file;
}

export function sparseEmbd(): Content {
  const metadata = new Fields();
  const pairs = [['model_name', 'sparse']] as const;
  for (const [key, value] of pairs) {
    metadata.u16(key.length).u16(value.length).text(key).text(value);
  }
  const entries = new Fields();
  for (const token of testTokens) {
    entries.string('u16', token);
  }
  const vocabularyAt = 64 + 8 + metadata.size;
  const vocabularySize = 12 + entries.size;
  const indexAt = Math.ceil((vocabularyAt + vocabularySize) / 8) * 8;
  const index = new Fields();
  for (const i of indices) {
    index
      .u32(fnv(nameOf(i)))
      .u8(0)
      .u8(2)
      .u16(nameOf(i).length);
    index
      .u32(rows)
      .u32(columns)
      .u32(0)
      .u32(0)
      .u64(i * aligned);
  }
  for (const i of indices) {
    index.text(nameOf(i));
  }
  const dataAt = Math.ceil((indexAt + index.size) / 64) * 64;
  const dataSize = tensors * aligned;
  const header = new Fields().text('EMBD').u16(1).u16(0).u32(0b111);
  header
    .u32(64)
    .u32(8 + metadata.size)
    .u32(vocabularyAt)
    .u32(vocabularySize);
  header
    .u32(indexAt)
    .u32(tensors)
    .u32(dataAt)
    .u64(dataSize)
    .u64(dataAt + dataSize + 16);
  const sum = crc32(header.done());
  const file = new SparseFile();
  file.add(header.u32(sum).u32(0).done());
  file.add(new Fields().u32(pairs.length).u32(metadata.size).raw(metadata.done()).done());
  file.add(new Fields().u32(testTokens.length).u32(entries.size).u32(0).raw(entries.done()).done());
  file.alignTo(8);
  file.add(index.done());
  file.alignTo(64);
  file.skip(dataSize);
  file.add(new Fields().u32(0).u32(0).text('DBME').u32(0).done());
  return file;
}

const aligned = Math.ceil(tensorBytes / 64) * 64;

function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}

export function sparseGguf(tokens: readonly string[] = []): Content {
  const head = new Fields().text('GGUF').u32(3).u64(tensors);
  head.u64(tokens.length > 0 ? 3 : 1);
  head.string('u64', 'general.architecture').u32(8).string('u64', 'sparse');
  if (tokens.length > 0) {
    head.string('u64', 'tokenizer.ggml.model').u32(8).string('u64', 'gpt2');
    head.string('u64', 'tokenizer.ggml.tokens').u32(9).u32(8).u64(tokens.length);
    for (const token of tokens) {
      head.string('u64', token);
    }
  }
  for (const i of indices) {
    head
      .string('u64', nameOf(i))
      .u32(2)
      .u64(columns)
      .u64(rows)
      .u32(0)
      .u64(i * aligned);
  }
  const file = new SparseFile();
  file.add(head.done());
  file.alignTo(32);
  file.skip(tensors * aligned);
  return file;
}

export const ggufTokens = testTokens;

/** Every tensor's header stands before its data, so reading the table jumps over the whole file. */
export function sparseAmb(): Content {
  const weights = new SparseFile();
  const metadata = JSON.stringify({ name: 'sparse' });
  const config = {
    architecture: 'llama',
    n_vocab: rows,
    n_embd: columns,
    n_layers: 1,
    n_heads: 8,
  };
  const before = 28 + metadata.length;
  const text = JSON.stringify(config);
  const padded = text.padEnd(Math.ceil((before + text.length) / 64) * 64 - before);
  const at = before + padded.length;
  weights.skip(at);
  for (const i of indices) {
    const record = new Fields().string('u16', nameOf(i)).u8(2).u32(rows).u32(columns);
    weights.add(record.u8(0).u64(tensorBytes).done());
    weights.skip(tensorBytes);
    weights.alignTo(8);
  }
  const head = new Fields().text('AMBEE').u8(1).u16(0);
  head
    .u32(metadata.length)
    .u32(padded.length)
    .u32(0)
    .u64(weights.size - at);
  const start = head.text(metadata).text(padded).done();
  return { size: weights.size, slice: (begin, end) => withStart(start, weights, begin, end) };
}

function withStart(start: Uint8Array, rest: Content, begin: number, end: number): Uint8Array {
  const bytes = rest.slice(begin, end);
  if (begin < start.length) {
    bytes.set(start.subarray(begin, Math.min(end, start.length)));
  }
  return bytes;
}

/** A large decoder model as ALT. */
export function sparseAlt(): Content {
  const file = new SparseFile();
  file.add(new Fields().u32(0x616c7463).done());
  file.alignTo(32);
  const parameters = new Fields().string('i32', 'mistral');
  for (const number of [columns, tensors, rows, 8, 8, 0]) {
    parameters.i32(number);
  }
  parameters.f32(10_000).f32(1e-5).i32(125).i32(0).i32(1024);
  file.add(new Fields().u64(0xdeadbeef).u64(parameters.size).raw(parameters.done()).done());
  file.alignTo(32);
  const tokens = new Fields().i32(1000);
  for (const id of [1, 2, -1, 0]) {
    tokens.i32(id);
  }
  for (const token of testTokens.slice(0, 1000)) {
    tokens.string('i32', token);
  }
  file.add(new Fields().u64(0xbaddcafe).u64(tokens.size).raw(tokens.done()).done());
  file.alignTo(32);
  const headers = indices.map((i) =>
    new Fields().i32(2).i32(nameOf(i).length).i32(0).i32(rows).i32(columns).text(nameOf(i)).done(),
  );
  const bytes = headers.reduce((sum, header) => sum + header.length + tensorBytes, 16);
  file.add(
    new Fields()
      .u64(0xfacefeed)
      .u64(bytes)
      .u64(tensors)
      .u64(2 * tensors)
      .done(),
  );
  for (const header of headers) {
    file.add(header);
    file.skip(tensorBytes);
  }
  file.alignTo(32);
  file.add(new Fields().u32(0x0fffffff).done());
  return file;
}
