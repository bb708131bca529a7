// Models that answer questions and that fill in missing words, in a page: what they give is what they give in Node.
import { convert, type MaskFiller, open, type QuestionAnswerer } from 'ambry';
import {
  maskDirectory,
  questionDirectory,
} from '../../tests/web/support/directories/token-head-directories.ts';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { expect } from '../fixtures.ts';
import { test } from './package-site.ts';

const question = 'where is the cat?';
const texts = ['the cat sat on the mat.', '🙂 dog ran home!', ''];
const masked = 'the [MASK] sat on the [MASK].';
const options = { deterministic: true } as const;

const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer());

test('a page answers questions and fills in words as Node does', async ({ packageSite, page }) => {
  const reading = await bytesOf(await convert(questionDirectory()));
  const filling = await bytesOf(await convert(maskDirectory(), { head: 'fillMask' }));
  packageSite.serve();
  packageSite.serve({ content: contentOf(reading) }, 'reader.weights');
  packageSite.serve({ content: contentOf(filling) }, 'filler.weights');
  const found = await page.evaluate(
    async ({ question, texts, masked, options }) => {
      const { createIndex, open } = await import(`${location.origin}/index.js`);
      const reader: QuestionAnswerer = await open('/reader.weights', options);
      const filler: MaskFiller = await open('/filler.weights', { ...options, kind: 'fillMask' });
      const encoder = await open('/filler.weights', options);
      const index = await createIndex(
        encoder,
        texts.map((text) => ({ text })),
      );
      return {
        facts: [reader.kind, filler.kind, filler.maskToken, encoder.kind],
        answers: await reader.answer(question, texts, { k: 3, noAnswer: true }),
        found: (await index.answer(reader, question)).length,
        words: await filler.fill(masked),
      };
    },
    { question, texts, masked, options },
  );
  await using reader = await open(reading, { ...options, kind: 'questionAnswering' });
  await using filler = await open(filling, { ...options, kind: 'fillMask' });
  expect(found).toEqual({
    facts: ['questionAnswering', 'fillMask', '[MASK]', 'encoder'],
    answers: await reader.answer(question, texts, { k: 3, noAnswer: true }),
    found: 1,
    words: await filler.fill(masked),
  });
});
