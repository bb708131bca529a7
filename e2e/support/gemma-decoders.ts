// Gemma 3n and Gemma 4 as llama.cpp knows them, with sizes that no vector length divides but for those that llama.cpp has
// for every Gemma 3n.
import { vocabulary } from '../../tests/web/support/files/language-file.ts';
import { decoderFile, gatedOf, matrix, norm, type Sizes, type Tensor } from './decoder-file.ts';

const sizes: Sizes = { width: 60, wide: 100, heads: 6, keyValueHeads: 2, headDim: 10 };
const { width, heads } = sizes;

/** What a layer may have of its own. */
interface Own {
  readonly headDim: number;
  readonly keyValueHeads: number;
  readonly wide: number;
  /** Whether it attends to the keys of another. */
  readonly shares?: boolean;
  readonly keyIsValue?: boolean;
  /** Numbers of its own for each token. */
  readonly input?: number;
}

function layerOf({
  headDim,
  keyValueHeads,
  wide,
  shares,
  keyIsValue,
  input,
}: Own): readonly Tensor[] {
  const keyWidth = keyValueHeads * headDim;
  const keys = [
    matrix('self_attn.k_proj', keyWidth, width),
    ...(keyIsValue ? [] : [matrix('self_attn.v_proj', keyWidth, width)]),
    norm('self_attn.k_norm', headDim),
  ];
  const inputs = (n: number) => [
    matrix('per_layer_input_gate', n, width),
    matrix('per_layer_projection', width, n),
    norm('post_per_layer_input_norm', width),
  ];
  return [
    norm('input_layernorm', width),
    matrix('self_attn.q_proj', heads * headDim, width),
    norm('self_attn.q_norm', headDim),
    ...(shares ? [] : keys),
    matrix('self_attn.o_proj', width, heads * headDim),
    norm('post_attention_layernorm', width),
    norm('pre_feedforward_layernorm', width),
    ...gatedOf({ ...sizes, wide }),
    norm('post_feedforward_layernorm', width),
    ...(input ? inputs(input) : []),
  ];
}

const tablesOf = (layers: number, input: number): readonly Tensor[] => [
  ['model.embed_tokens_per_layer.weight', [vocabulary, layers * input]],
  matrix('model.per_layer_model_projection', layers * input, width),
  norm('model.per_layer_projection_norm', input),
];

/** A letter for each layer: s with a window, f without one. */
const kindsOf = (letters: string) =>
  [...letters].map((letter) => (letter === 's' ? 'sliding_attention' : 'full_attention'));

function gemma4(letters: string, shared: number): Blob {
  const layers = letters.length;
  const input = 11;
  const isShared = (i: number) => i >= layers - shared;
  return decoderFile('gemma4', {
    sizes,
    layers,
    tables: tablesOf(layers, input),
    layer: (i) => [
      ...layerOf({
        headDim: letters[i] === 's' ? 10 : 22,
        keyValueHeads: 2,
        wide: isShared(i) ? 200 : 100,
        shares: isShared(i),
        input,
      }),
      ['layer_scalar', [1]],
    ],
    config: {
      layer_types: kindsOf(letters),
      sliding_window: 8,
      rope_freq_base: 1_000_000,
      global_head_dim: 22,
      global_rotary_factor: 3 / 11,
      n_shared_kv_layers: shared,
      shared_ff: 200,
      n_embd_per_layer: input,
      final_softcap: 20,
    },
  });
}

export function gemma4Dense(mlp: readonly Tensor[] = [], more: object = {}): Blob {
  const letters = 'ssfsf';
  return decoderFile('gemma4', {
    sizes,
    layers: letters.length,
    layer: (i) => {
      const global = letters[i] === 'f';
      const kinds = global ? { headDim: 14, keyValueHeads: 3 } : { headDim: 10, keyValueHeads: 2 };
      const layer = layerOf({ ...kinds, wide: 100, keyIsValue: global });
      return [...layer, ...mlp, ['layer_scalar', [1]]];
    },
    config: {
      layer_types: kindsOf(letters),
      sliding_window: 8,
      rope_freq_base: 1_000_000,
      global_head_dim: 14,
      global_kv_heads: 3,
      global_rotary_factor: 3 / 7,
      key_is_value: true,
      final_softcap: 20,
      ...more,
    },
  });
}

const streams = 4;
const rank = 64;
const altUp: readonly Tensor[] = [
  norm('altup.router_norm', width),
  matrix('altup.modality_router', streams, width),
  matrix('altup.prediction_coefs', streams * streams, streams),
  matrix('altup.correction_coefs', streams, streams),
  ['altup.correct_output_scale', [width]],
  matrix('laurel.linear_left', rank, width),
  matrix('laurel.linear_right', width, rank),
  norm('laurel.post_laurel_norm', width),
];

/** llama.cpp has 20 layers with keys, and 10 sparse ones. */
function gemma3n(): Blob {
  const letters = 'ssssf'.repeat(5);
  const layers = letters.length;
  const input = 256;
  const indices = [0, 1, 2];
  return decoderFile('gemma3n', {
    sizes,
    layers,
    tables: [
      ...tablesOf(layers, input),
      ...indices.map((i) => matrix(`model.altup_projections.${i}`, width, width)),
      ...indices.map((i) => matrix(`model.altup_unembed_projections.${i}`, width, width)),
    ],
    // Files of Gemma 3n have keys that no layer uses, and llama.cpp wants them.
    layer: [...layerOf({ headDim: 10, keyValueHeads: 2, wide: 1000, input }), ...altUp],
    config: {
      n_ff: 1000,
      layer_types: kindsOf(letters),
      sliding_window: 8,
      rope_freq_base: 1_000_000,
      n_shared_kv_layers: 5,
      n_embd_per_layer: input,
      n_streams: streams,
      laurel_rank: rank,
      activation_sparsity: Array.from({ length: layers }, (_, i) => (i < 10 ? 1.6448534 : null)),
      final_softcap: 30,
    },
  });
}

/** Files of AMB, by the names of models. */
export const gemmaDecoders: readonly (readonly [name: string, file: () => Blob])[] = [
  ['gemma4 with inputs of layers and shared keys', () => gemma4('ssfssfsf', 2)],
  ['gemma4 with values that are keys', () => gemma4Dense()],
  ['gemma3n', gemma3n],
];
