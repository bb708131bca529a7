// Embeddings and reranking through LangChain.
import { ContextualCompressionRetriever } from '@langchain/classic/retrievers/contextual_compression';
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory';
import { Document } from '@langchain/core/documents';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openEncoder, openReranker } from '../../../tests/web/support/models/small-models.ts';
import { AmbryChat, AmbryEmbeddings, AmbryRerank } from '../src/index.ts';

const encoder = await forAllTests(openEncoder());
const reranker = await forAllTests(openReranker());

const texts = ['a dog', 'the cat', 'the house'];

describe('embeddings', () => {
  test('are those of the library, with options for documents and queries', async () => {
    const embeddings = new AmbryEmbeddings({
      model: encoder,
      documentOptions: { normalize: false },
      queryOptions: { prompt: 'the ' },
    });
    const documents = await embeddings.embedDocuments(texts);
    expect(documents.flat()).toEqual([
      ...(await encoder.embed(texts, { as: 'matrix', normalize: false })),
    ]);
    expect(await embeddings.embedQuery('cat')).toEqual([...(await encoder.embed('the cat'))]);
    expect(await embeddings.embedDocuments([])).toEqual([]);
  });

  test('are searched in a store', async () => {
    const embeddings = new AmbryEmbeddings({ model: encoder });
    const store = await MemoryVectorStore.fromTexts(
      texts,
      [{ n: 0 }, { n: 1 }, { n: 2 }],
      embeddings,
    );
    const [best] = await store.similaritySearchWithScore('the cat', 1);
    expect(best?.[0].metadata).toEqual({ n: 1 });
    expect(best?.[1]).toBeCloseTo(1, 5);
  });

  test('tell what the library refuses', async () => {
    const embeddings = new AmbryEmbeddings({
      model: encoder,
      queryOptions: { promptName: 'none' },
    });
    await expect(embeddings.embedQuery('cat')).rejects.toMatchObject({ name: 'AmbryError' });
  });
});

describe('reranking', () => {
  test('gives the order and the scores of the library', async () => {
    const documents = texts.map(
      (text, n) => new Document({ pageContent: text, metadata: { n }, id: `d${n}` }),
    );
    const own = await reranker.rank('the cat', texts, { k: 2 });
    const best = await new AmbryRerank({ model: reranker, topN: 2 }).compressDocuments(
      documents,
      'the cat',
    );
    expect(best).toEqual(
      own.map(({ index, score }) => ({
        pageContent: texts[index],
        metadata: { n: index, relevanceScore: score },
        id: `d${index}`,
      })),
    );
    expect(documents[0]?.metadata).toEqual({ n: 0 });
    expect(await new AmbryRerank({ model: reranker }).compressDocuments([], 'a')).toEqual([]);
  });

  test('is part of a retriever', async () => {
    const store = await MemoryVectorStore.fromTexts(
      texts,
      {},
      new AmbryEmbeddings({ model: encoder }),
    );
    const retriever = new ContextualCompressionRetriever({
      baseCompressor: new AmbryRerank({ model: reranker, topN: 1 }),
      baseRetriever: store.asRetriever(3),
    });
    const [own] = await reranker.rank('the cat', texts, { k: 1 });
    const [best] = await retriever.invoke('the cat');
    expect(best?.pageContent).toBe(texts[own?.index ?? -1]);
  });

  test('needs a model that ranks', async () => {
    const documents = [new Document({ pageContent: 'a' })];
    const compressing = new AmbryRerank({ model: encoder }).compressDocuments(documents, 'a');
    await expect(compressing).rejects.toMatchObject({ code: 'Unsupported' });
  });
});

test('a model of another kind is refused', () => {
  const refusal = expect.objectContaining({ code: 'Unsupported', path: 'model' });
  expect(() => new AmbryEmbeddings({ model: reranker as never })).toThrow(refusal);
  expect(() => new AmbryChat({ model: encoder as never })).toThrow(refusal);
});
