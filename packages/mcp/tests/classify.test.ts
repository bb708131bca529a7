// The tool for text classifiers.
import { expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openTextClassifier } from '../../../tests/web/support/models/small-models.ts';
import { localClient } from './support/clients.ts';

const nli = await forAllTests(openTextClassifier());
const served = await forAllTests(localClient({ classifiers: { nli } }));

test('labels texts as the model does', async () => {
  const { classifier, results } = await served.call('classify_text', { texts: 'the cat', k: 2 });
  expect(classifier).toBe('nli');
  const [own] = await nli.classify(['the cat'], { k: 2 });
  const rounded = own?.map(({ label, index, score }) => ({
    label,
    index,
    score: Number(score.toFixed(4)),
  }));
  expect(results).toEqual([{ labels: rounded }]);
});

test('takes candidates, and several texts', async () => {
  const candidates = ['animals', 'weather'];
  const { results } = await served.call('classify_text', { texts: ['a cat', 'rain'], candidates });
  expect(results).toHaveLength(2);
  const labels = results[0].labels.map(({ label }: { label: string }) => label);
  expect(labels.toSorted()).toEqual(candidates);
});

test('refuses what the model refuses', async () => {
  const failure = served.failure('classify_text', { texts: 'a', candidates: ['', 'b'] });
  expect(await failure).toMatch(/at candidates/);
  expect(await served.failure('classify_text', { texts: 'a', k: 0 })).toMatch(/at k/);
});
