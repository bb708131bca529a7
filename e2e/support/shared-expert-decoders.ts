// Mixtures of experts beside a part that all tokens take, as llama.cpp knows them, with sizes that no vector length divides.
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
import { expertsOf } from './expert-decoders.ts';
import { gemma4Dense } from './gemma-decoders.ts';
import { qwen35 } from './hybrid-decoders.ts';
import { granite } from './state-space-decoders.ts';

const sizes: Sizes = { width: 60, wide: 100, heads: 6, keyValueHeads: 2, headDim: 10 };
const { width, heads, headDim } = sizes;

/** The experts of a layer, and the part that all tokens take with its gate. */
const sharedOf = (n: number, wide: number): readonly Tensor[] => [
  ...expertsOf(n, wide),
  ...gatedOf(sizes).map(
    ([name, shape]): Tensor => [name.replace('mlp.', 'mlp.shared_expert.'), shape],
  ),
  ['mlp.shared_expert_gate.weight', [width]],
];

const qwen2: Architecture = {
  sizes,
  config: { n_experts: 7, n_experts_used: 3, n_ff_expert: 28 },
  layers: 3,
  layer: [
    norm('input_layernorm', width),
    ...attentionOf(sizes),
    ['self_attn.q_proj.bias', [heads * headDim]],
    ['self_attn.k_proj.bias', [2 * headDim]],
    ['self_attn.v_proj.bias', [2 * headDim]],
    norm('post_attention_layernorm', width),
    ...sharedOf(7, 28),
  ],
  ends: [norm('model.norm', width), matrix('lm_head', vocabulary, width)],
};

const linear = 'linear_attention';
const qwen35Moe = (): Architecture => {
  const model = qwen35([linear, 'full_attention', linear], 3, 6, sharedOf(5, 28));
  return {
    ...model,
    config: { ...model.config, n_experts: 5, n_experts_used: 2, n_ff_expert: 28 },
  };
};

const mamba = 'mamba';
const graniteMoe = (): Architecture =>
  granite(
    [mamba, 'full_attention', mamba],
    { is_rope: false, n_experts: 6, n_experts_used: 3, n_ff_expert: 28 },
    [...expertsOf(6, 28), ...gatedOf(sizes)],
  );

const gemmaExperts: readonly Tensor[] = [
  ...expertsOf(6, 28),
  ['router.scale', [width]],
  ['router.per_expert_scale', [6]],
  norm('post_feedforward_layernorm_1', width),
  norm('pre_feedforward_layernorm_2', width),
  norm('post_feedforward_layernorm_2', width),
];

/** Files of AMB, by the names of models. */
export const sharedExpertDecoders: readonly (readonly [name: string, file: () => Blob])[] = [
  ['qwen2_moe', () => decoderFile('qwen2_moe', qwen2)],
  ['qwen3_5_moe', () => decoderFile('qwen3_5_moe', qwen35Moe())],
  ['granitemoehybrid with experts', () => decoderFile('granitemoehybrid', graniteMoe())],
  [
    'gemma4 with experts',
    () => gemma4Dense(gemmaExperts, { n_experts: 6, n_experts_used: 2, n_ff_expert: 28 }),
  ],
];
