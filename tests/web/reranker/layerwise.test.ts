// The built package in Node: a reranker that scores after each of its last layers, as bge-reranker-v2-minicpm-layerwise.
// tests/core/infer/decoder/embedding/layer_heads_test.cpp compares its numbers with another implementation.
import { describe, expect, test } from 'vitest';
import { headDirectory } from '../support/directories/head-directories.ts';
import { pytorchFile, tensorsIn } from '../support/files/pytorch-file.ts';
import { languageModelDirectory, layerwiseDirectory } from '../support/models/reranker-models.ts';
import { openReranker } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const { open, convert } = ambry;
const query = 'how do cats sleep?';
const documents = ['Cats sleep in short naps.', 'Boats float.', ''];
const pairs = documents.map((document) => [query, document] as const);

/** The model of its first two layers. What a layer adds is divided by the root of their number. */
function firstTwoOfThree() {
  const files = new Map(layerwiseDirectory(3));
  const kept = tensorsIn(files.get('model.safetensors') as Uint8Array).filter(
    ({ name }) => !name.startsWith('model.layers.2.') && !name.startsWith('lm_head.1.'),
  );
  const short = layerwiseDirectory(2, { scale_depth: 1.4 * Math.sqrt(2 / 3) });
  files.set('config.json', short.get('config.json') as Uint8Array<ArrayBuffer>);
  files.delete('model.safetensors');
  files.set('pytorch_model.bin', pytorchFile(kept));
  return files;
}

describe('a reranker with a score after each layer', () => {
  test('scores after the last one, or the one that is asked for', async () => {
    await using model = await openReranker(layerwiseDirectory(3));
    expect(model.info.config?.['reranker']).toMatchObject({
      first_layer: 2,
      prompt: ['<s>', `A: {query}`, '\n', 'B: {document}', '\n', '{instruction}'],
      activation: 'identity',
      max_head_length: 1024,
      max_query_length: 768,
    });
    const last = await model.logits(pairs);
    expect(await model.logits(pairs, { layer: 3 })).toEqual(last);
    const second = await model.logits(pairs, { layer: 2 });
    expect(second).not.toEqual(last);
    expect(new Set(second).size).toBe(documents.length);
    expect(await model.score(pairs, { layer: 2 })).toEqual(second);
    const [best] = await model.rank(query, documents, { layer: 2, k: 1 });
    expect(best?.score).toBe(Math.max(...second));

    await using short = await openReranker(firstTwoOfThree());
    const expected = await short.logits(pairs);
    for (const [i, score] of second.entries()) {
      expect(score).toBeCloseTo(expected[i] as number, 5);
    }
  });

  test('scores the same as AMB, and writes no text', async () => {
    const source = layerwiseDirectory(3);
    const amb = await convert(source, { to: 'amb' });
    await using model = await openReranker(amb);
    await using other = await openReranker(source);
    expect(await model.logits(pairs, { layer: 2 })).toEqual(
      await other.logits(pairs, { layer: 2 }),
    );
    await using generator = await open(amb, { kind: 'generator' });
    await expect(generator.logits('a')).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'model',
    });
  });

  test('cuts a query to three quarters of its prompt, and then the document', async () => {
    await using model = await openReranker(layerwiseDirectory(2));
    const logit = async (asked: string, document: string) =>
      (await model.logits([[asked, document]]))[0];
    // A token each: "A: " takes 3 of 768, and all up to the end of the document 1,024.
    const [long, most] = ['q'.repeat(900), 'q'.repeat(765)];
    expect(await logit(long, 'd')).toBe(await logit(most, 'd'));
    expect(await logit(`${most.slice(1)}x`, 'd')).not.toBe(await logit(most, 'd'));
    const room = 1024 - 1 - 768 - 1 - 'B: '.length;
    expect(await logit(long, 'd'.repeat(900))).toBe(await logit(most, 'd'.repeat(room)));
    expect(await logit(long, `${'d'.repeat(room - 1)}x`)).not.toBe(
      await logit(most, 'd'.repeat(room)),
    );
    for (const [asked, document, message] of [
      [long, 'd', 'the query has 903 tokens, but the model takes at most 768'],
      [most, 'd'.repeat(room + 1), 'the prompt with this text has'],
    ] as const) {
      await expect(model.rank(asked, [document], { truncate: 'error' })).rejects.toMatchObject({
        code: 'LimitExceeded',
        path: 'documents[0]',
        message: expect.stringContaining(message) as string,
      });
    }
  });

  test.each([
    [1, 'must be 2 to 3, not 1'],
    [4, 'must be 2 to 3, not 4'],
    [1.5, 'must be'],
  ])('refuses the layer %o', async (layer, message) => {
    await using model = await openReranker(layerwiseDirectory(3));
    await expect(model.rank(query, documents, { layer })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.layer',
      message: expect.stringContaining(message) as string,
    });
  });

  test('is the only one that takes a layer', async () => {
    const files = { 'README.md': '# Qwen3-Reranker-0.6B\n' };
    for (const source of [languageModelDirectory({ files }), headDirectory()]) {
      await using model = await openReranker(source);
      await expect(model.rank(query, documents, { layer: 1 })).rejects.toMatchObject({
        code: 'Unsupported',
        path: 'options.layer',
        message: expect.stringContaining('bge-reranker-v2-minicpm-layerwise') as string,
      });
    }
  });

  test.each([
    [{ head_type: 'raw' }, 'Unsupported', 'config.json.head_type'],
    [{ head_multi: false }, 'Unsupported', 'config.json.head_multi'],
    [{ start_layer: 0 }, 'BadValue', 'config.json.start_layer'],
    [{ start_layer: 9 }, 'BadValue', 'config.reranker'],
    [{ start_layer: 1 }, 'NotFound', undefined],
  ])('is refused with %o', async (config, code, path) => {
    await expect(open(layerwiseDirectory(3, config))).rejects.toMatchObject({
      code,
      ...(path !== undefined && { path }),
    });
  });
});
