import { expect, test } from 'vitest';
import { factsOf } from '../../../../../web/demo/search/model/model-facts.ts';
import type { LoadedModel } from '../../../../../web/demo/search/state/state.ts';

const info = { format: 'embd', version: 'F0', bytes: 1, tokenizer: null, config: {} };
const loaded = {
  model: { info, dim: 4, weightBytes: 1, flavour: 'relaxed' },
  name: 'a model',
} as unknown as LoadedModel;

test('the panel says what a conversion assumed', () => {
  const message = 'does not say whether its model is uncased';
  const warnings = [{ code: 'NotFound', path: 'vocab.txt', message }] as const;
  const said = factsOf({ ...loaded, warnings }).filter(([term]) => term === 'Left out or assumed');
  expect(said).toEqual([['Left out or assumed', `vocab.txt: ${message}`]]);
  expect(factsOf(loaded).map(([term]) => term)).not.toContain('Left out or assumed');
});
