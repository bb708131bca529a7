// Embedding and reranking through the functions of the AI SDK, and the provider itself.
import { createProviderRegistry, embed, embedMany, NoSuchModelError, rerank } from 'ai';
import type { Model } from 'ambry';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openEncoder, openReranker } from '../../../tests/web/support/models/small-models.ts';
import { createAmbry } from '../src/index.ts';

const encoder = await forAllTests(openEncoder());
const reranker = await forAllTests(openReranker());

describe('embeddings', () => {
  test('are those of the library', async () => {
    const model = createAmbry({ minilm: encoder }).embeddingModel('minilm');
    const { embedding, usage } = await embed({ model, value: 'the cat' });
    expect(embedding.map(Math.fround)).toEqual([...(await encoder.embed('the cat'))]);
    expect(usage.tokens).toBe(2);
    const { embeddings } = await embedMany({ model, values: ['the cat', 'a dog'] });
    const both = await encoder.embed(['the cat', 'a dog']);
    expect(embeddings.map((row) => Float32Array.from(row))).toEqual(both);
  });

  test('take options of Ambry, and a signal', async () => {
    const model = createAmbry({ minilm: encoder }).embeddingModel('minilm');
    const providerOptions = { ambry: { normalize: false, prompt: 'the ' } };
    const { embedding } = await embed({ model, value: 'cat', providerOptions });
    const own = await encoder.embed('cat', { normalize: false, prompt: 'the ' });
    expect(embedding.map(Math.fround)).toEqual([...own]);
    const aborted = embed({ model, value: 'cat', abortSignal: AbortSignal.abort() });
    await expect(aborted).rejects.toThrow(/abort/i);
    const unknown = embed({ model, value: 'cat', providerOptions: { ambry: { norm: true } } });
    await expect(unknown).rejects.toThrow(/There is no option norm/);
    const matrix = embed({ model, value: 'cat', providerOptions: { ambry: { as: 'matrix' } } });
    await expect(matrix).rejects.toThrow(/There is no option as/);
  });
});

describe('reranking', () => {
  test('gives the order and the scores of the library', async () => {
    const model = createAmbry({ ranker: reranker }).rerankingModel('ranker');
    const documents = ['a dog', 'the cat', 'the house'];
    const own = await reranker.rank('the cat', documents, { k: 2 });
    const { ranking, rerankedDocuments } = await rerank({
      model,
      query: 'the cat',
      documents,
      topN: 2,
    });
    expect(ranking.map(({ originalIndex, score }) => [originalIndex, score])).toEqual(
      own.map(({ index, score }) => [index, score]),
    );
    expect(rerankedDocuments).toEqual(own.map(({ index }) => documents[index]));
  });

  test('reads objects as JSON', async () => {
    const model = createAmbry({ ranker: reranker }).rerankingModel('ranker');
    const documents = [{ text: 'a dog' }, { text: 'the cat' }];
    const own = await reranker.rank(
      'the cat',
      documents.map((value) => JSON.stringify(value)),
    );
    const { ranking } = await rerank({ model, query: 'the cat', documents });
    expect(ranking.map(({ score }) => score)).toEqual(own.map(({ score }) => score));
  });
});

describe('a provider', () => {
  test('opens a model with the first call, once, and again after a failure', async () => {
    let opened = 0;
    const entry = async (): Promise<Model> => {
      if (++opened === 1) {
        throw new Error('not yet');
      }
      return encoder;
    };
    const model = createAmbry({ minilm: entry }).embeddingModel('minilm');
    expect(opened).toBe(0);
    const call = () => embed({ model, value: 'cat', maxRetries: 0 });
    await expect(call()).rejects.toThrow('not yet');
    await Promise.all([call(), call()]);
    expect(opened).toBe(2);
  });

  test('says which models there are', async () => {
    const ambry = createAmbry({ minilm: encoder });
    for (const make of [ambry, ambry.embeddingModel, ambry.rerankingModel, ambry.imageModel]) {
      expect(() => make('other')).toThrow(NoSuchModelError);
    }
    expect(() => ambry('toString')).toThrow('The models are: minilm');
    const { doGenerate } = ambry('minilm');
    const generated = doGenerate.call(ambry('minilm'), { prompt: [] });
    await expect(generated).rejects.toThrow(
      'minilm is a sentence encoder; this needs a model that generates text',
    );
  });

  test('fits a registry', async () => {
    const registry = createProviderRegistry({ ambry: createAmbry({ minilm: encoder }) });
    const { embedding } = await embed({
      model: registry.embeddingModel('ambry:minilm'),
      value: 'cat',
    });
    expect(embedding).toHaveLength(encoder.dim);
  });
});
