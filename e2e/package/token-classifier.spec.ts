// Token classifiers in a page: what they give is what they give in Node.
import { convert, open, type TokenClassifier } from 'ambry';
import { taggerDirectory } from '../../tests/web/support/directories/tagger-directories.ts';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { expect } from '../fixtures.ts';
import { test } from './package-site.ts';

const texts = ['the cat sat on the mat.', '🙂 dog ran home!', ''];
const options = { deterministic: true } as const;

test('a page finds and replaces entities as Node does', async ({ packageSite, page }) => {
  const file = Buffer.from(await (await convert(taggerDirectory())).arrayBuffer());
  packageSite.serve();
  packageSite.serve({ content: contentOf(file) }, 'ner.weights');
  const found = await page.evaluate(
    async ({ texts, options }) => {
      const { open } = await import(`${location.origin}/index.js`);
      const given = { ...options, kind: 'tokenClassifier' };
      const model: TokenClassifier = await open('/ner.weights', given);
      const blob = await (await fetch('/ner.weights')).blob();
      const streamed: TokenClassifier = await open(blob.stream(), options);
      return {
        facts: [model.kind, streamed.kind],
        tagged: await model.tag(texts),
        streamed: await streamed.tag(texts),
        redacted: await model.redact(texts),
      };
    },
    { texts, options },
  );
  await using model = await open(file, { ...options, kind: 'tokenClassifier' });
  const tagged = await model.tag(texts);
  expect(tagged.flat().length).toBeGreaterThan(0);
  expect(found).toEqual({
    facts: ['tokenClassifier', 'tokenClassifier'],
    tagged,
    streamed: tagged,
    redacted: await model.redact(texts),
  });
});
