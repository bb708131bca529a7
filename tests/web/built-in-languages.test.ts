// The language identifier that the classify page has built in: it tells the languages of sentences that it was not trained on, as
// its README states.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ambry } from './support/package.ts';

const root = path.resolve(import.meta.dirname, '../..');
const models = path.join(root, 'web/demo/public/models');

async function sentences(): Promise<{ readonly language: string; readonly text: string }[]> {
  const file = await readFile(path.join(root, 'tests/fixtures/languages/test.txt'), 'utf8');
  return file
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [language = '', text = ''] = line.split('\t');
      return { language, text };
    });
}

test('as many languages are told as the README states', async () => {
  const readme = await readFile(path.join(models, 'README.md'), 'utf8');
  const [, count, right] =
    /the (\d+) texts of `tests\/fixtures\/languages.*\| (\d+) \|/.exec(readme) ?? [];
  const given = await sentences();
  await using model = await ambry.open(
    { path: path.join(models, 'languages-14.ftz') },
    { kind: 'textClassifier' },
  );
  const best = await model.classify(
    given.map(({ text }) => text),
    { k: 1 },
  );
  const correct = best.filter(
    ([first], at) => first?.label === `__label__${given[at]?.language}`,
  ).length;
  expect([given.length, correct]).toEqual([Number(count), Number(right)]);
});

test('no sentence of the test is among the texts of the training', async () => {
  const corpus = await readFile(path.join(root, 'web/demo/corpus/languages.txt'), 'utf8');
  const trained = new Set(corpus.split('\n'));
  const given = await sentences();
  expect(given.filter(({ text }) => trained.has(text))).toEqual([]);
});

test('it has 14 languages', async () => {
  await using model = await ambry.open(
    { path: path.join(models, 'languages-14.ftz') },
    { kind: 'textClassifier' },
  );
  expect(model.labels.toSorted().join(' ').replaceAll('__label__', '')).toBe(
    'da de en es fi fr it nl pl pt ru sv tr uk',
  );
});
