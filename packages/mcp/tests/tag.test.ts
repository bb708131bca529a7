// The tools for token classifiers.
import { expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openTokenClassifier } from '../../../tests/web/support/models/small-models.ts';
import { localClient } from './support/clients.ts';

const names = await forAllTests(openTokenClassifier());
const served = await forAllTests(localClient({ taggers: { names } }));
const text = 'the cat sat on the mat. dog ran home!';

test('there are two tools for a token classifier', async () => {
  const { tools } = await served.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['tag_text', 'redact_text']);
});

test('finds the entities that the model finds', async () => {
  const { tagger, results } = await served.call('tag_text', { texts: [text, 'a'] });
  expect(tagger).toBe('names');
  const own = await names.tag([text, 'a']);
  expect(own[0]?.length).toBeGreaterThan(0);
  expect(results).toEqual(
    own.map((entities) => ({
      entities: entities.map(({ score, ...entity }) => ({
        ...entity,
        score: Number(score.toFixed(4)),
      })),
    })),
  );
  const sure = await served.call('tag_text', { texts: text, threshold: 1, labels: ['PER'] });
  expect(sure['results']).toEqual([{ entities: [] }]);
});

test('replaces them', async () => {
  const { texts } = await served.call('redact_text', { texts: text });
  expect(texts).toEqual([await names.redact(text)]);
  const labels = ['LOC'];
  const some = await served.call('redact_text', { texts: text, labels, replacement: '<{label}>' });
  expect(some['texts']).toEqual([await names.redact(text, { labels, replacement: '<{label}>' })]);
});

test('refuses what the model refuses', async () => {
  const failure = await served.failure('tag_text', { texts: text, labels: ['PR'] });
  expect(failure).toMatch(/labels.*Did you mean "PER"/s);
  expect(await served.failure('tag_text', { texts: '' })).toMatch(/at texts/);
  expect(await served.failure('redact_text', { texts: 'a', treshold: 1 })).toMatch(/treshold/);
});
