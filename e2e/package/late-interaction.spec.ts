// Late interaction in a page, in the worker and the module that hold every encoder: it gives what it gives in Node.
import { convert, createIndex, type Encoder, open } from 'ambry';
import { colbertDirectory } from '../../tests/web/support/directories/late-directories.ts';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { expect } from '../fixtures.ts';
import { test } from './package-site.ts';

const query = 'the mat';
const documents = ['dog ran home!', 'the cat sat.', 'on the mat', 'a cat, a mat, a home'];
const options = { deterministic: true } as const;

async function modelFile(): Promise<Buffer> {
  return Buffer.from(await (await convert(colbertDirectory())).arrayBuffer());
}

test('a page embeds tokens, ranks and searches with late interaction as Node does', async ({
  packageSite,
  page,
}) => {
  const file = await modelFile();
  packageSite.serve({ content: contentOf(file) }, 'late.weights');
  const scripts: string[] = [];
  page.context().on('request', (request) => {
    scripts.push(new URL(request.url()).pathname);
  });
  const found = await page.evaluate(
    async ({ query, documents, options }) => {
      const api = (await import(`${location.origin}/index.js`)) as typeof import('ambry');
      const model = (await api.open('/late.weights', { ...options, kind: 'encoder' })) as Encoder;
      const matrix = await model.embedTokens(query, { as: 'query' });
      const ranked = await model.rank(query, documents);
      const docs = documents.map((text, id) => ({ id, text }));
      const index = await api.createIndex(model, docs, options);
      const hits = await index.search(query, { k: 3 });
      const facts = { kind: model.kind, flavour: model.flavour, late: model.lateInteraction };
      await index.dispose();
      await model.dispose();
      return { facts, ranked, matrix: [...matrix], hits: hits.map(({ id, score }) => [id, score]) };
    },
    { query, documents, options },
  );

  expect(scripts).toContain('/wasm/ambry-encoder-baseline.wasm');
  await using model = await open(file, { ...options, kind: 'encoder' });
  expect(found.facts).toEqual({
    kind: 'encoder',
    flavour: 'baseline',
    late: model.lateInteraction,
  });
  expect(found.matrix).toEqual([...(await model.embedTokens(query, { as: 'query' }))]);
  expect(found.ranked).toEqual(await model.rank(query, documents));
  const docs = documents.map((text, id) => ({ id, text }));
  await using index = await createIndex(model, docs, options);
  const hits = await index.search(query, { k: 3 });
  expect(found.hits).toEqual(hits.map(({ id, score }) => [id, score]));
});
