// Mixtures of experts that llama.cpp knows, with sizes that no vector length divides.
import { vocabulary } from '../../tests/web/support/files/language-file.ts';
import {
  type Architecture,
  attentionOf,
  decoderFile,
  gatedOf,
  matrix,
  norm,
  type Sizes,
  type Tensor,
} from './decoder-file.ts';

const sizes: Sizes = { width: 60, wide: 44, heads: 6, keyValueHeads: 2, headDim: 10 };
const { width, heads, headDim } = sizes;
const before = norm('input_layernorm', width);
const after = norm('post_attention_layernorm', width);
const attention = attentionOf(sizes);
const output = matrix('lm_head', vocabulary, width);

/** The router and the experts of a layer. */
export function expertsOf(n: number, wide = sizes.wide): readonly Tensor[] {
  const each = gatedOf({ ...sizes, wide });
  const experts = Array.from({ length: n }, (_, i) =>
    each.map(([name, shape]): Tensor => [name.replace('mlp.', `mlp.experts.${i}.`), shape]),
  );
  return [matrix('mlp.gate', n, width), ...experts.flat()];
}

function sparse(
  n: number,
  used: number,
  { config, norms = [], wide }: { config?: object; norms?: readonly Tensor[]; wide?: number } = {},
): Architecture {
  return {
    sizes,
    config: { n_experts: n, n_experts_used: used, ...(wide && { n_ff_expert: wide }), ...config },
    layers: 3,
    layer: [before, ...attention, ...norms, after, ...expertsOf(n, wide)],
    ends: [norm('model.norm', width), output],
  };
}

const headNorms = [norm('self_attn.q_norm', headDim), norm('self_attn.k_norm', headDim)];
/** llama.cpp takes a key for each query of an olmoe, and normalizes those of all heads together. */
const olmoe: Architecture = {
  ...sparse(6, 4),
  sizes: { ...sizes, keyValueHeads: heads },
  layer: [
    before,
    ...attentionOf({ ...sizes, keyValueHeads: heads }),
    norm('self_attn.q_norm', heads * headDim),
    norm('self_attn.k_norm', heads * headDim),
    after,
    ...expertsOf(6),
  ],
};

/** LFM2: one layer without experts, and a bias of the choice in the others. */
const lfm2: Architecture = {
  sizes,
  config: {
    layer_types: ['conv', 'conv', 'full_attention', 'conv'],
    conv_taps: 3,
    rope_freq_base: 1_000_000,
    n_experts: 5,
    n_experts_used: 2,
    n_ff_expert: 28,
    n_dense_layers: 1,
  },
  layers: 4,
  layer: (i) => [
    norm('operator_norm', width),
    ...(i === 2
      ? [
          ...attention.map(([name, shape]): Tensor => [name.replace('o_proj', 'out_proj'), shape]),
          norm('self_attn.q_layernorm', headDim),
          norm('self_attn.k_layernorm', headDim),
        ]
      : [
          matrix('conv.in_proj', 3 * width, width),
          matrix('conv.conv', width, 3),
          matrix('conv.out_proj', width, width),
        ]),
    norm('ffn_norm', width),
    ...(i === 0
      ? [
          matrix('feed_forward.w1', sizes.wide, width),
          matrix('feed_forward.w3', sizes.wide, width),
          matrix('feed_forward.w2', width, sizes.wide),
        ]
      : [...expertsOf(5, 28), ['mlp.expert_bias', [5]] as const]),
  ],
  ends: [norm('model.embedding_norm', width)],
};

const granite = {
  config: { embed_scale: 3, attn_scale: 0.2, residual_scale: 0.5, logit_scale: 0.25 },
};

/** Files of AMB, by the names of models. */
export const expertDecoders: readonly (readonly [name: string, file: () => Blob])[] = [
  ['mixtral', () => decoderFile('mixtral', sparse(5, 2))],
  ['granitemoe', () => decoderFile('granitemoe', sparse(7, 3, granite))],
  ['olmoe', () => decoderFile('olmoe', olmoe)],
  [
    'qwen3_moe',
    () =>
      decoderFile(
        'qwen3_moe',
        sparse(9, 2, { norms: headNorms, wide: 28, config: { norm_topk_prob: true } }),
      ),
  ],
  ['lfm2_moe', () => decoderFile('lfm2_moe', lfm2)],
];
