// Hybrid models of the sizes of published ones, with random weights and as many layers as asked for: what ggufOf()
// (gguf-file.mjs) makes a file of.

const vocabulary = 32000;

/** The tensors by which a layer attends, each with its shape, [outputs, inputs]. All heads have `all` numbers, keys and
 *  values `few` each; a gate beside the queries has as many as they. */
const attention = (i, { width, all = width, few, queries = all }) => [
  [`blk.${i}.attn_q.weight`, [queries, width]],
  [`blk.${i}.attn_k.weight`, [few, width]],
  [`blk.${i}.attn_v.weight`, [few, width]],
  [`blk.${i}.attn_output.weight`, [width, all]],
];
const headNorms = (i, headDim) => [
  [`blk.${i}.attn_q_norm.weight`, [headDim]],
  [`blk.${i}.attn_k_norm.weight`, [headDim]],
];
export const feedForward = (i, { width, inner }) => [
  [`blk.${i}.ffn_gate.weight`, [inner, width]],
  [`blk.${i}.ffn_up.weight`, [inner, width]],
  [`blk.${i}.ffn_down.weight`, [width, inner]],
];

/** What mixes the tokens in a layer of an LFM2, which attends or has a short convolution. */
export const lfm2Mixing = (i, attends, { width, headDim, keyHeads, taps }) =>
  attends
    ? [...attention(i, { width, few: keyHeads * headDim }), ...headNorms(i, headDim)]
    : [
        [`blk.${i}.shortconv.in_proj.weight`, [3 * width, width]],
        [`blk.${i}.shortconv.conv.weight`, [width, taps], 0.5],
        [`blk.${i}.shortconv.out_proj.weight`, [width, width]],
      ];

/** LFM2-350M but for the vocabulary: two convolutions to a layer that attends. */
function lfm2(layers) {
  const sizes = { width: 1024, inner: 4608, headDim: 64, keyHeads: 8, taps: 3 };
  const { width, inner, headDim, keyHeads, taps } = sizes;
  const attends = Array.from({ length: layers }, (_, i) => i % 3 === 2);
  const layer = (i) => [
    [`blk.${i}.attn_norm.weight`, [width]],
    ...lfm2Mixing(i, attends[i], sizes),
    [`blk.${i}.ffn_norm.weight`, [width]],
    ...feedForward(i, { width, inner }),
  ];
  return {
    architecture: 'lfm2',
    vocabulary,
    facts: {
      context_length: 1024,
      embedding_length: width,
      block_count: layers,
      feed_forward_length: inner,
      'attention.head_count': width / headDim,
      'attention.head_count_kv': attends.map((yes) => (yes ? keyHeads : 0)),
      'attention.layer_norm_rms_epsilon': 1e-5,
      'rope.freq_base': 1_000_000,
      'shortconv.l_cache': taps,
    },
    tensors: [
      ['token_embd.weight', [vocabulary, width]],
      ...attends.flatMap((_, i) => layer(i)),
      ['token_embd_norm.weight', [width]],
    ],
  };
}

/** Qwen3.5-0.8B but for the vocabulary: three gated delta nets to a layer that attends. */
function qwen35(layers) {
  const [width, inner, headDim, heads, keyHeads] = [1024, 3584, 256, 8, 2];
  const [deltaHeads, deltaDim, taps, interval] = [16, 128, 4, 4];
  const values = deltaHeads * deltaDim;
  const all = heads * headDim;
  const attends = (i) => i % interval === interval - 1;
  const mixing = (i) =>
    attends(i)
      ? [
          ...attention(i, { width, all, few: keyHeads * headDim, queries: 2 * all }),
          ...headNorms(i, headDim),
        ]
      : [
          [`blk.${i}.attn_qkv.weight`, [3 * values, width]],
          [`blk.${i}.attn_gate.weight`, [values, width]],
          [`blk.${i}.ssm_beta.weight`, [deltaHeads, width]],
          [`blk.${i}.ssm_alpha.weight`, [deltaHeads, width]],
          [`blk.${i}.ssm_conv1d.weight`, [3 * values, taps], 0.5],
          [`blk.${i}.ssm_dt.bias`, [deltaHeads]],
          [`blk.${i}.ssm_a`, [deltaHeads], -0.5],
          [`blk.${i}.ssm_norm.weight`, [deltaDim]],
          [`blk.${i}.ssm_out.weight`, [width, values]],
        ];
  const layer = (i) => [
    [`blk.${i}.attn_norm.weight`, [width]],
    ...mixing(i),
    [`blk.${i}.post_attention_norm.weight`, [width]],
    ...feedForward(i, { width, inner }),
  ];
  return {
    architecture: 'qwen35',
    vocabulary,
    facts: {
      context_length: 1024,
      embedding_length: width,
      block_count: layers,
      feed_forward_length: inner,
      'attention.head_count': heads,
      'attention.head_count_kv': keyHeads,
      'attention.key_length': headDim,
      'attention.value_length': headDim,
      'attention.layer_norm_rms_epsilon': 1e-6,
      'rope.freq_base': 10_000_000,
      'rope.dimension_count': headDim / 4,
      'rope.dimension_sections': [11, 11, 10, 0],
      full_attention_interval: interval,
      'ssm.conv_kernel': taps,
      'ssm.state_size': deltaDim,
      'ssm.group_count': deltaHeads,
      'ssm.time_step_rank': deltaHeads,
      'ssm.inner_size': values,
    },
    tensors: [
      ['token_embd.weight', [vocabulary, width]],
      ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
      ['output_norm.weight', [width]],
    ],
  };
}

/** A llama of LFM2-350M's width, which attends in all layers. */
export function llama(layers) {
  const [width, inner, headDim, keyHeads] = [1024, 4608, 64, 8];
  const layer = (i) => [
    [`blk.${i}.attn_norm.weight`, [width]],
    ...attention(i, { width, few: keyHeads * headDim }),
    [`blk.${i}.ffn_norm.weight`, [width]],
    ...feedForward(i, { width, inner }),
  ];
  return {
    architecture: 'llama',
    vocabulary,
    facts: {
      context_length: 1024,
      embedding_length: width,
      block_count: layers,
      feed_forward_length: inner,
      'attention.head_count': width / headDim,
      'attention.head_count_kv': keyHeads,
      'attention.layer_norm_rms_epsilon': 1e-5,
      'rope.freq_base': 10_000,
    },
    tensors: [
      ['token_embd.weight', [vocabulary, width]],
      ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
      ['output_norm.weight', [width]],
    ],
  };
}

/** By name: makes a model of so many layers. */
export const hybrids = { lfm2, qwen35 };
