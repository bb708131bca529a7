// Models that llama.cpp knows, whose layers keep a state in place of keys and values, with sizes that no vector length
// divides.
import {
  type Architecture,
  decoderFile,
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
];
