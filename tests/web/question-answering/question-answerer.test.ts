// The built package in Node: models that answer questions from a text.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Progress, QuestionAnswerer } from '../../../web/src/index.ts';
import { questionDirectory } from '../support/directories/token-head-directories.ts';
import { openQuestionAnswerer } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { open, convert, runReport, createIndex } = ambry;
const question = 'the cat?';
const context = 'The dog ran home, and on the mat sat 🐈 a Cat.';
const long = Array.from({ length: 120 }, (_, i) => `${'abcdefgh'[i % 8]}${i % 7} sat on.`).join(
  ' ',
);

let model: QuestionAnswerer;
beforeAll(async () => {
  model = await openQuestionAnswerer(questionDirectory());
});
afterAll(() => model.dispose());

describe('a model that answers questions', () => {
  test('says what it is', async () => {
    expect(model.kind).toBe('questionAnswering');
    expect(model.info.config?.['tokenHead']).toEqual({ kind: 'questionAnswering', labels: [] });
    expect(model.weightBytes).toBeGreaterThan(10_000);
    const blob = await convert(questionDirectory());
    await using converted = await openQuestionAnswerer(new Uint8Array(await blob.arrayBuffer()));
    expect(await converted.answer(question, context)).toEqual(
      await model.answer(question, context),
    );
    expect(await runReport(blob)).toMatchObject({ kind: 'questionAnswering', obstacle: null });
  });

  test('answers with words of the text, the best first', async () => {
    const answers = await model.answer(question, context, { k: 8 });
    expect(answers).toHaveLength(8);
    for (const { text, start, end, score } of answers) {
      expect(context.slice(start, end)).toBe(text);
      expect(text).toMatch(/^\S/);
      expect(context.slice(0, start)).not.toMatch(/\w$/);
      expect(context.slice(end)).not.toMatch(/^\w/);
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
    }
    const scores = answers.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(answers.map(({ start, end }) => `${start} ${end}`)).size).toBe(8);
    expect(await model.answer(question, context)).toEqual(answers.slice(0, 1));
  });

  test('with probabilities that are whole together', async () => {
    const all = { k: 1000, maxAnswerTokens: 1000 };
    // Each token is a word here, so that no two answers are one.
    const words = 'the cat sat on mat';
    const answers = await model.answer(question, words, all);
    expect(answers).toHaveLength(15);
    expect(answers.reduce((sum, { score }) => sum + score, 0)).toBeLessThan(1);
    const one = await model.answer(question, 'cat', { noAnswer: true, k: 2 });
    expect(one.map(({ text }) => text).toSorted()).toEqual(['', 'cat']);
  });

  test('in fewer tokens where it must', async () => {
    const answers = await model.answer(question, 'the cat sat on mat', {
      k: 100,
      maxAnswerTokens: 1,
    });
    expect(answers.map(({ text }) => text).toSorted()).toEqual(['cat', 'mat', 'on', 'sat', 'the']);
  });

  test('counts in code points on request', async () => {
    const options = { k: 30 };
    const units = await model.answer(question, context, options);
    const points = await model.answer(question, context, { ...options, offsets: 'codePoints' });
    points.forEach(({ start, end, ...rest }, i) => {
      expect([...context].slice(start, end).join('')).toBe(rest.text);
      expect(rest).toMatchObject({ text: units[i]?.text, score: units[i]?.score });
    });
    expect(points).not.toEqual(units);
  });

  test('answers from each of several texts', async () => {
    const contexts = [context, '', long, 'cat'];
    const each = await model.answer(question, contexts, { k: 2 });
    expect(each).toHaveLength(4);
    expect(each[1]).toEqual([]);
    for (const [i, text] of contexts.entries()) {
      const alone = await model.answer(question, text, { k: 2 });
      expect(alone.map(({ start, end }) => [start, end])).toEqual(
        each[i]?.map(({ start, end }) => [start, end]),
      );
      alone.forEach(({ score }, at) => {
        expect(score).toBeCloseTo(each[i]?.[at]?.score ?? Number.NaN, 5);
      });
    }
    expect(await model.answer(question, [])).toEqual([]);
  });

  test('reads all of a long text', async () => {
    const answers = await model.answer(question, long, { k: 10_000, overlap: 20 });
    const ends = answers.map(({ end }) => end);
    expect(Math.min(...answers.map(({ start }) => start))).toBe(0);
    expect(Math.max(...ends)).toBe(long.length);
    for (const { text, start, end } of answers) {
      expect(long.slice(start, end)).toBe(text);
    }
    const none = await model.answer(question, long, { k: 10_000, noAnswer: true });
    expect(none.filter(({ text }) => text === '')).toHaveLength(1);
  });

  test('takes what is no word, and half of a character', async () => {
    expect(await model.answer(question, '')).toEqual([]);
    expect(await model.answer(question, ' \n\t ')).toEqual([]);
    expect(await model.answer(question, '', { noAnswer: true })).toEqual([
      { text: '', start: 0, end: 0, score: expect.closeTo(1, 6) as number },
    ]);
    const broken = 'a \ud83d cat \udc08 sat';
    for (const { text, start, end } of await model.answer(question, broken, { k: 50 })) {
      expect(broken.slice(start, end)).toBe(text);
    }
    expect(await model.answer('\ud83d?', 'a cat')).toHaveLength(1);
  });

  test.each([
    [{ k: 0 }, 'options.k'],
    [{ k: 1.5 }, 'options.k'],
    [{ maxAnswerTokens: 0 }, 'options.maxAnswerTokens'],
    [{ overlap: -1 }, 'options.overlap'],
    [{ overlap: 1000 }, 'options.overlap'],
    [{ noAnswer: 'yes' }, 'options.noAnswer'],
    [{ offsets: 'bytes' }, 'options.offsets'],
    [{ top: 1 }, 'options.top'],
  ])('refuses %o', async (options, path) => {
    await expect(model.answer(question, context, options as object)).rejects.toMatchObject({
      code: 'BadValue',
      path,
    });
  });

  test('refuses what is no text, and an empty question', async () => {
    const wrong = (given: unknown) => given as never;
    const path = async (call: Promise<unknown>, place: string) =>
      expect(call).rejects.toMatchObject({ code: 'BadValue', path: place });
    await path(model.answer(wrong(1), context), 'question');
    await path(model.answer('', context), 'question');
    await path(model.answer(' \n', context), 'question');
    await path(model.answer(question, wrong(null)), 'contexts');
    await path(model.answer(question, [context, wrong(3)]), 'contexts[1]');
  });

  test('refuses a question that leaves no place for a text', async () => {
    await expect(model.answer('the cat '.repeat(200), context)).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'contexts[0]',
    });
  });

  test('reports progress, and stops at an abort', async () => {
    const seen: Progress[] = [];
    const many = Array.from({ length: 100 }, () => long);
    await model.answer(question, many.slice(0, 4), { onProgress: (one) => seen.push(one) });
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    expect(seen.length).toBeGreaterThan(0);
    const abort = new AbortController();
    const { signal } = abort;
    const aborted = model.answer(question, many, { signal, onProgress: () => abort.abort() });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect(await model.answer(question, 'a cat')).toHaveLength(1);
  });

  test('reads the passages of an index', async () => {
    await using encoder = await open(await smallModel(), { kind: 'encoder' });
    const docs = ['the cat sat', 'dog ran home', 'on the mat'].map((text, id) => ({ id, text }));
    await using index = await createIndex(encoder, docs);
    const answers = await index.answer(model, question, { k: 4, passages: 2 });
    expect(answers).toHaveLength(4);
    for (const { passage, start, end, text, id } of answers) {
      expect(passage.slice(start, end)).toBe(text);
      expect(docs[Number(id)]?.text).toBe(passage);
    }
    await expect(index.answer(encoder as never, question)).rejects.toMatchObject({
      code: 'BadValue',
      path: 'model',
    });
  });
});

describe('opening', () => {
  test('as an encoder, with the kind', async () => {
    await using encoder = await open(questionDirectory(), { kind: 'encoder' });
    expect(encoder.kind).toBe('encoder');
    expect(await encoder.embed('the cat')).toHaveLength(32);
  });

  test('an encoder without such a head is refused', async () => {
    await expect(open(await smallModel(), { kind: 'questionAnswering' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.kind',
    });
  });
});
