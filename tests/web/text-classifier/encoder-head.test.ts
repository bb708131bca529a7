// Encoders that classify texts: labels with scores as in Transformers' pipelines, and zero-shot classification.
import { describe, expect, test } from 'vitest';
import type { TextClassifier } from '../../../web/src/index.ts';
import { headDirectory, nliLabels } from '../support/directories/head-directories.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { openTextClassifier } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const texts = ['the cat sat on the mat.', 'dog ran home!', ''];
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
function softmax(logits: readonly number[]): number[] {
  const powers = logits.map(Math.exp);
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

const model = await forAllTests(openTextClassifier(headDirectory({ labels: nliLabels })));

/** The logits of each input, in rows. */
async function rowsOf(inputs: Parameters<TextClassifier['logits']>[0]): Promise<number[][]> {
  const logits = await model.logits(inputs);
  return inputs.map((_, i) => Array.from(logits.subarray(i * 3, (i + 1) * 3)));
}

describe('classify', () => {
  test('gives all labels of a text, the most probable first', async () => {
    const rows = await rowsOf(texts);
    const found = await model.classify(texts);
    found.forEach((labels, i) => {
      const row = rows[i] ?? [];
      expect(labels.map(({ label }) => label).toSorted()).toEqual(nliLabels.toSorted());
      const scores = labels.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const { label, index, score } of labels) {
        expect(label).toBe(nliLabels[index]);
        expect(score).toBeCloseTo(softmax(row)[index] ?? Number.NaN, 12);
      }
    });
    expect(await model.classify(texts[0] ?? '')).toEqual(found[0]);
    expect(await model.classify([])).toEqual([]);
  });

  test('gives k labels', async () => {
    const all = await model.classify('cat');
    expect(await model.classify('cat', { k: 1 })).toEqual(all.slice(0, 1));
    expect(await model.classify('cat', { k: 9 })).toEqual(all);
  });

  test('takes pairs of texts', async () => {
    const [[best] = []] = await model.classify([['the cat sat.', 'dog']], { k: 1 });
    const [row = []] = await rowsOf([['the cat sat.', 'dog']]);
    expect(best?.index).toBe(row.indexOf(Math.max(...row)));
  });

  test('gives each label its own probability with multiLabel', async () => {
    const labels = await model.classify('cat', { multiLabel: true });
    const [row = []] = await rowsOf(['cat']);
    for (const { index, score } of labels) {
      expect(score).toBeCloseTo(sigmoid(row[index] as number), 12);
    }
  });

  test('does what problem_type says', async () => {
    const config = { problem_type: 'multi_label_classification' };
    await using several = await openTextClassifier(headDirectory({ labels: nliLabels, config }));
    const row = await several.logits(['cat']);
    for (const { index, score } of await several.classify('cat')) {
      expect(score).toBeCloseTo(sigmoid(row[index] as number), 12);
    }
    const one = await several.classify('cat', { multiLabel: false });
    expect(one.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 12);
  });

  test('one label has the probability of a sigmoid, where the kind is asked for', async () => {
    const source = headDirectory({ labels: ['toxic'] });
    await using only = await ambry.open(source, { kind: 'textClassifier' });
    expect(only).toMatchObject({ kind: 'textClassifier', labels: ['toxic'] });
    const [logit] = await only.logits(['cat']);
    const score = expect.closeTo(sigmoid(logit as number), 12) as number;
    expect(await only.classify('cat')).toEqual([{ label: 'toxic', index: 0, score }]);
  });

  test('refuses models whose numbers are no probabilities', async () => {
    const config = { problem_type: 'regression' };
    const labels = ['width', 'height'];
    await using regression = await openTextClassifier(headDirectory({ labels, config }));
    await expect(regression.classify('cat')).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'model',
    });
    expect(await regression.logits(['cat'])).toHaveLength(2);
  });

  test('gives 5 labels when the number is not given, and leaves unlikely ones out', async () => {
    const labels = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await using many = await openTextClassifier(headDirectory({ labels }));
    const all = await many.classify('cat', { k: 7 });
    expect(await many.classify('cat')).toEqual(all.slice(0, 5));
    const threshold = all[2]?.score as number;
    expect(await many.classify('cat', { threshold })).toEqual(all.slice(0, 3));
  });

  test('tokenizes', async () => {
    expect((await model.tokenize('the cat')).tokens).toEqual(['[CLS]', 'the', 'cat', '[SEP]']);
    expect(await model.tokenCounts(['the cat'])).toEqual(Uint32Array.of(2));
  });

  test.each([
    [{ k: 0 }, 'options.k'],
    [{ threshold: 1.5 }, 'options.threshold'],
    [{ hypothesis: 'It is {}.' }, 'options.hypothesis'],
    [{ candidates: [] }, 'options.candidates'],
    [{ candidates: ['a', ''] }, 'options.candidates[1]'],
    [{ candidates: ['a'], hypothesis: 'It is so.' }, 'options.hypothesis'],
  ])('refuses %o', async (options, path) => {
    await expect(model.classify('cat', options)).rejects.toMatchObject({
      code: 'BadValue',
      path,
    });
  });
});

describe('zero-shot classification', () => {
  const candidates = ['cat', 'dog', 'home'];

  test('is a softmax over the entailment of the candidates', async () => {
    for (const hypothesis of ['This example is {}.', 'the {} sat on the {}']) {
      const pairs = candidates.map(
        (candidate) => ['on the mat', hypothesis.replaceAll('{}', candidate)] as const,
      );
      const entailment = (await rowsOf(pairs)).map((row) => row[1] ?? Number.NaN);
      const found = await model.classify('on the mat', { candidates, hypothesis });
      expect(found.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 12);
      for (const { label, index, score } of found) {
        expect(label).toBe(candidates[index]);
        expect(score).toBeCloseTo(softmax(entailment)[index] ?? Number.NaN, 12);
      }
    }
  });

  test('with multiLabel, or one candidate, compares entailment with contradiction', async () => {
    const expected = async (candidate: string) => {
      const [row = []] = await rowsOf([['on the mat', `This example is ${candidate}.`]]);
      return softmax([row[0] ?? Number.NaN, row[1] ?? Number.NaN])[1] ?? Number.NaN;
    };
    const several = await model.classify('on the mat', { candidates, multiLabel: true });
    for (const { label, score } of several) {
      expect(score).toBeCloseTo(await expected(label), 12);
    }
    const scores = several.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const [only] = await model.classify('on the mat', { candidates: ['dog'] });
    expect(only?.score).toBeCloseTo(await expected('dog'), 12);
  });

  test('finds the other label where entailment is the first', async () => {
    const labels = ['entailment', 'neutral', 'contradiction'];
    await using other = await openTextClassifier(headDirectory({ labels }));
    const logits = await other.logits([['on the mat', 'This example is dog.']]);
    const [only] = await other.classify('on the mat', { candidates: ['dog'] });
    const [, right] = softmax([logits[2] ?? Number.NaN, logits[0] ?? Number.NaN]);
    expect(only?.score).toBeCloseTo(right ?? Number.NaN, 12);
  });

  test('gives a list for each text', async () => {
    const all = await model.classify(texts, { candidates, k: 2 });
    expect(all.map((labels) => labels.length)).toEqual([2, 2, 2]);
    expect(all[1]).toEqual(await model.classify(texts[1] ?? '', { candidates, k: 2 }));
  });

  test('needs a model of natural language inference', async () => {
    await using sentiment = await openTextClassifier(headDirectory({ labels: ['bad', 'good'] }));
    await expect(sentiment.classify('cat', { candidates })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.candidates',
      message: expect.stringContaining('bad, good') as string,
    });
  });

  test('takes texts, and no pairs', async () => {
    await expect(model.classify([['cat', 'dog']], { candidates })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'texts[0]',
    });
  });
});
