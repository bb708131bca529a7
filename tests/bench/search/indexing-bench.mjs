// Indexing 10,000 passages with the built-in transformer, by one worker and by two, from texts to an index that answers:
// seconds of the clock, by turns in one run. A machine with two idle cores is wanted. Build first (npm run build).
//
//   node tests/bench/search/indexing-bench.mjs [PASSAGES] [MODEL]
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createIndex, open } from '../../../dist/node.js';
import { median } from '../support/median.mjs';

const nTurns = 3;
/** Seconds, with two workers. */
const target = 4;
const [count = '10000', given] = process.argv.slice(2);
const builtIn = new URL('../../../web/demo/public/models/english-192x1.weights', import.meta.url);
const corpus = new URL('../../../web/demo/corpus/everyday.json', import.meta.url);

const { passages } = JSON.parse(readFileSync(corpus, 'utf8'));
// No two texts are the same, for those are embedded once.
const docs = Array.from({ length: Number(count) }, (_, i) => ({
  text: `${passages[i % passages.length].text} Note ${i}.`,
}));

const model = await open({ path: given ?? fileURLToPath(builtIn) });
const tokens = (await model.tokenCounts(docs.map(({ text }) => text))).reduce((a, b) => a + b, 0);
console.log(
  `${docs.length} passages, ${(tokens / docs.length).toFixed(0)} tokens on average, ${availableParallelism()} cores`,
);

async function seconds(workers) {
  const start = performance.now();
  const index = await createIndex(model, docs, { workers });
  await index.search('how do I keep bread fresh', { k: 10, hybrid: true });
  return (performance.now() - start) / 1000;
}

// The copies of the model are made before.
await createIndex(model, docs.slice(0, 300), { workers: 2 });
const times = { 1: [], 2: [] };
for (let turn = 0; turn < nTurns; turn++) {
  for (const workers of [1, 2]) {
    times[workers].push(await seconds(workers));
  }
}
await model.dispose();
const [one, two] = [median(times[1]), median(times[2])];
console.log(`one worker   ${one.toFixed(2)} s`);
console.log(
  `two workers  ${two.toFixed(2)} s (wanted ${target}${two <= target ? '' : ': MISSED'}), ${(one / two).toFixed(2)} times as fast`,
);
