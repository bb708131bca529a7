// The llamas of llama-model.mjs as GGUF files, as core/formats/gguf/README.md lays them out, with a vocabulary of
// made-up words.
import { llamaTensors, ones, randomBlocks } from './llama-model.mjs';

const alignment = 32;
const f32Type = 0;
/** Each type: its number, the weights and bytes of a block, and the places and upper bytes of its FP16 numbers. With
 *  these, weights lie within 1/8 and around zero. */
export const ggufTypes = {
  q4_0: { type: 2, weights: 32, bytes: 18, halves: [[0, 0x20]] },
  q8_0: { type: 8, weights: 32, bytes: 34, halves: [[0, 0x10]] },
  q2_k: {
    type: 10,
    weights: 256,
    bytes: 84,
    halves: [
      [80, 0x14],
      [82, 0x16],
    ],
  },
  q3_k: { type: 11, weights: 256, bytes: 110, halves: [[108, 0x10]] },
  q4_k: {
    type: 12,
    weights: 256,
    bytes: 144,
    halves: [
      [0, 0x04],
      [2, 0x10],
    ],
  },
  q5_k: {
    type: 13,
    weights: 256,
    bytes: 176,
    halves: [
      [0, 0x02],
      [2, 0x10],
    ],
  },
  q6_k: { type: 14, weights: 256, bytes: 210, halves: [[208, 0x02]] },
  iq1_s: { type: 19, weights: 256, bytes: 50, halves: [[0, 0x1e]] },
  iq2_xs: { type: 17, weights: 256, bytes: 74, halves: [[0, 0x12]] },
  iq3_xxs: { type: 18, weights: 256, bytes: 98, halves: [[0, 0x0c]] },
  iq4_xs: { type: 23, weights: 256, bytes: 136, halves: [[0, 0x02]] },
};

const ggufNames = {
  input_layernorm: 'attn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  post_attention_layernorm: 'ffn_norm',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};
function nameOf(name) {
  const [, layer, part] = /^model\.layers\.(\d+)\.(.+)\.weight$/.exec(name) ?? [];
  if (part) {
    return `blk.${layer}.${ggufNames[part]}.weight`;
  }
  return name.includes('embed') ? 'token_embd.weight' : 'output_norm.weight';
}

const u32 = (number) => Buffer.from(Uint32Array.of(number).buffer);
const u64 = (number) => Buffer.from(BigUint64Array.of(BigInt(number)).buffer);
const f32 = (number) => Buffer.from(Float32Array.of(number).buffer);
const text = (value) => [u64(Buffer.byteLength(value)), Buffer.from(value)];
const list = (type, items, bytesOf) => [u32(type), u64(items.length), ...items.flatMap(bytesOf)];
/** Number of the type of a value, and its bytes. */
const u32Value = [4, u32];
const f32Value = [6, f32];
const textValue = [8, text];
const f32Array = [9, (items) => list(6, items, f32)];
const textArray = [9, (items) => list(8, items, text)];
const i32Array = [9, (items) => list(5, items, u32)];

const pair = (key, [type, bytesOf], value) => [...text(key), u32(type), bytesOf(value)].flat();

/** SentencePiece's three special pieces, the mark of a space, letters, and words that no two pieces join to. */
function vocabulary(size) {
  const special = ['<unk>', '<s>', '</s>'];
  const known = [...special, '\u2581', ...'abcdefghijklmnopqrstuvwxyz'];
  const words = Array.from({ length: size - known.length }, (_, i) => `\u2581word${i}`);
  return [...known, ...words];
}

/** A text of so many tokens, with the one that begins it, and their ids. */
export function promptOf(n) {
  const letters = Array.from({ length: n - 2 }, (_, i) => (i * 7) % 26);
  const text = letters.map((letter) => String.fromCharCode(97 + letter)).join('');
  return { text, ids: [1, 3, ...letters.map((letter) => 4 + letter)] };
}

/** Unknown, control, normal. */
const typeOf = (_, id) => [2, 3, 3][id] ?? 1;

function metadata({ width, inner, layers, vocabulary: size }) {
  const tokens = vocabulary(size);
  const heads = width / 64;
  return [
    pair('general.architecture', textValue, 'llama'),
    pair('llama.context_length', u32Value, 1024),
    pair('llama.embedding_length', u32Value, width),
    pair('llama.block_count', u32Value, layers),
    pair('llama.feed_forward_length', u32Value, inner),
    pair('llama.attention.head_count', u32Value, heads),
    pair('llama.attention.head_count_kv', u32Value, heads),
    pair('llama.attention.layer_norm_rms_epsilon', f32Value, 1e-5),
    pair('llama.rope.freq_base', f32Value, 10000),
    pair('llama.vocab_size', u32Value, size),
    pair('tokenizer.ggml.model', textValue, 'llama'),
    pair('tokenizer.ggml.tokens', textArray, tokens),
    pair(
      'tokenizer.ggml.scores',
      f32Array,
      tokens.map((_, i) => -i),
    ),
    pair('tokenizer.ggml.token_type', i32Array, tokens.map(typeOf)),
    pair('tokenizer.ggml.bos_token_id', u32Value, 1),
    pair('tokenizer.ggml.eos_token_id', u32Value, 2),
    pair('tokenizer.ggml.unknown_token_id', u32Value, 0),
  ];
}

const padding = (size) => Buffer.alloc((alignment - (size % alignment)) % alignment);

export function ggufFile(shape, { type, weights, bytes: blockBytes, halves }) {
  const infos = [];
  const data = [];
  let offset = 0;
  for (const [name, extents] of llamaTensors(shape)) {
    const [rows, columns] = extents;
    const blocks = columns && (rows * columns) / weights;
    const bytes = columns ? randomBlocks(blocks, blockBytes, halves) : ones(rows);
    infos.push(...text(nameOf(name)), u32(extents.length), ...extents.toReversed().map(u64));
    infos.push(u32(columns ? type : f32Type), u64(offset));
    data.push(bytes, padding(bytes.length));
    offset += bytes.length + data.at(-1).length;
  }
  const pairs = metadata(shape);
  const counts = [u64(llamaTensors(shape).length), u64(pairs.length)];
  const head = Buffer.concat([Buffer.from('GGUF'), u32(3), ...counts, ...pairs.flat(), ...infos]);
  return Buffer.concat([head, padding(head.length), ...data]);
}
