// The first search for words of a loaded index, in Chromium: how long it takes, and the longest task on the page's own thread
// meanwhile. Its 6,295 passages are of about 90 words, in English or by turns in English and German. Build first (npm run build).
//
//   node tests/bench/search/first-search-bench.mjs
import { readFileSync } from 'node:fs';
import { inChromium } from '../support/chromium.mjs';

const model = '/english-static-336.weights';
const folder = new URL('../../../web/demo/public/models', import.meta.url);
const files = { [model]: readFileSync(new URL(`${folder}${model}`)) };
const wanted = 50;

let missed = false;
for (const codes of [['en'], ['en', 'de']]) {
  const facts = await inChromium(
    'search/first-search.mjs',
    { model, codes, passages: 6295 },
    { files },
  );
  const { task, ms, further, detected, bytes, added } = facts;
  const verdict = task <= wanted ? '' : `: MISSED (wanted ${wanted})`;
  missed ||= task > wanted;
  console.log(
    `${codes}: first search ${ms.toFixed(0)} ms, the longest task ${task.toFixed(0)} ms${verdict}`,
  );
  console.log(
    `${codes}: a further search ${further.toFixed(1)} ms; languages ${detected} in a file of ${bytes} bytes, ${added} of them for the languages`,
  );
}
process.exitCode = missed ? 1 : 0;
