// The labels of tokens by a MiniLM-L6-shaped token classifier of random weights on one thread: our WebAssembly, tokenization
// included, beside onnxruntime-web on the same weights without one, in f32 and int8, by turns in one run; in Node, or with
// --chromium in a page.
//
// Build first (npm run build).
//
//   npm install --prefix /tmp/ort onnxruntime-web@1.30.0
//   node tests/bench/token-classifier/tag-bench.mjs [/tmp/ort/node_modules/onnxruntime-web] [--chromium]
//        [--texts 16] [--tokens 128]
import { parseArgs } from 'node:util';
import { convert } from '../../../dist/node.js';
import { encoderDirectory, onnxTagger, randomEncoder } from '../encoder/encoder-model.mjs';
import { besideOnnxruntime } from '../support/beside-onnxruntime.mjs';
import { median } from '../support/median.mjs';

/** How many times as fast as theirs in int8 tagging shall be. */
const goal = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chromium: { type: 'boolean' },
    texts: { type: 'string', default: '16' },
    tokens: { type: 'string', default: '128' },
  },
});
const [folder] = positionals;
const task = { nTexts: Number(values.texts), nTokens: Number(values.tokens) };
const shape = { layers: 6, width: 384, inner: 1536, heads: 12, vocabulary: 30522, tags: 9 };

async function makeFiles() {
  const model = randomEncoder(shape);
  const bytes = async (dtype) => {
    const blob = await convert(encoderDirectory(model), dtype ? { dtype } : {});
    return Buffer.from(await blob.arrayBuffer());
  };
  return {
    files: { f32: await bytes(), int8: await bytes('int8') },
    onnxFiles: folder && { f32: onnxTagger(model, false), int8: onnxTagger(model, true) },
  };
}

const where = { folder, chromium: values.chromium };
const made = await makeFiles();
const runs = await besideOnnxruntime('token-classifier/tag-runs.mjs', task, made, where);
const exact = runs.logits['relaxed f32'];
const environment = values.chromium ? 'Chromium' : 'Node';
console.log(`tokens of ${task.nTexts} texts of ${task.nTokens} tokens in ${environment}`);
for (const [name, own] of Object.entries(runs.times)) {
  const isOurs = name.includes(' ');
  const apart = Math.max(...runs.logits[name].map((logit, i) => Math.abs(logit - exact[i])));
  const peer = isOurs && runs.times[name.split(' ')[1]];
  const times = peer && median(peer.map((time, i) => time / own[i]));
  const verdict = name === 'relaxed int8' && times < goal ? ` MISSED ${goal}` : '';
  const ratio = peer ? `, ${times.toFixed(2)} times as fast as theirs${verdict}` : '';
  console.log(
    `${name.padEnd(14)} ${(median(own) / 1000).toFixed(3)} s${ratio}; logits differ from f32 by at most ${apart.toExponential(1)}`,
  );
}
