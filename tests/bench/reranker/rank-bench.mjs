// Ranking passages with a MiniLM-L6-shaped reranker of random weights on one thread: our WebAssembly, tokenization included,
// beside onnxruntime-web on the same weights without one, in f32 and int8, by turns in one run; in Node, or with
// --chromium in a page.
//
// Build first (npm run build).
//
//   npm install --prefix /tmp/ort onnxruntime-web@1.30.0
//   node tests/bench/reranker/rank-bench.mjs [/tmp/ort/node_modules/onnxruntime-web] [--chromium]
//        [--passages 50] [--tokens 128]
import { parseArgs } from 'node:util';
import { convert } from '../../../dist/node.js';
import { encoderDirectory, onnxReranker, randomEncoder } from '../encoder/encoder-model.mjs';
import { besideOnnxruntime } from '../support/beside-onnxruntime.mjs';
import { median } from '../support/median.mjs';

/** The time that ranking 50 passages of 128 tokens may take. */
const mostSeconds = 1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chromium: { type: 'boolean' },
    passages: { type: 'string', default: '50' },
    tokens: { type: 'string', default: '128' },
  },
});
const [folder] = positionals;
const task = { nPassages: Number(values.passages), nTokens: Number(values.tokens) };
const isGoal = task.nPassages === 50 && task.nTokens === 128;
const shape = { layers: 6, width: 384, inner: 1536, heads: 12, vocabulary: 30522, labels: 1 };

async function makeFiles() {
  const model = randomEncoder(shape);
  const bytes = async (dtype) => {
    const blob = await convert(encoderDirectory(model), dtype ? { dtype } : {});
    return Buffer.from(await blob.arrayBuffer());
  };
  return {
    files: { f32: await bytes(), int8: await bytes('int8') },
    onnxFiles: folder && { f32: onnxReranker(model, false), int8: onnxReranker(model, true) },
  };
}

const where = { folder, chromium: values.chromium };
const made = await makeFiles();
const { times, scores } = await besideOnnxruntime('reranker/rank-runs.mjs', task, made, where);
const exact = scores['relaxed f32'];
const environment = values.chromium ? 'Chromium' : 'Node';
console.log(`rank of ${task.nPassages} passages of ${task.nTokens} tokens in ${environment}`);
for (const [name, own] of Object.entries(times)) {
  const seconds = median(own) / 1000;
  const isOurs = name.includes(' ');
  const verdict = isOurs && isGoal && seconds > mostSeconds ? ` MISSED ${mostSeconds}` : '';
  const apart = Math.max(...scores[name].map((score, i) => Math.abs(score - exact[i])));
  const peer = isOurs && times[name.split(' ')[1]];
  const ratio = peer
    ? `, ${median(peer.map((time, i) => time / own[i])).toFixed(2)} times as fast as theirs`
    : '';
  console.log(
    `${name.padEnd(14)} ${seconds.toFixed(3)} s${verdict}${ratio}; logits differ from f32 by at most ${apart.toExponential(1)}`,
  );
}
