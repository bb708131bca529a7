// Rerankers and text classifiers in a page: what they give is what they give in Node.
import { readFile } from 'node:fs/promises';
import { convert, type Encoder, open, type Reranker, type TextClassifier } from 'ambry';
import { headDirectory, nliLabels } from '../../tests/web/support/directories/head-directories.ts';
import { classifierPath } from '../../tests/web/support/files/classifier-files.ts';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { expect } from '../fixtures.ts';
import { test } from './package-site.ts';

const query = 'the cat';
const documents = ['dog ran home!', 'the cat sat.', 'on the mat', 'a cat, a mat, a home'];
const candidates = ['cat', 'dog'];
const options = { deterministic: true } as const;

async function weightsOf(labels?: readonly string[]): Promise<Buffer> {
  const blob = await convert(headDirectory(labels ? { labels } : {}));
  return Buffer.from(await blob.arrayBuffer());
}

test('a page ranks, classifies and sorts hits anew as Node does', async ({ packageSite, page }) => {
  const [reranker, nli] = [await weightsOf(), await weightsOf(nliLabels)];
  packageSite.serve();
  packageSite.serve({ content: contentOf(reranker) }, 'reranker.weights');
  packageSite.serve({ content: contentOf(nli) }, 'nli.weights');
  const found = await page.evaluate(
    async ({ query, documents, candidates, options }) => {
      const { createIndex, open } = await import(`${location.origin}/index.js`);
      const model: Reranker = await open('/reranker.weights', options);
      const ranked = await model.rank(query, documents);
      const encoder: Encoder = await open('/model.weights', options);
      const docs = documents.map((text) => ({ text }));
      const index = await createIndex(encoder, docs, options);
      const hits = await index.search(query, { rerank: model, k: 2 });
      const kind = 'textClassifier';
      const classifier: TextClassifier = await open('/nli.weights', { ...options, kind });
      const labels = await classifier.classify(documents, { candidates });
      return {
        facts: { kind: model.kind, flavour: model.flavour },
        ranked,
        hits: hits.map(({ text, score }: { text: string; score: number }) => ({ text, score })),
        labels,
      };
    },
    { query, documents, candidates, options },
  );

  expect(found.facts).toEqual({ kind: 'reranker', flavour: 'baseline' });
  await using model = await open(reranker, { ...options, kind: 'reranker' });
  const ranked = await model.rank(query, documents);
  expect(found.ranked).toEqual(ranked);
  expect(found.hits).toEqual(
    ranked.slice(0, 2).map(({ index, score }) => ({ text: documents[index], score })),
  );
  await using classifier = await open(nli, { ...options, kind: 'textClassifier' });
  expect(found.labels).toEqual(await classifier.classify(documents, { candidates }));
});

test('a text classifier opens whatever its name, by the worker that it needs', async ({
  packageSite,
  page,
}) => {
  const fastText = await readFile(classifierPath('softmax.bin'));
  packageSite.serve();
  packageSite.serve({ content: contentOf(await weightsOf(nliLabels)) }, 'nli.bin');
  packageSite.serve({ content: contentOf(fastText) }, 'fasttext.weights');
  packageSite.serve({ content: contentOf(fastText) }, 'fasttext.bin');
  const found = await page.evaluate(async () => {
    const { open } = await import(`${location.origin}/index.js`);
    const formats: string[] = [];
    for (const name of ['nli.bin', 'fasttext.weights', 'fasttext.bin']) {
      const source = await (await fetch(`/${name}`)).blob();
      for (const each of [`/${name}`, source, source.stream()]) {
        const model: TextClassifier = await open(each, { kind: 'textClassifier' });
        formats.push(`${model.kind} ${model.info.format}`);
        await model.dispose();
      }
    }
    return [...new Set(formats)];
  });
  expect(found).toEqual(['textClassifier embd', 'textClassifier fasttext']);
});

test('an encoder without a head is refused with the reason', async ({ packageSite, page }) => {
  packageSite.serve();
  const problem = await page.evaluate(async () => {
    const { open } = await import(`${location.origin}/index.js`);
    return open('/model.weights', { kind: 'reranker' }).catch((error: Error) => error.message);
  });
  expect(problem).toContain('no classification head');
});
