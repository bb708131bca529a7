// The llamas of llama-model.mjs as GGUF files, as core/formats/gguf/README.md lays them out, with a vocabulary of
// made-up words.
import { ambTypes, llamaTensors, randomBlocks } from './llama-model.mjs';

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
  'mlp.gate': 'ffn_gate_inp',
  'mlp.experts.gate_proj': 'ffn_gate_exps',
  'mlp.experts.up_proj': 'ffn_up_exps',
  'mlp.experts.down_proj': 'ffn_down_exps',
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

/** `facts` are keys without the architecture, and numbers: a fraction is an f32, and a list one of whole numbers. */
function metadata({ architecture, facts, vocabulary: size }) {
  const tokens = vocabulary(size);
  const typeOfFact = (key, value) => {
    if (Array.isArray(value)) {
      return i32Array;
    }
    return Number.isInteger(value) && key !== 'rope.freq_base' ? u32Value : f32Value;
  };
  return [
    pair('general.architecture', textValue, architecture),
    ...Object.entries({ ...facts, vocab_size: size }).map(([key, value]) =>
      pair(`${architecture}.${key}`, typeOfFact(key, value), value),
    ),
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

const floatsOf = (count, given = 1) =>
  typeof given === 'number' ? new Uint8Array(new Float32Array(count).fill(given).buffer) : given;

const isPlain = ([, extents, floats]) => extents.length === 1 || floats !== undefined;
const countOf = ([, extents]) => extents.reduce((all, extent) => all * extent);

/** The part of a file before the data of tensors. */
function headOf(model, { type, weights, bytes: blockBytes }) {
  const infos = [];
  let offset = 0;
  for (const tensor of model.tensors) {
    const [name, extents] = tensor;
    const plain = isPlain(tensor);
    const size = plain ? 4 * countOf(tensor) : (countOf(tensor) / weights) * blockBytes;
    infos.push(...text(name), u32(extents.length), ...extents.toReversed().map(u64));
    infos.push(u32(plain ? f32Type : type), u64(offset));
    offset += size + padding(size).length;
  }
  const pairs = metadata(model);
  const counts = [u64(model.tensors.length), u64(pairs.length)];
  const head = Buffer.concat([Buffer.from('GGUF'), u32(3), ...counts, ...pairs.flat(), ...infos]);
  return Buffer.concat([head, padding(head.length)]);
}

/** The parts of a model's GGUF file, one after the other: its architecture, facts and size of vocabulary, and tensors
 *  with the names of GGUF. Matrices have the type, but for those with a number, which all of their floats are, or with
 *  the bytes of their floats. */
export function* ggufParts(model, type) {
  const { weights, bytes: blockBytes, halves } = type;
  yield headOf(model, type);
  for (const tensor of model.tensors) {
    const count = countOf(tensor);
    const bytes = isPlain(tensor)
      ? floatsOf(count, tensor[2])
      : randomBlocks(count / weights, blockBytes, halves);
    yield bytes;
    yield padding(bytes.length);
  }
}

/** Such a file, whole. */
export const ggufOf = (model, type) => Buffer.concat([...ggufParts(model, type)]);

export function ggufFile(shape, type) {
  const { width, inner, layers, vocabulary, experts, used } = shape;
  const heads = width / 64;
  const facts = {
    context_length: 1024,
    embedding_length: width,
    block_count: layers,
    feed_forward_length: inner,
    'attention.head_count': heads,
    'attention.head_count_kv': heads,
    'attention.layer_norm_rms_epsilon': 1e-5,
    'rope.freq_base': 10000,
    ...(experts && { expert_count: experts, expert_used_count: used }),
  };
  const tensors = llamaTensors(shape).map(([name, extents]) =>
    name.endsWith('mlp.gate.weight')
      ? [nameOf(name), extents, ambTypes.f32.fill(...extents)]
      : [nameOf(name), extents],
  );
  return ggufOf({ architecture: 'llama', facts, vocabulary, tensors }, type);
}
