// The built package in Node: models that fill in missing words.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MaskFiller } from '../../../web/src/index.ts';
import {
  maskDirectory,
  maskLogitsOf,
  robertaMaskDirectory,
} from '../support/directories/token-head-directories.ts';
import { testVocabulary } from '../support/fixtures.ts';
import { ambry, smallModel } from '../support/package.ts';

const { open, convert } = ambry;

let model: MaskFiller;
beforeAll(async () => {
  model = await open(maskDirectory(), { kind: 'fillMask' });
});
afterAll(() => model.dispose());

describe('a model that fills in missing words', () => {
  test('says what it is, and what stands for a word', async () => {
    expect(model.kind).toBe('fillMask');
    expect(model.maskToken).toBe('[MASK]');
    expect(model.info.config?.['tokenHead']).toEqual({ kind: 'fillMask', labels: [] });
  });

  test('gives the probabilities that its weights give', async () => {
    const text = 'the [MASK] sat on the mat.';
    await using encoder = await open(maskDirectory(), { kind: 'encoder' });
    const [rows = new Float32Array()] = await encoder.embed([text], {
      pooling: 'none',
      normalize: false,
    });
    const { ids } = await model.tokenize(text);
    const at = ids.indexOf(testVocabulary.indexOf('[MASK]'));
    const logits = maskLogitsOf(rows.subarray(at * encoder.dim, (at + 1) * encoder.dim));
    const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0);
    const [words = [], ...others] = await model.fill(text, { k: 1000 });
    expect(others).toEqual([]);
    expect(words).toHaveLength(testVocabulary.length);
    for (const { id, score } of words) {
      expect(score).toBeCloseTo(Math.exp(logits[id] ?? Number.NaN) / sum, 6);
    }
    expect(words.reduce((total, { score }) => total + score, 0)).toBeCloseTo(1, 9);
    expect(await model.fill(text)).toEqual([words.slice(0, 5)]);
  });

  test('writes the words into the text', async () => {
    const text = 'The Cat [MASK]  on 🐈[MASK]!';
    const candidates = ['sat', 'ran', 'mat'];
    const masks = await model.fill(text, { candidates });
    expect(masks).toHaveLength(2);
    const filled = (place: number) => masks[place]?.map((word) => word.filled).toSorted();
    expect(filled(0)).toEqual(candidates.map((word) => text.replace('[MASK]', word)).toSorted());
    expect(filled(1)).toEqual(candidates.map((word) => `The Cat [MASK]  on 🐈${word}!`).toSorted());
    const [, pieces = []] = await model.fill('[MASK] a [MASK]', { k: 1000 });
    expect(pieces.find((word) => word.text === '##u')?.filled).toBe('[MASK] au');
    expect(pieces.find((word) => word.text === 'ran')?.filled).toBe('[MASK] a ran');
  });

  test('chooses among candidates, with their probabilities among all', async () => {
    const text = 'the [MASK] sat';
    const [all = []] = await model.fill(text, { k: 1000 });
    const [words = []] = await model.fill(text, { candidates: ['dog', 'cat', 'Home', 'dog'] });
    expect(words.map(({ text }) => text).toSorted()).toEqual(['cat', 'dog', 'home']);
    expect(words).toEqual(all.filter(({ id }) => words.some((word) => word.id === id)));
    const [one] = await model.fill(text, { k: 1, candidates: ['dog', 'cat'] });
    expect(one).toHaveLength(1);
  });

  test('of the same text in a file that was converted gives the same', async () => {
    const blob = await convert(maskDirectory(), { head: 'fillMask' });
    await using same = await open(blob, { kind: 'fillMask' });
    expect(await same.fill('a [MASK]')).toEqual(await model.fill('a [MASK]'));
  });

  test('reads masks in a text that is longer than it takes', async () => {
    const text = Array.from({ length: 100 }, (_, i) => (i % 40 === 5 ? '[MASK]' : 'cat')).join(' ');
    const masks = await model.fill(text, { k: 1 });
    expect(masks).toHaveLength(3);
    const counts = masks.map(([best]) => best?.filled.split('[MASK]').length);
    expect(counts).toEqual([3, 3, 3]);
  });

  test.each(['', 'a cat', '[mask] <mask>', '\ud83d'])('"%s" has no mask', async (text) => {
    await expect(model.fill(text)).rejects.toMatchObject({
      code: 'BadValue',
      path: 'text',
      message: 'The text has no [MASK]. Write it in the place of the missing word.',
    });
  });

  test('takes half of a character', async () => {
    const [words] = await model.fill('\ud83d [MASK] \udc08', { candidates: ['cat'] });
    expect(words?.[0]?.filled).toBe('\ud83d cat \udc08');
  });

  test.each([
    [{ k: 0 }, 'options.k'],
    [{ candidates: 'cat' }, 'options.candidates'],
    [{ candidates: [] }, 'options.candidates'],
    [{ candidates: ['cat', 3] }, 'options.candidates[1]'],
    [{ candidates: ['cat', 'kitten'] }, 'options.candidates[1]'],
    [{ candidates: ['cat', '🐈'] }, 'options.candidates[1]'],
    [{ topK: 1 }, 'options.topK'],
  ])('refuses %o', async (options, path) => {
    await expect(model.fill('a [MASK]', options as object)).rejects.toMatchObject({
      code: 'BadValue',
      path,
    });
  });
});

describe('tokens of RoBERTa', () => {
  let roberta: MaskFiller;
  beforeAll(async () => {
    roberta = await open(robertaMaskDirectory(), { kind: 'fillMask' });
  });
  afterAll(() => roberta.dispose());

  test('have another mask', async () => {
    expect(roberta.maskToken).toBe('<mask>');
    await expect(roberta.fill('a [MASK]')).rejects.toMatchObject({
      code: 'BadValue',
      path: 'text',
      message: expect.stringContaining('no <mask>') as string,
    });
  });

  test('have a space before them, or none', async () => {
    const all = await roberta.fill('a <mask>.', { k: 1000 });
    const ids = new Map(all[0]?.map(({ id, text, filled }) => [id, [text, filled]]));
    expect(ids.get(34)).toEqual(['ca', 'a ca.']);
    const { ids: tokens } = await roberta.tokenize(' cat', { special: false });
    expect(ids.get(tokens[0] ?? 0)).toEqual(['cat', 'a cat.']);
  });

  test('are chosen by what stands before the mask', async () => {
    const idOf = async (text: string) =>
      (await roberta.tokenize(text, { special: false })).ids as number[];
    const [after] = await roberta.fill('a  <mask>', { candidates: ['cat'] });
    expect(after?.map(({ id }) => id)).toEqual(await idOf(' cat'));
    expect(after?.[0]?.filled).toBe('a  cat');
    const [alone] = await roberta.fill('(<mask>)', { candidates: ['cat'] });
    expect(alone?.map(({ id }) => id)).toEqual(await idOf('cat'));
    expect(alone?.[0]?.filled).toBe('(cat)');
    const [first] = await roberta.fill('<mask> <mask>', { candidates: ['dog'] });
    expect(first?.[0]?.filled).toBe('dog <mask>');
  });
});

describe('opening', () => {
  test('without the kind gives an encoder', async () => {
    await using encoder = await open(maskDirectory());
    expect(encoder.kind).toBe('encoder');
  });

  test('an encoder without such a head is refused', async () => {
    await expect(open(await smallModel(), { kind: 'fillMask' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.kind',
    });
  });
});
