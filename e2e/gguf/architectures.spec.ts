// Models of every architecture that GGUF and llama.cpp know: with the same made-up weights, llama.cpp writes the same
// tokens as Ambry. The files are made as AMB and converted.

import { expect, test } from '@playwright/test';
import { convert, open } from 'ambry';
import { ambOf } from '../../tests/web/support/amb-file.ts';
import { beginId, byteTokenizer, vocabulary } from '../../tests/web/support/language-file.ts';
import { LlamaCpp } from '../support/llama-cpp.ts';

const width = 64;
const wide = 96;
const headDim = 16;
const keyValueWidth = 2 * headDim;
const prompts = ['Once upon a time', 'a', 'The sea is salty, and the'];
const tokens = 24;

type Tensor = readonly [name: string, shape: readonly number[]];

interface Architecture {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly layers?: number;
  readonly layer: readonly Tensor[];
  readonly ends?: readonly Tensor[];
}

const norm = (name: string, n = width): Tensor => [`${name}.weight`, [n]];
const bias = (name: string, n: number): Tensor => [`${name}.bias`, [n]];
const matrix = (name: string, out: number, columns: number): Tensor => [
  `${name}.weight`,
  [out, columns],
];

const attention: readonly Tensor[] = [
  matrix('self_attn.q_proj', width, width),
  matrix('self_attn.k_proj', keyValueWidth, width),
  matrix('self_attn.v_proj', keyValueWidth, width),
  matrix('self_attn.o_proj', width, width),
];
const attentionBiases: readonly Tensor[] = [
  bias('self_attn.q_proj', width),
  bias('self_attn.k_proj', keyValueWidth),
  bias('self_attn.v_proj', keyValueWidth),
];
const headNorms = [norm('self_attn.q_norm', headDim), norm('self_attn.k_norm', headDim)];
const gated: readonly Tensor[] = [
  matrix('mlp.gate_proj', wide, width),
  matrix('mlp.up_proj', wide, width),
  matrix('mlp.down_proj', width, wide),
];
const before = norm('input_layernorm');
const after = norm('post_attention_layernorm');
const gemmaNorms = [before, after, norm('pre_feedforward_layernorm')];
const afterMlp = norm('post_feedforward_layernorm');
/** llama.cpp wants a matrix of their own for the logits of some architectures. */
const output = matrix('lm_head', vocabulary, width);
const withBias = (tensor: Tensor): readonly Tensor[] => [
  tensor,
  [tensor[0].replace('.weight', '.bias'), tensor[1].slice(0, 1)],
];

const llama = [before, ...attention, after, ...gated];
const layerNorms = [before, after].flatMap(withBias);

const architectures: Readonly<Record<string, Architecture>> = {
  qwen2: { layer: [before, ...attention, ...attentionBiases, after, ...gated] },
  qwen3: { layer: [before, ...attention, ...headNorms, after, ...gated] },
  gemma2: {
    config: { sliding_window: 8, attn_softcap: 30, final_softcap: 20, head_dim: headDim },
    layer: [...gemmaNorms, ...attention, ...gated, afterMlp],
  },
  gemma3: {
    config: { sliding_window: 8, rope_freq_base: 1_000_000, head_dim: headDim },
    layers: 6,
    layer: [...gemmaNorms, ...attention, ...headNorms, ...gated, afterMlp],
  },
  smollm3: { layers: 4, layer: llama },
  olmo2: {
    layer: [
      ...attention,
      norm('self_attn.q_norm', width),
      norm('self_attn.k_norm', keyValueWidth),
      after,
      ...gated,
      afterMlp,
    ],
    ends: [norm('model.norm'), output],
  },
  granite: {
    config: { embed_scale: 3, attn_scale: 0.2, residual_scale: 0.5, logit_scale: 0.25 },
    layer: llama,
  },
  stablelm: {
    layer: [...layerNorms, ...attention, ...gated],
    ends: [...withBias(norm('model.norm')), output],
  },
  starcoder2: {
    layer: [
      ...layerNorms,
      ...attention.flatMap(withBias),
      ...withBias(matrix('mlp.c_fc', wide, width)),
      ...withBias(matrix('mlp.c_proj', width, wide)),
    ],
    ends: withBias(norm('model.norm')),
  },
};

function fileOf(architecture: string, { config, layers = 2, layer, ends }: Architecture): Blob {
  const facts = JSON.stringify({
    architecture,
    n_vocab: vocabulary,
    n_embd: width,
    n_layers: layers,
    n_heads: 4,
    n_kv_heads: 2,
    n_ff: wide,
    max_seq_len: 512,
    tokenizer: { pretokenizer: 'gpt2', add_bos: true },
    ...config,
  });
  const tensors: Tensor[] = [
    ['model.embed_tokens.weight', [vocabulary, width]],
    ...Array.from({ length: layers }, (_, i) =>
      layer.map(([name, shape]): Tensor => [`model.layers.${i}.${name}`, shape]),
    ).flat(),
    ...(ends ?? [norm('model.norm')]),
  ];
  // Norms near 1 (Gemma adds the 1 itself), and matrices that keep the size of numbers.
  const one = architecture.startsWith('gemma') ? 0 : 1;
  const scale = (name: string, numbers: Float32Array) => {
    const isNorm = name.includes('norm') && name.endsWith('.weight');
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? 0;
      numbers[i] = isNorm ? one + number / 4 : (number * 4) / Math.sqrt(width);
    }
    // llama.cpp fails where an answer is not UTF-8, and must not end it. A row of zeros gives a logit of 0, which is never
    // the largest.
    if (name === 'model.embed_tokens.weight' || name === 'lm_head.weight') {
      for (let id = 127; id < vocabulary; id++) {
        if (id !== beginId) {
          numbers.fill(0, id * width, (id + 1) * width);
        }
      }
    }
  };
  return new Blob([ambOf(facts, byteTokenizer(), tensors, scale)]);
}

let llamaCpp: LlamaCpp;
test.beforeAll(async ({ browser }) => {
  llamaCpp = await LlamaCpp.start(await browser.newPage());
});

for (const [name, architecture] of Object.entries(architectures)) {
  test(`llama.cpp writes the same tokens with a ${name} model`, async () => {
    const gguf = await convert(fileOf(name, architecture), { to: 'gguf' });
    const file = Buffer.from(await gguf.arrayBuffer());
    const reading = await llamaCpp.read(file, prompts, tokens);
    await using model = await open(gguf, { kind: 'generator' });
    for (const [i, prompt] of prompts.entries()) {
      const options = { temperature: 0, maxTokens: tokens, ignoreEos: true };
      const { ids } = await model.generate(prompt, options).result;
      const theirs = reading.continuations[i]?.ids ?? [];
      expect(theirs.length, prompt).toBeGreaterThan(4);
      expect.soft(ids.slice(0, theirs.length), prompt).toEqual(theirs);
    }
  });
}
