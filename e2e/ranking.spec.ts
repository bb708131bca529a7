// The same questions about the same notes, asked at the page and in Node: the same answers in the same order.

import { readFile } from 'node:fs/promises';
import { createIndex, type Doc, type Encoder, open, type SearchIndex } from 'ambry';
import { expect, test } from './fixtures.ts';

const kModel = new URL('../dist/site/models/english-192x1.weights', import.meta.url);
const kNotes = new URL('../web/demo/corpus/everyday.json', import.meta.url);
const kQueries = [
  'trouble falling asleep at night',
  'how do I save money for later in life',
  'my bike makes a noise',
  'animals that see in the dark',
  'what to do when somebody is hurt',
];
/** As many as the page shows. */
const kShown = 8;

// The relaxed build may round sums of int8 products otherwise than the baseline one, so that neighbours of
// nearly the same score change places.
const kBounds = { baseline: 1e-6, relaxed: 5e-3 } as const;

let model: Encoder;
let index: SearchIndex;
test.beforeAll(async () => {
  const notes = JSON.parse(await readFile(kNotes, 'utf8')) as { passages: Doc[] };
  model = await open(await readFile(kModel), { kind: 'encoder', deterministic: true });
  index = await createIndex(model, notes.passages);
});
test.afterAll(async () => {
  await index.dispose();
  await model.dispose();
});

for (const flavour of ['baseline', 'relaxed'] as const) {
  test(`the ${flavour} build ranks in the page as the baseline does in Node`, async ({
    search,
  }) => {
    await search.open(`?flavour=${flavour}`);
    for (const query of kQueries) {
      const hits = await index.search(query, { k: 2 * kShown });
      const scores = new Map(hits.map(({ text, score }) => [text, score]));
      await search.query.fill(query);
      // Whatever the page showed before is not in this order by these scores.
      await expect(async () => {
        const shown = await search.results.locator('.result-text').allInnerTexts();
        expect(shown).toHaveLength(kShown);
        shown.forEach((text, i) => {
          const expected = hits[i]?.score ?? Number.NaN;
          const score = scores.get(text) ?? Number.NaN;
          expect(Math.abs(score - expected)).toBeLessThanOrEqual(kBounds[flavour]);
        });
      }).toPass({ timeout: 15_000 });
    }
  });
}
