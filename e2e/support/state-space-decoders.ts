// Models with state spaces that llama.cpp knows, with sizes that no vector length divides.

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

interface Space {
  readonly ssm_heads: number;
  readonly ssm_head_dim: number;
  readonly ssm_state_dim: number;
  readonly ssm_groups: number;
  readonly conv_taps: number;
}

function mixer(prefix: string, space: Space, hasNorm = true): readonly Tensor[] {
  const inner = space.ssm_heads * space.ssm_head_dim;
  const channels = inner + 2 * space.ssm_groups * space.ssm_state_dim;
  return [
    matrix(`${prefix}.in_proj`, inner + channels + space.ssm_heads, width),
    matrix(`${prefix}.conv1d`, channels, space.conv_taps),
    [`${prefix}.conv1d.bias`, [channels]],
    [`${prefix}.dt_bias`, [space.ssm_heads]],
    [`${prefix}.A_log`, [space.ssm_heads]],
    [`${prefix}.D`, [space.ssm_heads]],
    ...(hasNorm ? [norm(`${prefix}.norm`, inner)] : []),
    matrix(`${prefix}.out_proj`, width, inner),
  ];
}

const output = matrix('lm_head', vocabulary, width);
const mamba = 'mamba';
const full = 'full_attention';

/** llama.cpp wants a state space twice as wide as the model, and one group. */
export function granite(
  types: readonly string[],
  more: object = {},
  mlp: readonly Tensor[] = gatedOf(sizes),
): Architecture {
  const space = { ssm_heads: 8, ssm_head_dim: 15, ssm_state_dim: 13, ssm_groups: 1, conv_taps: 4 };
  return {
    sizes,
    config: {
      layer_types: types,
      embed_scale: 3,
      attn_scale: 0.2,
      residual_scale: 0.5,
      logit_scale: 0.25,
      ...space,
      ...more,
    },
    layers: types.length,
    layer: (i) => [
      norm('input_layernorm', width),
      ...(types[i] === mamba ? mixer('mamba', space) : attentionOf(sizes)),
      norm('post_attention_layernorm', width),
      ...mlp,
    ],
  };
}

function falcon(space: Space, hasNorm: boolean, more: object = {}): Architecture {
  return {
    sizes,
    config: { ...space, ...more },
    layers: 3,
    layer: [
      norm('input_layernorm', width),
      ...mixer('mamba', space, hasNorm),
      ...attentionOf(sizes),
      norm('pre_ff_layernorm', width),
      ...gatedOf(sizes).map(
        ([name, shape]): Tensor => [name.replace('mlp.', 'feed_forward.'), shape],
      ),
    ],
    ends: [norm('model.final_layernorm', width), output],
  };
}

function nemotron(pattern: string): Architecture {
  const space = { ssm_heads: 6, ssm_head_dim: 11, ssm_state_dim: 9, ssm_groups: 3, conv_taps: 4 };
  const types: Readonly<Record<string, readonly [string, readonly Tensor[]]>> = {
    M: [mamba, mixer('mixer', space)],
    '*': [
      full,
      [
        matrix('mixer.q_proj', heads * headDim, width),
        matrix('mixer.k_proj', keyValueHeads * headDim, width),
        matrix('mixer.v_proj', keyValueHeads * headDim, width),
        matrix('mixer.o_proj', width, heads * headDim),
      ],
    ],
    '-': ['mlp', [matrix('mixer.up_proj', wide, width), matrix('mixer.down_proj', width, wide)]],
  };
  const layers = [...pattern].map((letter) => types[letter] ?? types['-']);
  return {
    sizes,
    embedding: 'backbone.embeddings.weight',
    config: { layer_types: layers.map((layer) => layer?.[0]), ...space },
    layers: layers.length,
    layer: (i) => [norm('norm', width), ...(layers[i]?.[1] ?? [])],
    ends: [norm('backbone.norm_f', width), output],
  };
}

const space: Space = {
  ssm_heads: 6,
  ssm_head_dim: 7,
  ssm_state_dim: 5,
  ssm_groups: 2,
  conv_taps: 4,
};
const scales = {
  embed_scale: 2.5,
  logit_scale: 0.75,
  attn_scale: 0.25,
  attn_out_scale: 1.25,
  mlp_gate_scale: 0.625,
  mlp_out_scale: 1.5,
  ssm_scales: [0.5, 1.25, 0.75, 1.5, 0.875],
  ssm_out_scale: 0.75,
};

/** Files of AMB, by the names of models. */
export const stateSpaceDecoders: readonly (readonly [name: string, file: () => Blob])[] = [
  [
    'granitemoehybrid without positions',
    () => decoderFile('granitemoehybrid', granite([mamba, full, mamba, mamba], { is_rope: false })),
  ],
  [
    'granitemoehybrid',
    () => decoderFile('granitemoehybrid', granite([full, mamba, mamba, full, mamba])),
  ],
  ['falcon_h1', () => decoderFile('falcon_h1', falcon(space, false))],
  ['falcon_h1 with a norm', () => decoderFile('falcon_h1', falcon(space, true, scales))],
  ['nemotron_h', () => decoderFile('nemotron_h', nemotron('M-*-M-MM*'))],
];
