// Language identification with lid.176.ftz through the built package: milliseconds a sentence, asked one by one and all
// at once, beside fastText's own program, whose time includes the loading of the model. Needs the data folder and the
// program `fasttext`. Build first (npm run build).
//
//   node tests/bench/text-classifier/predict-bench.mjs [--rounds N]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { open } from '../../../dist/node.js';
import { dataPath, missingData } from '../../data-folder.mjs';
import { median } from '../support/median.mjs';

const modelFile = 'language_id/lid.176.ftz';
const sentencesFile = 'language_id/accuracy.csv';
const millisecondsWanted = 0.2;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const missing = missingData(modelFile, sentencesFile);
if (missing) {
  console.log(`skipped: ${missing}`);
  process.exit();
}

const lines = readFileSync(dataPath(sentencesFile), 'utf8').split('\n').slice(1);
const texts = lines.map((line) => line.split(',').slice(7).join(',')).filter(Boolean);

async function milliseconds(work) {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / texts.length;
}

const model = await open({ path: dataPath(modelFile) }, { kind: 'textClassifier' });
/** As fastText's program does. */
const one = { k: 1 };
const runs = {
  'one by one': async () => {
    for (const text of texts) {
      await model.classify(text, one);
    }
  },
  'all at once': () => model.classify(texts, one),
  'fastText, all at once': () =>
    execFileSync('fasttext', ['predict-prob', dataPath(modelFile), '-'], {
      input: `${texts.join('\n')}\n`,
      maxBuffer: 2 ** 28,
    }),
};
const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [name, run] of Object.entries(runs)) {
    times[name].push(await milliseconds(run));
  }
}
await model.dispose();

console.log(
  `${texts.length} sentences, milliseconds a sentence (at most ${millisecondsWanted} wanted)`,
);
for (const [name, taken] of Object.entries(times)) {
  const ratio = median(taken.map((time, i) => times['fastText, all at once'][i] / time));
  console.log(
    `${name.padEnd(22)} ${median(taken).toFixed(3)}, ${ratio.toFixed(2)} times as fast as fastText`,
  );
}
