// Classifiers of others beside fastText's own program: lid.176.ftz and a model of film reviews, with sentences in many
// languages and damaged ones.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dataPath } from '../../data-folder.mjs';
import { describeWithData } from '../support/data.ts';
import { openTextClassifier } from '../support/open-kinds.ts';

const languages = 'language_id/lid.176.ftz';
const reviews = 'gensim/pang_lee_polarity_fasttext.bin';
const sentencesFile = 'language_id/accuracy.csv';
const hasProgram = spawnSync('fasttext').error === undefined;
if (!hasProgram) {
  console.log('skipped: no program fasttext (Debian: fasttext)');
}

/** Repeatable. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Sentences of the data folder. The last column is the text, in quotes where it has commas. */
function sentences(): string[] {
  const lines = readFileSync(dataPath(sentencesFile), 'utf8').split('\n').slice(1);
  return lines
    .map((line) =>
      line
        .split(',')
        .slice(7)
        .join(',')
        .replace(/^"|"\r?$/g, ''),
    )
    .filter((text) => text !== '');
}

function mutated(texts: readonly string[], count: number): string[] {
  const draw = generator(17);
  const one = () => texts[draw(texts.length)] ?? '';
  const changes: readonly ((text: string) => string)[] = [
    (text) => text.slice(0, draw(text.length + 1)),
    (text) => text.toUpperCase(),
    (text) => [...text].reverse().join(''),
    (text) => text.replaceAll(' ', ['\t', '', '\v', '\u00a0', '  '][draw(5)] ?? ''),
    (text) => `${text.slice(draw(text.length))} ${one()} __label__x`,
    (text) => `${text.slice(0, 5)}${String.fromCodePoint(0x20 + draw(0xd000))}${text.slice(5)}`,
  ];
  return Array.from({ length: count }, () => (changes[draw(changes.length)] ?? String)(one()));
}

/** What the program prints: a label and its probability by turns. */
function byProgram(file: string, texts: readonly string[], k: number): [string, number][][] {
  const args = ['predict-prob', dataPath(file), '-', String(k)];
  const out = execFileSync('fasttext', args, {
    input: `${texts.join('\n')}\n`,
    maxBuffer: 2 ** 28,
  });
  const lines = out.toString().split('\n').slice(0, -1);
  return lines.map((line) => {
    const fields = line.split(' ').filter((field) => field !== '');
    return Array.from({ length: fields.length / 2 }, (_, i) => [
      fields[2 * i] ?? '',
      Number(fields[2 * i + 1]),
    ]);
  });
}

/** Compares both programs on all texts, with one label and with several. */
async function expectSame(file: string, nLabels: number, texts: readonly string[]): Promise<void> {
  await using model = await openTextClassifier({ path: dataPath(file) });
  expect(model.labels).toHaveLength(nLabels);
  for (const k of [1, 4]) {
    const expected = byProgram(file, texts, k);
    expect(expected).toHaveLength(texts.length);
    const found = await model.classify(texts, { k });
    const differ = texts.filter((_, i) => {
      const [ours = [], theirs = []] = [found[i], expected[i]];
      const same = ours.every(
        ({ label, score }, j) => label === theirs[j]?.[0] && Math.abs(score - theirs[j][1]) < 1e-5,
      );
      return !same || ours.length !== theirs.length;
    });
    expect(differ).toEqual([]);
  }
}

describeWithData('classifiers of others', [languages, reviews, sentencesFile], () => {
  test.skipIf(!hasProgram).each([
    [languages, 176],
    [reviews, 2],
  ])(
    '%s gives the labels and probabilities of fastText',
    async (file, nLabels) => {
      const real = sentences();
      const texts = [...real, ...mutated(real, 4000)].map((text) =>
        text.replaceAll(/[\r\n]|<\/s>/g, ' '),
      );
      expect(texts.length).toBeGreaterThan(10_000);
      await expectSame(file, nLabels, texts);
    },
    120_000,
  );
});
