// Small encoders as GGUF, as llama.cpp's converter writes them (core/formats/gguf/README.md): a layer of made-up weights for
// each architecture.

type Tensor = readonly [string, readonly number[]];

const width = 32;
const inner = 64;

const tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', '\u2581word', 'ing', '\u2581a'];

const linear = (name: string, rows: number, columns: number): Tensor[] => [
  [`${name}.weight`, [rows, columns]],
  [`${name}.bias`, [rows]],
];
const norm = (name: string): Tensor[] => [
  [`${name}.weight`, [width]],
  [`${name}.bias`, [width]],
];
const matrix = (name: string, rows: number, columns: number): Tensor => [
  `${name}.weight`,
  [rows, columns],
];

const embeddings: Tensor[] = [
  matrix('token_embd', tokens.length, width),
  matrix('token_types', 2, width),
  ...norm('token_embd_norm'),
];
const separateAttention: Tensor[] = [
  ...linear('blk.0.attn_q', width, width),
  ...linear('blk.0.attn_k', width, width),
  ...linear('blk.0.attn_v', width, width),
  ...linear('blk.0.attn_output', width, width),
  ...norm('blk.0.attn_output_norm'),
];
const plainLayer: Tensor[] = [
  ...linear('blk.0.ffn_up', inner, width),
  ...linear('blk.0.ffn_down', width, inner),
  ...norm('blk.0.layer_output_norm'),
];

const encoders: Readonly<Record<string, readonly Tensor[]>> = {
  bert: [...embeddings, matrix('position_embd', 16, width), ...separateAttention, ...plainLayer],
  'nomic-bert': [
    ...embeddings,
    matrix('blk.0.attn_qkv', 3 * width, width),
    matrix('blk.0.attn_output', width, width),
    ...norm('blk.0.attn_output_norm'),
    matrix('blk.0.ffn_up', inner, width),
    matrix('blk.0.ffn_gate', inner, width),
    matrix('blk.0.ffn_down', width, inner),
    ...norm('blk.0.layer_output_norm'),
  ],
  'jina-bert-v2': [
    ...embeddings,
    ...separateAttention,
    matrix('blk.0.ffn_up', 2 * inner, width),
    ...linear('blk.0.ffn_down', width, inner),
    ...norm('blk.0.layer_output_norm'),
  ],
  'jina-bert-v3': [
    matrix('token_embd', tokens.length, width),
    matrix('token_types', 1, width),
    ...norm('token_embd_norm'),
    ...linear('blk.0.attn_qkv', 3 * width, width),
    ...linear('blk.0.attn_output', width, width),
    ...norm('blk.0.attn_output_norm'),
    ...plainLayer,
  ],
  // One layer has no experts.
  'nomic-bert-moe': [
    ...embeddings,
    ...linear('blk.0.attn_qkv', 3 * width, width),
    ...linear('blk.0.attn_output', width, width),
    ...norm('blk.0.attn_output_norm'),
    ...plainLayer,
  ],
  eurobert: [
    matrix('token_embd', tokens.length, width),
    ['blk.0.attn_norm.weight', [width]],
    ...['q', 'k', 'v', 'output'].map((name) => matrix(`blk.0.attn_${name}`, width, width)),
    ['blk.0.ffn_norm.weight', [width]],
    matrix('blk.0.ffn_gate', inner, width),
    matrix('blk.0.ffn_up', inner, width),
    matrix('blk.0.ffn_down', width, inner),
    ['output_norm.weight', [width]],
  ],
  'modern-bert': [
    matrix('token_embd', tokens.length, width),
    ['token_embd_norm.weight', [width]],
    matrix('blk.0.attn_qkv', 3 * width, width),
    matrix('blk.0.attn_output', width, width),
    ['blk.0.ffn_norm.weight', [width]],
    matrix('blk.0.ffn_up', 2 * inner, width),
    matrix('blk.0.ffn_down', width, inner),
    ['output_norm.weight', [width]],
  ],
  t5encoder: [
    matrix('token_embd', tokens.length, width),
    matrix('enc.blk.0.attn_rel_b', 8, 2),
    ['enc.blk.0.attn_norm.weight', [width]],
    ...['q', 'k', 'v', 'o'].map((name) => matrix(`enc.blk.0.attn_${name}`, width, width)),
    ['enc.blk.0.ffn_norm.weight', [width]],
    matrix('enc.blk.0.ffn_up', inner, width),
    matrix('enc.blk.0.ffn_down', width, inner),
    ['enc.output_norm.weight', [width]],
  ],
};

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
};

type Value = string | number | boolean | Float32Array | Int32Array | readonly string[];

/** The type of the value, and the value. Integers are u32. */
function stored(value: Value): Buffer {
  if (typeof value === 'string') {
    return Buffer.concat([u32(8), text(value)]);
  }
  if (typeof value === 'number') {
    return Buffer.concat([u32(4), u32(value)]);
  }
  if (typeof value === 'boolean') {
    return Buffer.concat([u32(7), Buffer.of(Number(value))]);
  }
  if (value instanceof Float32Array) {
    return Buffer.concat([u32(6), Buffer.from(value.buffer)]);
  }
  if (value instanceof Int32Array) {
    return Buffer.concat([u32(9), u32(5), u64(value.length), Buffer.from(value.buffer)]);
  }
  return Buffer.concat([u32(9), u32(8), u64(value.length), ...value.map(text)]);
}

function metadataOf(architecture: string): readonly (readonly [string, Value])[] {
  const own = (key: string) => `${architecture}.${key}`;
  return [
    ['general.architecture', architecture],
    ['general.name', 'tiny'],
    ['general.quantization_version', 2],
    [own('block_count'), 1],
    [own('context_length'), 16],
    [own('embedding_length'), width],
    [own('feed_forward_length'), inner],
    [own('attention.head_count'), 2],
    [own('attention.head_count_kv'), 2],
    [own('attention.layer_norm_epsilon'), Float32Array.of(1e-5)],
    [own('attention.layer_norm_rms_epsilon'), Float32Array.of(1e-5)],
    [own('attention.key_length'), width / 2],
    [own('attention.relative_buckets_count'), 8],
    [own('attention.sliding_window'), 8],
    [own('attention.causal'), false],
    [own('pooling_type'), 1],
    [own('rope.freq_base'), Float32Array.of(10_000)],
    ['tokenizer.ggml.model', 'bert'],
    ['tokenizer.ggml.tokens', tokens],
    ['tokenizer.ggml.token_type', Int32Array.of(3, 3, 3, 3, 3, 1, 1, 1)],
    ['tokenizer.ggml.token_type_count', 2],
    ['tokenizer.ggml.padding_token_id', 0],
    ['tokenizer.ggml.unknown_token_id', 1],
    ['tokenizer.ggml.cls_token_id', 2],
    ['tokenizer.ggml.seperator_token_id', 3],
    ['tokenizer.ggml.mask_token_id', 4],
  ];
}

/** An encoder of this architecture. */
export function ggufEncoder(architecture: string): Uint8Array<ArrayBuffer> {
  const metadata = metadataOf(architecture).map(([key, value]) =>
    Buffer.concat([text(key), stored(value)]),
  );
  const infos: Buffer[] = [];
  const pieces: Buffer[] = [];
  let end = 0;
  let state = 1;
  const tensors = encoders[architecture] ?? [];
  for (const [name, shape] of tensors) {
    const numbers = Float32Array.from({ length: shape.reduce((size, n) => size * n, 1) }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32 - 0.5;
    });
    const extents = [...shape].reverse().map(u64);
    infos.push(Buffer.concat([text(name), u32(shape.length), ...extents, u32(0), u64(end)]));
    const padding = (32 - (numbers.byteLength % 32)) % 32;
    pieces.push(Buffer.from(numbers.buffer), Buffer.alloc(padding));
    end += numbers.byteLength + padding;
  }
  const counts = [u32(3), u64(tensors.length), u64(metadata.length)];
  const head = Buffer.concat([Buffer.from('GGUF'), ...counts, ...metadata, ...infos]);
  const padding = Buffer.alloc((32 - (head.length % 32)) % 32);
  return Uint8Array.from(Buffer.concat([head, padding, ...pieces]));
}
