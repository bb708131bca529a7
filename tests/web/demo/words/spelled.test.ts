import { expect, test } from 'vitest';
import { explanationOf } from '../../../../web/demo/words/explain-view.ts';
import { explainSpelled } from '../../../../web/demo/words/session/spelled.ts';
import type { WordExplanation } from '../../../../web/src/index.ts';

const modelWith = (...known: readonly string[]) => ({
  explain: async (word: string): Promise<WordExplanation> => ({
    word,
    found: known.includes(word) ? 'known' : 'subwords',
    row: 7,
    norm: 1,
    ngrams: [],
    reason: null,
  }),
});

test.each([
  ['London', ['london'], 'london'],
  ['LONDON', ['london'], 'london'],
  ['london', ['London'], 'London'],
  ['London', ['London', 'london'], 'London'],
  ['élan', ['Élan'], 'Élan'],
  ['Xyzzy', ['london'], 'Xyzzy'],
])('%s in a list of %j is %s', async (word, list, found) => {
  expect((await explainSpelled(modelWith(...list), word)).word).toBe(found);
});

test('says how the list writes it', async () => {
  const model = modelWith('london');
  expect(explanationOf(await explainSpelled(model, 'London'), 'London')).toBe(
    '“London” is written “london” in the list of words.',
  );
  expect(explanationOf(await model.explain('london'), 'london')).toContain('in row 7');
});
