// How much memory a mixture of 8 billion weights needs with `resident`, and how fast it answers: a file of the shape of
// LFM2-8B-A1B as Q4_0 with random weights, 4.8 GB on the disk while this runs. Build first (npm run build).
//
//   node tests/bench/decoder/large-experts.mjs [--resident BYTES] [--tokens N] [--folder DIR]
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resourceUsage } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { open } from '../../../dist/node.js';
import { ggufParts, ggufTypes } from './gguf-file.mjs';
import { feedForward, lfm2Mixing } from './hybrid-shapes.mjs';
import { ambTypes } from './llama-model.mjs';

const { values } = parseArgs({
  options: {
    resident: { type: 'string', default: '1200000000' },
    tokens: { type: 'string', default: '24' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const sizes = { width: 2048, inner: 7168, headDim: 64, keyHeads: 8, taps: 3 };
const { width, inner, headDim, keyHeads, taps } = sizes;
const [layers, denseLayers, experts, used, expertInner] = [24, 2, 32, 4, 1792];
const vocabulary = 65536;
const attends = new Set([2, 6, 10, 14, 18, 21]);

const feedForwardOf = (i) =>
  i < denseLayers
    ? feedForward(i, sizes)
    : [
        [`blk.${i}.ffn_gate_inp.weight`, [experts, width], ambTypes.f32.fill(experts, width)],
        [`blk.${i}.exp_probs_b.bias`, [experts], 0],
        [`blk.${i}.ffn_gate_exps.weight`, [experts, expertInner, width]],
        [`blk.${i}.ffn_up_exps.weight`, [experts, expertInner, width]],
        [`blk.${i}.ffn_down_exps.weight`, [experts, width, expertInner]],
      ];
const layer = (i) => [
  [`blk.${i}.attn_norm.weight`, [width]],
  ...lfm2Mixing(i, attends.has(i), sizes),
  [`blk.${i}.ffn_norm.weight`, [width]],
  ...feedForwardOf(i),
];
const model = {
  architecture: 'lfm2moe',
  vocabulary,
  facts: {
    context_length: 1024,
    embedding_length: width,
    block_count: layers,
    feed_forward_length: inner,
    'attention.head_count': width / headDim,
    'attention.head_count_kv': Array.from({ length: layers }, (_, i) =>
      attends.has(i) ? keyHeads : 0,
    ),
    'attention.layer_norm_rms_epsilon': 1e-5,
    'rope.freq_base': 1_000_000,
    'shortconv.l_cache': taps,
    expert_count: experts,
    expert_used_count: used,
    expert_feed_forward_length: expertInner,
    leading_dense_block_count: denseLayers,
    expert_gating_func: 2,
  },
  tensors: [
    ['token_embd.weight', [vocabulary, width]],
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    ['token_embd_norm.weight', [width]],
  ],
};

const folder = await mkdtemp(join(values.folder, 'ambry-experts-'));
try {
  const path = join(folder, 'experts.gguf');
  await pipeline(Readable.from(ggufParts(model, ggufTypes.q4_0)), createWriteStream(path));
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  const { size } = await stat(path);
  const before = resourceUsage().maxRSS * 1024;
  const opening = performance.now();
  const opened = await open({ path }, { kind: 'generator', resident: Number(values.resident) });
  const ready = performance.now();
  const { ids } = await opened.generate('abcdef', {
    temperature: 0,
    maxTokens: Number(values.tokens),
  }).result;
  const seconds = (performance.now() - ready) / 1000;
  const { bytesPerPass } = opened.info.generator.streaming;
  console.log(`file ${megabytes(size)}, resident ${megabytes(Number(values.resident))}`);
  console.log(`read for a pass ${megabytes(bytesPerPass)}, at most`);
  console.log(`opened in ${((ready - opening) / 1000).toFixed(1)} s`);
  console.log(`${ids.length} tokens in ${seconds.toFixed(1)} s`);
  const peak = resourceUsage().maxRSS * 1024;
  console.log(
    `memory of the process at most ${megabytes(peak)}; ${megabytes(before)} before opening`,
  );
  await opened.dispose();
} finally {
  await rm(folder, { recursive: true });
}
