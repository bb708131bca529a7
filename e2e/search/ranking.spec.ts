// For the same questions and notes, the page gives the same results in the same order as Node.

import { readFile } from 'node:fs/promises';
import { createIndex, type Doc, type Encoder, open, type SearchIndex } from 'ambry';
import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';

const name = 'english-192x1.weights';
const modelUrl = new URL(`../../packages/demo/site/models/${name}`, import.meta.url);
const notesUrl = new URL('../../web/demo/corpus/everyday.json', import.meta.url);
const queries = [
  'trouble falling asleep at night',
  'how do I save money for later in life',
  'my bike makes a noise',
  'animals that see in the dark',
  'what to do when somebody is hurt',
];
/** The number of results on the page. */
const resultCount = 8;

// The relaxed build may round sums of int8 products in another way than the baseline build. Results with nearly equal
// scores then may change their order.
const bounds = { baseline: 1e-6, relaxed: 5e-3 } as const;

let model: Encoder;
let index: SearchIndex;
test.beforeAll(async () => {
  const notes = JSON.parse(await readFile(notesUrl, 'utf8')) as { passages: Doc[] };
  model = await open(await readFile(modelUrl), { kind: 'encoder', deterministic: true });
  index = await createIndex(model, notes.passages);
});
test.afterAll(async () => {
  await index.dispose();
  await model.dispose();
});

for (const flavour of ['baseline', 'relaxed'] as const) {
  test(`the ${flavour} build ranks in the page like the baseline build in Node`, async ({
    search,
  }) => {
    await search.open(`?flavour=${flavour}`);
    await search.chooseModel({ name, buffer: await readFile(modelUrl) });
    await expect(search.fact(search.index, 'Dimensions')).toHaveText('192');
    for (const query of queries) {
      const hits = await index.search(query, { k: 2 * resultCount, hybrid: 0.2 });
      const scores = new Map(hits.map(({ text, score }) => [text, score]));
      await search.query.fill(query);
      // Older results do not have these scores in this order, so the check fails until the new ones are shown.
      await expect(async () => {
        const shown = await search.results.locator('.result-text').allInnerTexts();
        expect(shown).toHaveLength(resultCount);
        shown.forEach((text, i) => {
          const expected = hits[i]?.score ?? Number.NaN;
          const score = scores.get(text) ?? Number.NaN;
          expect(Math.abs(score - expected)).toBeLessThanOrEqual(bounds[flavour]);
        });
      }).toPass({ timeout: 15_000 });
    }
  });
}
