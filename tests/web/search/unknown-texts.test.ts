// The built package in Node: texts of pieces that the model does not know have no vector.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Encoder, SearchIndex } from '../../../web/src/index.ts';

import { openEncoder } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const builtIn = new URL('../../../web/demo/public/models/english-192x1.weights', import.meta.url);
const docs = [
  { id: 'ja', text: '新幹線の切符' },
  { id: 'long', text: '新幹線の切符'.repeat(60) },
  { id: 'emoji', text: 'Rockets 🚀 fly.' },
  { id: 'cat', text: 'Cats purr.' },
];
const unknown = ['🚀', 'ภาษาไทย', '©', '∑ ∂', 'как прочитать', 'x'.repeat(200), '新幹線'];

let model: Encoder;
let index: SearchIndex;
beforeAll(async () => {
  model = await openEncoder(await readFile(builtIn));
  index = await ambry.createIndex(model, docs);
});
afterAll(async () => {
  await index.dispose();
  await model.dispose();
});

test.each(unknown)('%s is near to nothing', async (query) => {
  expect(await index.search(query)).toEqual([]);
  for (const { cosine } of await index.search(query, { hybrid: true })) {
    expect(cosine).toBe(0);
  }
});

test('a passage of unknown pieces is near to nothing, and is found by its words', async () => {
  const hits = await index.search('rockets and cats');
  expect(
    hits
      .map(({ id }) => id)
      .slice(0, 2)
      .sort(),
  ).toEqual(['cat', 'emoji']);
  for (const { cosine } of hits.slice(2)) {
    expect(cosine).toBe(0);
  }
  expect((await index.search('切符', { hybrid: true }))[0]).toMatchObject({ cosine: 0 });
  expect(['ja', 'long']).toContain((await index.search('切符', { hybrid: true }))[0]?.id);
  expect((await index.search('🚀', { hybrid: true }))[0]?.id).toBe('emoji');
});

test('vectors of removed and saved passages stay with them', async () => {
  await using opened = await ambry.openIndex(await index.save(), { model });
  await opened.remove(({ id }) => id === 'ja');
  await opened.add([{ id: 'thai', text: 'ภาษาไทย' }]);
  const cosines = new Map((await opened.search('cats')).map(({ id, cosine }) => [id, cosine]));
  expect(cosines.get('long')).toBe(0);
  expect(cosines.get('thai')).toBe(0);
  expect(cosines.get('cat')).toBeGreaterThan(0.3);
});

test('a text without any piece is as before', async () => {
  expect(await index.search(' ')).toHaveLength(docs.length);
});
