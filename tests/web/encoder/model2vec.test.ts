// Static encoders that Model2Vec wrote.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataPath } from '../../data-folder.mjs';
import { describeWithData } from '../support/data.ts';
import { openEncoder } from '../support/open-kinds.ts';

describeWithData('Model2Vec’s own fixtures', ['model2vec'], () => {
  test('open by path, and give their vectors', async () => {
    await using model = await openEncoder(join(dataPath('model2vec'), 'float32'));
    const vector = await model.embed('hello world');
    expect(vector[0]).toBeCloseTo(-0.3934547007083893, 5);
    expect(vector[1]).toBeCloseTo(-0.9193440079689026, 5);
  });
});
