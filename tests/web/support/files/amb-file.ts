// A small decoder model as AMB (core/formats/amb/README.md): a llama of one layer with made-up weights.

const width = 64;

const testTensors: readonly (readonly [string, readonly number[]])[] = [
  ['model.embed_tokens.weight', [8, width]],
  ['model.layers.0.input_layernorm.weight', [width]],
  ...['q', 'k', 'v', 'o'].map(
    (name) => [`model.layers.0.self_attn.${name}_proj.weight`, [width, width]] as const,
  ),
  ['model.layers.0.post_attention_layernorm.weight', [width]],
  ...['gate', 'up', 'down'].map(
    (name) => [`model.layers.0.mlp.${name}_proj.weight`, [width, width]] as const,
  ),
  ['model.norm.weight', [width]],
];

type Change = (name: string, numbers: Float32Array) => void;

/** How matrices are stored: the number of the type, and the bytes. */
export type Store = (numbers: Float32Array) => readonly [type: number, bytes: ArrayBufferView];

export const storedAs: Readonly<Record<'f32' | 'f16' | 'bf16', Store>> = {
  f32: (numbers) => [0, numbers],
  f16: (numbers) => [1, Float16Array.from(numbers)],
  bf16: (numbers) => [2, Uint16Array.from(new Uint32Array(numbers.buffer), (bits) => bits >>> 16)],
};

/** `change` sees the numbers of each tensor before they are written. */
export function ambFile(change: Change = () => {}): Uint8Array<ArrayBuffer> {
  const config =
    '{"architecture":"llama","n_vocab":8,"n_embd":64,"n_layers":1,"n_heads":2,"max_seq_len":16}';
  return ambOf(config, new Uint8Array(0), testTensors, change);
}

/** A file of these sections, with made-up numbers from -0.5 to 0.5. */
export function ambOf(
  config: string,
  tokenizer: Uint8Array,
  tensors: readonly (readonly [string, readonly number[]])[],
  change: Change = () => {},
  store = storedAs.f32,
): Uint8Array<ArrayBuffer> {
  const metadata = '{"name":"small"}';
  const text = Buffer.from(config);
  const before = 28 + metadata.length + text.length + tokenizer.length;
  const padding = Buffer.alloc(Math.ceil(before / 64) * 64 - before, ' ');
  let state = 1;
  const records: Buffer[] = [];
  for (const [name, shape] of tensors) {
    const numbers = new Float32Array(shape.reduce((product, n) => product * n, 1));
    for (let i = 0; i < numbers.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      numbers[i] = state / 2 ** 32 - 0.5;
    }
    change(name, numbers);
    const record = Buffer.alloc(2 + name.length + 1 + 4 * shape.length + 1 + 8);
    record.writeUInt16LE(name.length, 0);
    record.write(name, 2);
    let at = record.writeUInt8(shape.length, 2 + name.length);
    for (const extent of shape) {
      at = record.writeUInt32LE(extent, at);
    }
    const [type, stored] = (shape.length === 2 ? store : storedAs.f32)(numbers);
    record.writeUInt8(type, at);
    record.writeBigUInt64LE(BigInt(stored.byteLength), at + 1);
    const size = record.length + stored.byteLength;
    records.push(record, Buffer.from(stored.buffer), Buffer.alloc((8 - (size % 8)) % 8));
  }
  const weights = Buffer.concat(records);
  const head = Buffer.alloc(28);
  head.write('AMBEE', 0, 'latin1');
  head.writeUInt8(1, 5);
  head.writeUInt32LE(metadata.length, 8);
  head.writeUInt32LE(text.length + padding.length, 12);
  head.writeUInt32LE(tokenizer.length, 16);
  head.writeBigUInt64LE(BigInt(weights.length), 20);
  const sections = [head, Buffer.from(metadata), text, padding, tokenizer, weights];
  return Uint8Array.from(Buffer.concat(sections));
}
