// Models of every architecture that GGUF and llama.cpp know: with the same made-up weights, llama.cpp writes the same
// tokens as Ambry. The files are made as AMB and converted.

import { expect, test } from '@playwright/test';
import { convert, open } from 'ambry';
import { vocabulary } from '../../tests/web/support/files/language-file.ts';
import {
  type Architecture,
  attentionOf,
  decoderFile,
  gatedOf,
  matrix,
  norm as normOf,
  type Sizes,
  type Tensor,
} from '../support/decoder-file.ts';
import { denseDecoders } from '../support/dense-decoders.ts';
import { expertDecoders } from '../support/expert-decoders.ts';
import { gemmaDecoders } from '../support/gemma-decoders.ts';
import { hybridDecoders } from '../support/hybrid-decoders.ts';
import { LlamaCpp } from '../support/llama-cpp.ts';
import { sharedExpertDecoders } from '../support/shared-expert-decoders.ts';
import { stateSpaceDecoders } from '../support/state-space-decoders.ts';

const sizes: Sizes = { width: 64, wide: 96, heads: 4, keyValueHeads: 2, headDim: 16 };
const { width, wide, headDim } = sizes;
const keyValueWidth = 2 * headDim;
const prompts = ['Once upon a time', 'a', 'The sea is salty, and the'];
const tokens = 24;

const norm = (name: string, n = width) => normOf(name, n);
const bias = (name: string, n: number): Tensor => [`${name}.bias`, [n]];

const attention = attentionOf(sizes);
const attentionBiases: readonly Tensor[] = [
  bias('self_attn.q_proj', width),
  bias('self_attn.k_proj', keyValueWidth),
  bias('self_attn.v_proj', keyValueWidth),
];
const headNorms = [norm('self_attn.q_norm', headDim), norm('self_attn.k_norm', headDim)];
const gated = gatedOf(sizes);
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

const architectures: Readonly<Record<string, Omit<Architecture, 'sizes'>>> = {
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

let llamaCpp: LlamaCpp;
test.beforeAll(async ({ browser }) => {
  llamaCpp = await LlamaCpp.start(await browser.newPage());
});

const older = Object.entries(architectures).map(
  ([name, rest]) => [name, () => decoderFile(name, { sizes, ...rest })] as const,
);

const f16Of = ([name, make]: (typeof older)[number]) => [`${name} (f16)`, make, 'f16'] as const;
const files: readonly (readonly [string, () => Blob, 'f16'?])[] = [
  ...older,
  ...denseDecoders,
  ...[
    ...hybridDecoders,
    ...stateSpaceDecoders,
    ...expertDecoders,
    ...sharedExpertDecoders,
    ...gemmaDecoders,
  ].flatMap((one) => [one, f16Of(one)]),
];

for (const [name, make, dtype] of files) {
  test(`llama.cpp writes the same tokens with a ${name} model`, async () => {
    const gguf = await convert(make(), { to: 'gguf', ...(dtype && { dtype }) });
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
