// Encoders that classify texts: labels with probabilities as in Transformers' pipelines, and zero-shot classification.
import { describe, expect, test } from 'vitest';
import type { Reranker } from '../../../web/src/index.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { headDirectory, nliLabels } from '../support/head-directories.ts';
import { openReranker } from '../support/open-kinds.ts';

const texts = ['the cat sat on the mat.', 'dog ran home!', ''];
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
function softmax(logits: readonly number[]): number[] {
  const powers = logits.map(Math.exp);
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

const model = await forAllTests(openReranker(headDirectory({ labels: nliLabels })));

/** The logits of each input, in rows. */
async function rowsOf(inputs: Parameters<Reranker['logits']>[0]): Promise<number[][]> {
  const logits = await model.logits(inputs);
  return inputs.map((_, i) => Array.from(logits.subarray(i * 3, (i + 1) * 3)));
}

describe('classifyText', () => {
  test('gives all labels of a text, the most probable first', async () => {
    const rows = await rowsOf(texts);
    const found = await model.classifyText(texts);
    found.forEach((labels, i) => {
      const row = rows[i] ?? [];
      expect(labels.map(({ label }) => label).toSorted()).toEqual(nliLabels.toSorted());
      const probabilities = labels.map(({ probability }) => probability);
      expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a));
      for (const { label, probability, logit } of labels) {
        const at = nliLabels.indexOf(label as (typeof nliLabels)[number]);
        expect(logit).toBe(row[at]);
        expect(probability).toBeCloseTo(softmax(row)[at] ?? Number.NaN, 12);
      }
    });
    expect(await model.classifyText(texts[0] ?? '')).toEqual(found[0]);
    expect(await model.classifyText([])).toEqual([]);
  });

  test('gives k labels', async () => {
    const all = await model.classifyText('cat');
    expect(await model.classifyText('cat', { k: 1 })).toEqual(all.slice(0, 1));
    expect(await model.classifyText('cat', { k: 9 })).toEqual(all);
  });

  test('takes pairs of texts', async () => {
    const [[best] = []] = await model.classifyText([['the cat sat.', 'dog']], { k: 1 });
    const [row = []] = await rowsOf([['the cat sat.', 'dog']]);
    expect(best?.logit).toBe(Math.max(...row));
  });

  test('gives each label its own probability with multiLabel', async () => {
    const labels = await model.classifyText('cat', { multiLabel: true });
    for (const { probability, logit } of labels) {
      expect(probability).toBeCloseTo(sigmoid(logit), 12);
    }
  });

  test('does what problem_type says', async () => {
    const config = { problem_type: 'multi_label_classification' };
    await using several = await openReranker(headDirectory({ labels: nliLabels, config }));
    for (const { probability, logit } of await several.classifyText('cat')) {
      expect(probability).toBeCloseTo(sigmoid(logit), 12);
    }
    const one = await several.classifyText('cat', { multiLabel: false });
    expect(one.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
  });

  test('one label has the probability of a sigmoid', async () => {
    await using reranker = await openReranker(headDirectory({ labels: ['toxic'] }));
    const [only] = await reranker.classifyText('cat');
    expect(only?.label).toBe('toxic');
    expect(only?.probability).toBeCloseTo(sigmoid(only?.logit ?? Number.NaN), 12);
  });

  test('refuses models whose numbers are no probabilities', async () => {
    const config = { problem_type: 'regression' };
    await using regression = await openReranker(headDirectory({ config }));
    await expect(regression.classifyText('cat')).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'model',
    });
    expect(await regression.score(['cat'])).toHaveLength(1);
  });

  test('a classifier of several labels cannot rank, and says so', async () => {
    await expect(model.rank('cat', texts)).rejects.toMatchObject({
      code: 'Unsupported',
      message: expect.stringContaining('contradiction, entailment, neutral') as string,
    });
    expect(await model.score(texts)).toHaveLength(9);
  });

  test.each([
    [{ k: 0 }, 'options.k'],
    [{ hypothesis: 'It is {}.' }, 'options.hypothesis'],
    [{ candidates: [] }, 'options.candidates'],
    [{ candidates: ['a', ''] }, 'options.candidates[1]'],
    [{ candidates: ['a'], hypothesis: 'It is so.' }, 'options.hypothesis'],
  ])('refuses %o', async (options, path) => {
    await expect(model.classifyText('cat', options)).rejects.toMatchObject({
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
      const found = await model.classifyText('on the mat', { candidates, hypothesis });
      expect(found.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
      for (const { label, logit, probability } of found) {
        expect(logit).toBe(entailment[candidates.indexOf(label)]);
        expect(probability).toBeCloseTo(
          softmax(entailment)[candidates.indexOf(label)] ?? Number.NaN,
          12,
        );
      }
    }
  });

  test('with multiLabel, or one candidate, compares entailment with contradiction', async () => {
    const expected = async (candidate: string) => {
      const [row = []] = await rowsOf([['on the mat', `This example is ${candidate}.`]]);
      return softmax([row[0] ?? Number.NaN, row[1] ?? Number.NaN])[1] ?? Number.NaN;
    };
    const several = await model.classifyText('on the mat', { candidates, multiLabel: true });
    for (const { label, probability } of several) {
      expect(probability).toBeCloseTo(await expected(label), 12);
    }
    expect(several.map(({ probability }) => probability)).toEqual(
      several.map(({ probability }) => probability).toSorted((a, b) => b - a),
    );
    const [only] = await model.classifyText('on the mat', { candidates: ['dog'] });
    expect(only?.probability).toBeCloseTo(await expected('dog'), 12);
  });

  test('finds the other label where entailment is the first', async () => {
    const labels = ['entailment', 'neutral', 'contradiction'];
    await using other = await openReranker(headDirectory({ labels }));
    const logits = await other.logits([['on the mat', 'This example is dog.']]);
    const [only] = await other.classifyText('on the mat', { candidates: ['dog'] });
    const [, right] = softmax([logits[2] ?? Number.NaN, logits[0] ?? Number.NaN]);
    expect(only?.probability).toBeCloseTo(right ?? Number.NaN, 12);
  });

  test('gives a list for each text', async () => {
    const all = await model.classifyText(texts, { candidates, k: 2 });
    expect(all.map((labels) => labels.length)).toEqual([2, 2, 2]);
    expect(all[1]).toEqual(await model.classifyText(texts[1] ?? '', { candidates, k: 2 }));
  });

  test('needs a model of natural language inference', async () => {
    await using sentiment = await openReranker(headDirectory({ labels: ['bad', 'good'] }));
    await expect(sentiment.classifyText('cat', { candidates })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.candidates',
      message: expect.stringContaining('bad, good') as string,
    });
  });

  test('takes texts, and no pairs', async () => {
    await expect(model.classifyText([['cat', 'dog']], { candidates })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'texts[0]',
    });
  });
});
