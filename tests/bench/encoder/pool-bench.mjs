// Embedding 256 texts with the built-in model by one worker and by two: machines are busy now and then, so the times are the
// least of several runs, in turn. A machine with two idle cores is wanted. Build the package first (npm run build).
//
//   node tests/bench/encoder/pool-bench.mjs [MODEL]
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { open } from '../../../dist/node.js';

const nRuns = 9;
const nTexts = 256;
const targetRatio = 1.8;

const models = fileURLToPath(new URL('../../../web/demo/public/models/', import.meta.url));
const builtIn = readdirSync(models).find((name) => name.endsWith('.weights'));
const path = process.argv[2] ?? `${models}${builtIn}`;
const corpus = new URL('../../../web/demo/corpus/everyday.json', import.meta.url);
const passages = JSON.parse(readFileSync(corpus, 'utf8')).passages.map(({ text }) => text);
const texts = Array.from({ length: nTexts }, (_, i) => passages[i % passages.length]);

const model = await open({ path });

async function seconds(workers) {
  const start = performance.now();
  await model.embed(texts, { workers });
  return (performance.now() - start) / 1000;
}

// The copies are made before.
await seconds(2);
await new Promise((resolve) => setTimeout(resolve, 1000));
const least = { one: Number.POSITIVE_INFINITY, two: Number.POSITIVE_INFINITY };
for (let run = 0; run < nRuns; run++) {
  least.one = Math.min(least.one, await seconds(1));
  least.two = Math.min(least.two, await seconds(2));
}
await model.dispose();

const ratio = least.one / least.two;
const rate = (time) => `${Math.round(nTexts / time)} texts a second`;
console.log(`${nTexts} texts, ${availableParallelism()} cores`);
console.log(`one worker    ${rate(least.one)}`);
console.log(`two workers   ${rate(least.two)}`);
console.log(
  `two : one     ${ratio.toFixed(2)} (wanted ${targetRatio}${ratio >= targetRatio ? '' : ': MISSED'})`,
);
