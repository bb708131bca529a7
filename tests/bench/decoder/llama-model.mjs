// Llamas of random weights, all of whose matrices have one type: their tensors, and them as a file of ours.

/** Weights that share a scale. */
export const blockSize = 32;

let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state >>> 8;
};

function randomBytes(n) {
  const bytes = new Uint32Array(Math.ceil(n / 4));
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = random() * 257;
  }
  return new Uint8Array(bytes.buffer, 0, n);
}

/** Blocks of random bytes. `halves` are the places of FP16 numbers in a block and the upper bytes of their values. */
export function randomBlocks(n, size, halves) {
  const bytes = randomBytes(n * size);
  for (let block = 0; block < bytes.length; block += size) {
    for (const [at, upper] of halves) {
      bytes.set([0, upper], block + at);
    }
  }
  return bytes;
}

/** Bytes of a matrix of each type, as core/formats/amb/README.md lays them out; weights lie within 1/16. */
export const ambTypes = {
  f32: {
    dtype: 0,
    fill: (rows, columns) => {
      const numbers = new Float32Array(rows * columns);
      for (let i = 0; i < numbers.length; i++) {
        numbers[i] = (random() / 2 ** 24 - 0.5) / 8;
      }
      return new Uint8Array(numbers.buffer);
    },
  },
  f16: {
    dtype: 1,
    // Signs and fractions at random, exponents of numbers below 2^-4.
    fill: (rows, columns) => {
      const halves = new Uint16Array(rows * columns);
      for (let i = 0; i < halves.length; i++) {
        halves[i] = (random() & 0x83ff) | 0x2800;
      }
      return new Uint8Array(halves.buffer);
    },
  },
  // A scale a row.
  int8: {
    dtype: 3,
    fill: (rows, columns) => {
      const scales = new Uint16Array(rows).fill(0x1000);
      const prefix = [3, columns & 255, columns >> 8, 1];
      return Buffer.concat([
        Uint8Array.from(prefix),
        new Uint8Array(scales.buffer),
        randomBytes(rows * columns),
      ]);
    },
  },
  int4_block: { dtype: 6, fill: (rows, columns) => blocks(6, rows * columns, 16) },
  int5_block: { dtype: 7, fill: (rows, columns) => blocks(7, rows * columns, 20) },
};

const blocks = (type, numbers, codes) =>
  Buffer.concat([
    Uint8Array.of(type, blockSize, 0, 1),
    randomBlocks(numbers / blockSize, 2 + codes, [[0, 0x20]]),
  ]);

/** Names and shapes, [outputs, inputs], in the order of files; the embedding is the output, too. With `experts` those of
 *  a layer are in one tensor, [experts, outputs, inputs]. */
export function llamaTensors({ width, inner, layers, vocabulary, experts }) {
  const each = experts ? [experts] : [];
  const mlp = experts ? 'mlp.experts' : 'mlp';
  const layer = (i) => {
    const name = (part) => `model.layers.${i}.${part}.weight`;
    return [
      [name('input_layernorm'), [width]],
      ...['q', 'k', 'v', 'o'].map((p) => [name(`self_attn.${p}_proj`), [width, width]]),
      [name('post_attention_layernorm'), [width]],
      ...(experts ? [[name('mlp.gate'), [experts, width]]] : []),
      ...['gate', 'up'].map((p) => [name(`${mlp}.${p}_proj`), [...each, inner, width]]),
      [name(`${mlp}.down_proj`), [...each, width, inner]],
    ];
  };
  return [
    ['model.embed_tokens.weight', [vocabulary, width]],
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    ['model.norm.weight', [width]],
  ];
}

export const ones = (n) => new Uint8Array(new Float32Array(n).fill(1).buffer);

function record([name, shape], { dtype, fill }) {
  const isMatrix = shape.length > 1;
  const data = isMatrix ? fill(...shape) : ones(shape[0]);
  const head = Buffer.alloc(2 + name.length + 1 + 4 * shape.length + 1 + 8);
  head.writeUInt16LE(name.length, 0);
  head.write(name, 2);
  let at = head.writeUInt8(shape.length, 2 + name.length);
  for (const extent of shape) {
    at = head.writeUInt32LE(extent, at);
  }
  head.writeUInt8(isMatrix ? dtype : 0, at);
  head.writeBigUInt64LE(BigInt(data.length), at + 1);
  return [head, data, Buffer.alloc((8 - ((head.length + data.length) % 8)) % 8)];
}

/** `tokenizer` is that section of the file. */
export function ambFile(shape, type, tokenizer = Buffer.alloc(0)) {
  const config = JSON.stringify({
    architecture: 'llama',
    n_vocab: shape.vocabulary,
    n_embd: shape.width,
    n_layers: shape.layers,
    n_heads: shape.width / 64,
    n_ff: shape.inner,
    max_seq_len: shape.context ?? 1024,
  });
  const weights = Buffer.concat(llamaTensors(shape).flatMap((tensor) => record(tensor, type)));
  const head = Buffer.alloc(28);
  const sections = ['{"name":"bench"}', config];
  const used = 28 + sections[0].length + config.length + tokenizer.length;
  sections[1] = config + ' '.repeat(Math.ceil(used / 64) * 64 - used);
  head.write('AMBEE', 0, 'latin1');
  head.writeUInt8(1, 5);
  head.writeUInt32LE(sections[0].length, 8);
  head.writeUInt32LE(sections[1].length, 12);
  head.writeUInt32LE(tokenizer.length, 16);
  head.writeBigUInt64LE(BigInt(weights.length), 20);
  return Buffer.concat([head, Buffer.from(sections.join('')), tokenizer, weights]);
}

export function tokenizerOf(amb) {
  const begin = 28 + amb.readUInt32LE(8) + amb.readUInt32LE(12);
  return amb.subarray(begin, begin + amb.readUInt32LE(16));
}
