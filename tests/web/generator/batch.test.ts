// Several answers together, and answers by prompt lookup, through the built package: the same as one by one.
import { describe, expect, test } from 'vitest';
import type { GenerateAllOptions, Generation, Prompt } from '../../../web/src/entries/types.ts';
import { languageFile } from '../support/files/language-file.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { longAnswer, longAnswerFile } from '../support/long-answers.ts';
import { openGenerator } from '../support/open-kinds.ts';

const model = await forAllTests(openGenerator(languageFile()));

const prompts: readonly Prompt[] = [
  'one',
  'abcabcabc',
  [256, 80, 90],
  { messages: [{ role: 'user', content: 'Hi' }] },
  'one two',
];
const sampled = { temperature: 1.2, topP: 1, maxTokens: 12, seed: 4 } as const;

/** What does not depend on the time. */
const fixed = ({ promptIds, ids, text, stoppedBy, seed }: Generation) => ({
  promptIds,
  ids,
  text,
  stoppedBy,
  seed,
});

async function oneByOne(options: GenerateAllOptions) {
  const made = [];
  for (const prompt of prompts) {
    made.push(fixed(await model.generate(prompt, options).result));
  }
  return made;
}

describe('generateAll', () => {
  test.each([
    ['at random', sampled],
    ['the most probable', { temperature: 0, maxTokens: 20, ignoreEos: true }],
    ['two together', { ...sampled, batchSize: 2, stop: ['a'] }],
    ['in a form', { ...sampled, format: { regex: '[ab]{3,9}' } }],
    ['by prompt lookup', { ...sampled, temperature: 0, promptLookupNumTokens: 10 }],
  ])('gives the answers of generate, %s', async (_, options) => {
    const expected = await oneByOne({ seed: 0, ...options });
    const results = await model.generateAll(prompts, { seed: 0, ...options }).results;
    expect(results.map(fixed)).toEqual(expected);
  });

  test('gives tokens with the number of their prompt', async () => {
    const run = model.generateAll(prompts, sampled);
    const texts = prompts.map(() => '');
    const order: number[] = [];
    for await (const { text, prompt = 9, answer } of run) {
      expect(answer).toBeUndefined();
      texts[prompt] += text;
      order.push(prompt);
    }
    expect((await run.results).map(({ text }) => text)).toEqual(texts);
    expect(order).not.toEqual(order.toSorted());
  });

  test('numbers the only prompt, too', async () => {
    for await (const { prompt } of model.generateAll(['a'], sampled)) {
      expect(prompt).toBe(0);
    }
  });

  test('gives each prompt a seed of its own', async () => {
    const { results } = model.generateAll(['a', 'a', 'a'], { maxTokens: 2 });
    const seeds = (await results).map(({ seed }) => seed);
    expect(new Set(seeds).size).toBe(3);
    const [again] = await model.generateAll(['a'], { maxTokens: 2, seed: seeds[1] as number })
      .results;
    expect(again?.ids).toEqual((await results)[1]?.ids);
  });

  test('counts the time of each answer', async () => {
    for (const made of await model.generateAll(prompts, { ...sampled, batchSize: 2 }).results) {
      expect(made.prompt.tokens).toBe(made.promptIds.length);
      expect(made.prompt.seconds).toBeGreaterThan(0);
      expect(made.generated.tokens).toBe(Math.max(made.ids.length - 1, 0));
      expect(made.generated.seconds).toBeGreaterThanOrEqual(0);
    }
  });

  test('leaving the loop ends all answers that had begun', async () => {
    await using large = await openGenerator(longAnswerFile());
    const run = large.generateAll(['a', 'b', 'c'], { ...longAnswer, batchSize: 2 });
    for await (const _ of run) {
      break;
    }
    const results = await run.results;
    expect(results.map(({ stoppedBy }) => stoppedBy)).toEqual(['left', 'left']);
    expect((await large.generate('b', sampled).result).stoppedBy).not.toBe('left');
  });

  test('an abort rejects the loop and the results', async () => {
    await using large = await openGenerator(longAnswerFile());
    const controller = new AbortController();
    const { signal } = controller;
    const run = large.generateAll(prompts, { ...longAnswer, signal });
    const loop = async () => {
      for await (const _ of run) {
        controller.abort();
      }
    };
    await expect(loop()).rejects.toMatchObject({ name: 'AbortError' });
    await expect(run.results).rejects.toMatchObject({ name: 'AbortError' });
    expect((await large.generate('b', sampled).result).stoppedBy).not.toBe('left');
  });

  const cases: readonly (readonly [string, unknown, object, object])[] = [
    ['no prompts', [], {}, { code: 'BadValue', path: 'prompts' }],
    ['no list', 'a', {}, { code: 'BadValue', path: 'prompts' }],
    ['a prompt that is none', ['a', 7], {}, { code: 'BadValue', path: 'prompts[1]' }],
    ['an id that is none', ['a', [5, 258]], {}, { code: 'BadValue', path: 'prompts[1][1]' }],
    [
      'a prompt beyond the context',
      ['a', 'b', 'c'.repeat(64)],
      {},
      { code: 'LimitExceeded', path: 'prompts[2]' },
    ],
    ['several answers', ['a'], { n: 2 }, { code: 'BadValue', path: 'options.n' }],
    ['no batch', ['a'], { batchSize: 0 }, { code: 'BadValue', path: 'options.batchSize' }],
    ['a temperature below 0', ['a'], { temperature: -1 }, { path: 'options.temperature' }],
  ];
  test.each(cases)('rejects %s', async (_, given, options, error) => {
    const run = model.generateAll(given as readonly Prompt[], options);
    await expect(run.results).rejects.toMatchObject(error);
  });
});

describe('promptLookupNumTokens', () => {
  test('changes no answer', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const options = {
        seed,
        temperature: seed % 4 === 0 ? 0 : 0.3,
        maxTokens: 40,
        ignoreEos: true,
        repetitionPenalty: 1 + (seed % 3) / 10,
        logprobs: 2,
        n: 1 + (seed % 3),
      };
      const seen = async (more: object) => {
        const run = model.generate('abababab', { ...options, ...more });
        const tokens: unknown[][] = [[], [], []];
        for await (const token of run) {
          tokens[token.answer ?? 0]?.push(token);
        }
        return { tokens, results: (await run.results).map(fixed) };
      };
      const plain = await seen({});
      expect(await seen({ promptLookupNumTokens: 1 + seed * 3 })).toEqual(plain);
    }
  });

  test('changes no conversation', async () => {
    const options = { temperature: 0, maxTokens: 8, ignoreEos: true };
    const plain = model.session(options);
    const looking = model.session({ ...options, promptLookupNumTokens: 10 });
    for (const message of ['ab', 'ab']) {
      const expected = await plain.send(message).result;
      const reply = await looking.send(message).result;
      expect(fixed({ ...reply, seed: 0 })).toEqual(fixed({ ...expected, seed: 0 }));
      expect(reply.usage).toEqual(expected.usage);
    }
    await plain.dispose();
    await looking.dispose();
  });

  test.each([
    { promptLookupNumTokens: -1 },
    { promptLookupNumTokens: 64 },
    { promptLookupNumTokens: 1.5 },
    { maxMatchingNgramSize: 0 },
    { maxMatchingNgramSize: 65 },
  ])('%j is refused', async (options) => {
    const [name] = Object.keys(options);
    await expect(model.generate('a', options).result).rejects.toMatchObject({
      code: 'BadValue',
      path: `options.${name}`,
    });
  });
});
