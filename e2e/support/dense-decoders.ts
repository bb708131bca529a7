// Dense models that llama.cpp knows, with sizes that no vector length divides.
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

const sizes: Sizes = { width: 60, wide: 100, heads: 6, keyValueHeads: 2, headDim: 10 };
const { width, wide, heads, keyValueHeads, headDim } = sizes;

const attention = attentionOf(sizes);
const gated = gatedOf(sizes);
const plain: readonly Tensor[] = [
  matrix('mlp.up_proj', wide, width),
  matrix('mlp.down_proj', width, wide),
];
const headNorms = (query: string, key: string) => [
  norm(`self_attn.${query}`, headDim),
  norm(`self_attn.${key}`, headDim),
];
const before = norm('input_layernorm', width);
const after = norm('post_attention_layernorm', width);
const afterMlp = norm('post_feedforward_layernorm', width);
/** llama.cpp wants a matrix of their own for the logits of some architectures. */
const ends = [norm('model.norm', width), matrix('lm_head', vocabulary, width)];
const llama = [before, ...attention, after, ...gated];
const exaone = [...attention, ...headNorms('q_norm', 'k_norm'), after, ...gated, afterMlp];
const everyFourth = (layers: number) =>
  Array.from({ length: layers }, (_, i) =>
    (i + 1) % 4 === 0 ? 'full_attention' : 'sliding_attention',
  );
const listOf = (n: number, value: (i: number) => number) =>
  Array.from({ length: n }, (_, i) => value(i));

/** By a name: the architecture, and the rest. */
const table: Readonly<Record<string, readonly [string, Omit<Architecture, 'sizes'>]>> = {
  minicpm: [
    'minicpm',
    {
      layer: llama,
      ends,
      config: { embed_scale: 12, residual_scale: 1.4 / Math.sqrt(2), logit_scale: 0.25 },
    },
  ],
  'minicpm with LongRope': [
    'minicpm',
    {
      layer: llama,
      ends,
      config: {
        embed_scale: 3,
        residual_scale: 0.5,
        logit_scale: 0.5,
        rope_scaling: {
          type: 'longrope',
          original_max_position_embeddings: 512,
          short_factor: [1, 1.25, 1.5, 2, 3],
          long_factor: [1, 2, 4, 6, 8],
        },
      },
    },
  ],
  arcee: [
    'arcee',
    {
      layer: [before, ...attention, after, ...plain],
      config: { rope_scaling: { type: 'yarn', factor: 20, original_max_position_embeddings: 16 } },
    },
  ],
  helium: ['helium', { layer: llama, config: { rope_freq_base: 100_000 } }],
  ernie4_5: ['ernie4_5', { layer: llama, config: { rope_freq_base: 500_000 } }],
  hunyuan: [
    'hunyuan_v1_dense',
    {
      layer: [
        before,
        ...attention,
        ...headNorms('query_layernorm', 'key_layernorm'),
        after,
        ...gated,
      ],
      config: { rope_freq_base: 10_000 * 1000 ** (10 / 8) },
    },
  ],
  exaone4: ['exaone4', { layer: exaone, config: { rope_freq_base: 1_000_000 } }],
  'exaone4 with windows': [
    'exaone4',
    {
      layers: 64,
      layer: exaone,
      config: { rope_freq_base: 1_000_000, sliding_window: 12, layer_types: everyFourth(64) },
    },
  ],
  olmo3: [
    'olmo3',
    {
      layers: 4,
      layer: [
        ...attention,
        norm('self_attn.q_norm', heads * headDim),
        norm('self_attn.k_norm', keyValueHeads * headDim),
        after,
        ...gated,
        afterMlp,
      ],
      ends,
      config: {
        rope_freq_base: 500_000,
        sliding_window: 8,
        layer_types: everyFourth(4),
        rope_scaling: {
          type: 'yarn',
          factor: 8,
          original_max_position_embeddings: 16,
          attention_factor: 1.2079441541679836,
        },
      },
    },
  ],
  ministral3: [
    'ministral3',
    {
      layer: llama,
      config: {
        rope_freq_base: 1_000_000,
        attn_temperature_scale: 0.1,
        attn_temperature_length: 8,
        rope_scaling: {
          type: 'yarn',
          factor: 16,
          original_max_position_embeddings: 8,
          mscale: 1,
          mscale_all_dim: 1,
        },
      },
    },
  ],
  apertus: [
    'apertus',
    {
      layer: [
        norm('attention_layernorm', width),
        ...attention,
        ...headNorms('q_norm', 'k_norm'),
        norm('feedforward_layernorm', width),
        ...plain,
      ],
      ends,
      config: {
        rope_freq_base: 12_000_000,
        rope_scaling: {
          type: 'llama3',
          factor: 8,
          low_freq_factor: 1,
          high_freq_factor: 4,
          original_max_position_embeddings: 64,
        },
        xielu: {
          alpha_p: listOf(2, (i) => 0.25 - i),
          alpha_n: listOf(2, (i) => 0.5 * i - 1),
          beta: listOf(2, () => 0.5),
          eps: listOf(2, () => -1e-6),
        },
      },
    },
  ],
  'granite without positions': [
    'granite',
    {
      layer: llama,
      ends,
      config: {
        is_rope: false,
        embed_scale: 2,
        attn_scale: 0.25,
        residual_scale: 0.22,
        logit_scale: 0.125,
      },
    },
  ],
};

/** Files of AMB, by the names of models. */
export const denseDecoders: readonly (readonly [name: string, file: () => Blob])[] = Object.entries(
  table,
).map(([name, [architecture, rest]]) => [
  name,
  () => decoderFile(architecture, { sizes, ...rest }),
]);
