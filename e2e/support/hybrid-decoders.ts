// Models that llama.cpp knows, whose layers keep a state in place of keys and values, with sizes that no vector length
// divides.
import {
  type Architecture,
  decoderFile,
  gatedOf,
  matrix,
  norm,
  type Sizes,
  type Tensor,
} from './decoder-file.ts';

const sizes: Sizes = { width: 60, wide: 100, heads: 6, keyValueHeads: 2, headDim: 10 };
const { width, wide, heads, keyValueHeads, headDim } = sizes;

/** LFM2: convolutions, and attention in some layers. */
function lfm2(types: readonly string[], taps: number, more: object = {}): Architecture {
  const convolution: readonly Tensor[] = [
    matrix('conv.in_proj', 3 * width, width),
    matrix('conv.conv', width, taps),
    matrix('conv.out_proj', width, width),
  ];
  const attention: readonly Tensor[] = [
    matrix('self_attn.q_proj', heads * headDim, width),
    matrix('self_attn.k_proj', keyValueHeads * headDim, width),
    matrix('self_attn.v_proj', keyValueHeads * headDim, width),
    norm('self_attn.q_layernorm', headDim),
    norm('self_attn.k_layernorm', headDim),
    matrix('self_attn.out_proj', width, heads * headDim),
  ];
  return {
    sizes,
    config: { layer_types: types, conv_taps: taps, rope_freq_base: 1_000_000, ...more },
    layers: types.length,
    layer: (i) => [
      norm('operator_norm', width),
      ...(types[i] === 'conv' ? convolution : attention),
      norm('ffn_norm', width),
      matrix('feed_forward.w1', wide, width),
      matrix('feed_forward.w3', wide, width),
      matrix('feed_forward.w2', width, wide),
    ],
    ends: [norm('model.embedding_norm', width)],
  };
}

/** Qwen3.5: gated delta nets, and attention with gates in some layers. */
export function qwen35(
  types: readonly string[],
  keyHeads: number,
  valueHeads: number,
  mlp: readonly Tensor[] = gatedOf(sizes),
): Architecture {
  const each = 12;
  const headDim = 16;
  const values = valueHeads * each;
  const channels = 2 * keyHeads * each + values;
  const delta: readonly Tensor[] = [
    matrix('linear_attn.in_proj_qkv', channels, width),
    matrix('linear_attn.in_proj_z', values, width),
    matrix('linear_attn.in_proj_b', valueHeads, width),
    matrix('linear_attn.in_proj_a', valueHeads, width),
    matrix('linear_attn.conv1d', channels, 4),
    ['linear_attn.dt_bias', [valueHeads]],
    ['linear_attn.A_log', [valueHeads]],
    norm('linear_attn.norm', each),
    matrix('linear_attn.out_proj', width, values),
  ];
  const attention: readonly Tensor[] = [
    matrix('self_attn.q_proj', 2 * heads * headDim, width),
    matrix('self_attn.k_proj', keyValueHeads * headDim, width),
    matrix('self_attn.v_proj', keyValueHeads * headDim, width),
    norm('self_attn.q_norm', headDim),
    norm('self_attn.k_norm', headDim),
    matrix('self_attn.o_proj', width, heads * headDim),
  ];
  return {
    sizes: { ...sizes, headDim },
    config: {
      layer_types: types,
      conv_taps: 4,
      rope_freq_base: 10_000_000,
      linear_num_key_heads: keyHeads,
      linear_num_value_heads: valueHeads,
      linear_key_head_dim: each,
      linear_value_head_dim: each,
    },
    layers: types.length,
    layer: (i) => [
      norm('input_layernorm', width),
      ...(types[i] === linear ? delta : attention),
      norm('post_attention_layernorm', width),
      ...mlp,
    ],
  };
}

const linear = 'linear_attention';
const conv = 'conv';
const full = 'full_attention';
const local = 'sliding_attention';

/** Files of AMB, by the names of models. */
export const hybridDecoders: readonly (readonly [name: string, file: () => Blob])[] = [
  ['lfm2', () => decoderFile('lfm2', lfm2([conv, conv, full, conv, full], 3))],
  [
    'lfm2 with a window',
    () => decoderFile('lfm2', lfm2([conv, local, conv, local], 3, { sliding_window: 8 })),
  ],
  ['lfm2 with 4 taps', () => decoderFile('lfm2', lfm2([full, conv, conv], 4))],
  ['qwen3_5', () => decoderFile('qwen3_5', qwen35([linear, linear, linear, full, linear], 4, 4))],
  ['qwen3_5 with more values', () => decoderFile('qwen3_5', qwen35([full, linear, linear], 3, 6))],
];
