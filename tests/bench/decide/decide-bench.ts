// Three questions about a text by `decide`, beside one answer with a schema that has the three values, by turns in one run, on one
// thread. The model is made up: a llama of random weights in int8, whose tokens are words. It prints the milliseconds of a text,
// and how many times as fast `decide` is.
//
// Build first (npm run build).
//
//   node tests/bench/decide/decide-bench.ts [WIDTH] [LAYERS]
import { open } from '../../../dist/node.js';
import type { Generator } from '../../../web/src/index.ts';
import { median } from '../support/median.mjs';
import { decideModel } from './decide-model.ts';

const nRounds = 5;
const [width = 768, layers = 8] = process.argv.slice(2).map(Number);

const choices = ['billing', 'technical', 'other'];
const questions = {
  topic: { choices, description: 'What is it about?' },
  urgent: 'boolean',
  severity: { min: 1, max: 5 },
} as const;
const schema = {
  type: 'object',
  properties: {
    topic: { enum: choices },
    urgent: { type: 'boolean' },
    severity: { type: 'integer', minimum: 1, maximum: 5 },
  },
  required: ['topic', 'urgent', 'severity'],
};

const consonants = 'bdfgklmnprstvz';
/** Words that nobody knows: ` babe`, ` babi` and so on. */
const word = (i: number) => {
  const at = (n: number) => `${consonants[n % 14]}${'aeiou'[Math.floor(n / 14) % 5]}`;
  return ` ${at(i)}${at(Math.floor(i / 70))}`;
};
const known =
  'Text: Question: Answer with nothing but one of these: yes or no. an integer from to What is it about? urgent severity user assistant as JSON topic';
const pieces = [
  ...Array.from({ length: 1000 }, (_, i) => word(i)),
  ...known.split(' ').flatMap((each) => [` ${each}`, each]),
  ...['{"', '":', ' "', '",', '"}', ' true', ' false', 'yes', 'no', ...choices],
];

const { file, logitBias } = await decideModel({ width, layers }, pieces);
const model: Generator = await open(file, { kind: 'generator', threads: 1 });
const textOf = (nWords: number, seed: number) =>
  Array.from({ length: nWords }, (_, i) => word((i * 37 + seed * 611) % 1000)).join('');

async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const begin = performance.now();
  const result = await work();
  return [performance.now() - begin, result];
}

const cell = (text: string, size: number) => text.padStart(size);
console.log(`llama of width ${width}, ${layers} layers, int8, one thread; three questions`);
console.log('words  tokens  decide ms  schema ms  tokens of JSON  times as fast');
for (const nWords of [20, 60, 200, 800]) {
  const ours: number[] = [];
  const theirs: number[] = [];
  const ratios: number[] = [];
  let usage = { promptTokens: 0, completionTokens: 0 };
  for (let round = -1; round < nRounds; round++) {
    const text = textOf(nWords, round + 7);
    const content = `Text:\n${text}\n\nAnswer topic, urgent and severity as JSON`;
    const messages = [{ role: 'user', content }];
    const form = { format: { schema }, temperature: 0, logitBias, maxTokens: 200 };
    const [own] = await timed(() => model.decide(text, questions));
    const [written, answer] = await timed(() => model.generate({ messages }, form).result);
    if (answer.parsed === undefined) {
      throw new Error(`no whole answer: ${answer.text}`);
    }
    usage = answer.usage;
    if (round >= 0) {
      ours.push(own);
      theirs.push(written);
      ratios.push(written / own);
    }
  }
  console.log(
    [
      cell(String(nWords), 5),
      cell(String(usage.promptTokens), 7),
      cell(median(ours).toFixed(0), 10),
      cell(median(theirs).toFixed(0), 10),
      cell(String(usage.completionTokens), 15),
      cell(median(ratios).toFixed(2), 14),
    ].join(' '),
  );
}
await model.dispose();
