// What the word pieces of a text add to its cosine with a query.
import { describe, expect, test } from 'vitest';
import type { Encoder, ExplainOptions } from '../../../web/src/index.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const testQuery = 'a dog at home';
const testPrompts = { prompts: { query: 'the cat sat on ', passage: 'dog: ' } };

/** The small model with other settings of sentence-transformers. */
async function modelWith(
  pooling: Readonly<Record<string, boolean>>,
  settings: object = {},
): Promise<Encoder> {
  const files = modelDirectory();
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  files.set('1_Pooling/config.json', json({ word_embedding_dimension: 32, ...pooling }));
  files.set('config_sentence_transformers.json', json(settings));
  return openEncoder(await ambry.convert(files));
}

/** By the vectors that `embed` gives. */
async function cosineBy(
  model: Encoder,
  text: string,
  { prompt, docPrompt }: ExplainOptions = {},
): Promise<number> {
  const vector = (of: string, name: string | undefined) =>
    model.embed(of, { normalize: true, ...(name !== undefined && { prompt: name }) });
  const [a, b] = [await vector(testQuery, prompt), await vector(text, docPrompt)];
  return a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
}

const texts = ['the cat sat on the mat.', 'Dogs  RAN home!', '', 'the dog ran on '.repeat(30)];
const poolings = [
  ['mean', { pooling_mode_mean_tokens: true }],
  ['mean_sqrt_len', { pooling_mode_mean_sqrt_len_tokens: true }],
  ['max', { pooling_mode_max_tokens: true }],
] as const;

describe('explain', () => {
  test.each(poolings)('%s: the pieces sum to the cosine', async (name, pooling) => {
    await using model = await modelWith(pooling);
    expect(model.info.config).toMatchObject({ pooling: name });
    for (const text of texts) {
      const { score, pieces } = await model.explain(testQuery, text);
      expect(score).toBeCloseTo(await cosineBy(model, text), 5);
      expect(pieces.reduce((sum, piece) => sum + piece.score, 0)).toBeCloseTo(score, 12);
    }
  });

  test('mean pooling: the part of a piece comes from its own vector', async () => {
    await using model = await openEncoder(await smallModel());
    const text = 'the cat ran';
    const query = await model.embed(testQuery, { normalize: true });
    const [rows = new Float32Array()] = await model.embed([text], { pooling: 'none' });
    const mean = await model.embed(text, { normalize: false });
    const scale = Math.hypot(...mean) * (rows.length / 32);
    const { pieces } = await model.explain(testQuery, text);
    pieces.forEach(({ score }, i) => {
      const own = query.reduce((sum, x, j) => sum + x * (rows[32 * i + j] ?? 0), 0);
      expect(score).toBeCloseTo(own / scale, 5);
    });
    expect(new Set(pieces.map(({ score }) => score.toFixed(6))).size).toBe(5);
  });

  test('gives the position of each piece, but none for special tokens', async () => {
    await using model = await openEncoder(await smallModel());
    const text = 'The cats 🐈 ran!';
    const { pieces } = await model.explain(testQuery, text);
    expect(pieces.map(({ token, start, end }) => [token, text.slice(start, end)])).toEqual([
      ['[CLS]', ''],
      ['the', 'The'],
      ['cat', 'cat'],
      ['##s', 's'],
      ['[UNK]', '🐈'],
      ['ran', 'ran'],
      ['!', '!'],
      ['[SEP]', ''],
    ]);
  });

  test('has no pieces of truncated text', async () => {
    await using model = await openEncoder(await smallModel());
    const { pieces } = await model.explain(testQuery, 'the cat '.repeat(40));
    expect(pieces).toHaveLength(32);
    expect(pieces.at(-1)?.token).toBe('[SEP]');
    expect(pieces.at(-2)).toMatchObject({ token: 'cat', end: 15 * 8 - 1 });
  });

  test.each([
    [true, ['[CLS]', 'dog', '[UNK]', 'cat', '[SEP]']],
    [false, ['cat', '[SEP]']],
  ])('supports prompts by name or text, in the mean: %s', async (include_prompt, tokens) => {
    const pooling = { pooling_mode_mean_tokens: true, include_prompt };
    await using model = await modelWith(pooling, testPrompts);
    for (const options of [
      { prompt: 'query', docPrompt: 'passage' },
      { prompt: 'a ', docPrompt: 'dog: ' },
    ]) {
      const { score, pieces } = await model.explain(testQuery, 'cat', options);
      expect(score).toBeCloseTo(await cosineBy(model, 'cat', options), 5);
      expect(pieces.map(({ token }) => token)).toEqual(tokens);
      expect(pieces.at(-2)).toMatchObject({ token: 'cat', start: 0, end: 3 });
    }
  });

  test('puts the model’s default prompt before query and text', async () => {
    const settings = { ...testPrompts, default_prompt_name: 'passage' };
    await using model = await modelWith({ pooling_mode_mean_tokens: true }, settings);
    const { score, pieces } = await model.explain(testQuery, 'cat');
    expect(score).toBeCloseTo(await cosineBy(model, 'cat'), 5);
    expect(pieces).toHaveLength(5);
    expect((await model.explain(testQuery, 'cat', { docPrompt: '' })).pieces).toHaveLength(3);
  });

  test.each([
    ['cls', { pooling_mode_cls_token: true }],
    ['lasttoken', { pooling_mode_lasttoken: true }],
  ])('%s: is not possible, because the vector is that of one token', async (_, pooling) => {
    await using model = await modelWith(pooling);
    await expect(model.explain(testQuery, 'cat')).rejects.toMatchObject({
      name: 'AmbryError',
      code: 'Unsupported',
      path: 'config.pooling',
    });
  });

  test('rejects inputs that are not texts, and rejects after an abort', async () => {
    await using model = await openEncoder(await smallModel());
    const none = undefined as unknown as string;
    await expect(model.explain(none, 'x')).rejects.toMatchObject({ path: 'query' });
    await expect(model.explain('x', none)).rejects.toMatchObject({
      code: 'BadValue',
      path: 'text',
    });
    const signal = AbortSignal.abort();
    await expect(model.explain('x', 'y', { signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
