// Generating text through the built package: a made-up model of bytes, and the stories of a real one.
import { describe, expect, test } from 'vitest';
import type { GenerateOptions, Prompt } from '../../../web/src/entries/types.ts';
import type { Generator } from '../../../web/src/index.ts';
import { cosine } from '../../../web/src/model/cosine.ts';
import { describeWithData } from '../support/data.ts';
import { beginId, chatTemplate, endId, languageFile } from '../support/files/language-file.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { longAnswer, longAnswerFile } from '../support/long-answers.ts';
import { knownStories, storiesFile } from '../support/models/stories.ts';
import { openGenerator } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const { quantize } = ambry;

const file = languageFile();
const model = await forAllTests(openGenerator(file));

const greedy = { temperature: 0, maxTokens: 12 } as const;

/** The result, and the texts of the tokens as they came. */
async function generated(prompt: Prompt, options: GenerateOptions = greedy, by: Generator = model) {
  const texts: string[] = [];
  const run = by.generate(prompt, options);
  for await (const { text } of run) {
    texts.push(text);
  }
  return { ...(await run.result), texts };
}

describe('generate', () => {
  test('describes the model in info', () => {
    expect(model.info.generator).toMatchObject({
      architecture: 'llama',
      context: 64,
      slidingWindow: null,
      vocabulary: 258,
      layers: 2,
      kv: 'f32',
      keyValueBytes: 2 * 2 * 64 * 4,
      endIds: [endId],
      specialTokens: { bos: '<s>', eos: '</s>' },
      streaming: null,
    });
    expect(model.chatTemplate).toBe(chatTemplate);
  });

  test('gives tokens whose texts add up to the result', async () => {
    const made = await generated('Hello', { ...greedy, maxTokens: 20 });
    expect(made.promptIds).toEqual([beginId, ...Buffer.from('Hello')]);
    expect(made.texts.join('')).toBe(made.text);
    expect(made.ids).toHaveLength(20);
    expect(made.stoppedBy).toBe('length');
    expect(made.prompt.tokens).toBe(6);
    expect(made.generated.tokens).toBe(19);
    expect(made.text).toBe(await model.detokenize(made.ids));
  });

  test('quantized and float activations give similar logits', async () => {
    const { blob } = await quantize(languageFile({ layers: 4, width: 256 }), { type: 'int8' });
    const ids = Array.from({ length: 40 }, (_, i) => (i * 37) % 256);
    const logits = async (weights: 'as-stored' | 'f32') => {
      await using opened = await openGenerator(blob as Blob, { weights });
      return await opened.logits(ids);
    };
    const [whole, exact] = [await logits('as-stored'), await logits('f32')];
    expect(whole).not.toEqual(exact);
    expect(cosine(whole, exact)).toBeGreaterThan(0.9995);
  });

  test('accepts token ids, and gives a result without a loop', async () => {
    const { ids, texts } = await generated([beginId, ...Buffer.from('Hello')]);
    expect(texts).toHaveLength(12);
    expect((await model.generate('Hello', greedy).result).ids).toEqual(ids);
  });

  test('a seed gives the same text again, and the result has it', async () => {
    const options = { temperature: 1.5, topP: 1, maxTokens: 16 };
    const first = await generated('a', options);
    const again = await generated('a', { ...options, seed: first.seed });
    expect(again.ids).toEqual(first.ids);
    const others = await Promise.all([1, 2, 3].map((seed) => generated('a', { ...options, seed })));
    expect(new Set(others.map(({ ids }) => ids.join())).size).toBeGreaterThan(1);
  });

  test('greedy tokens have the highest logits', async () => {
    const { ids, promptIds } = await generated('xy', { ...greedy, maxTokens: 4 });
    const rows = await model.logits([...promptIds, ...ids.slice(0, -1)], { all: true });
    const at = (row: number) => rows.subarray(row * 258, (row + 1) * 258);
    for (const [i, id] of ids.entries()) {
      const row = at(promptIds.length - 1 + i);
      expect(row.indexOf(Math.max(...row))).toBe(id);
    }
    const last = await model.logits([...promptIds, ...ids.slice(0, -1)]);
    expect(last).toEqual(at(promptIds.length + 2));
  });

  test('gives probabilities with logprobs', async () => {
    const run = model.generate('q', { ...greedy, maxTokens: 3, logprobs: 2 });
    for await (const { id, bytes, top, logprob, probability } of run) {
      expect(top).toHaveLength(2);
      expect(top?.[0]).toMatchObject({ id, logprob });
      expect(top?.[0]?.bytes).toEqual(bytes);
      expect(probability).toBeCloseTo(Math.exp(logprob ?? 0), 12);
    }
  });

  test('ends before a stop text', async () => {
    const { text } = await generated('stop', { ...greedy, maxTokens: 24 });
    const stop = [...text].slice(5, 7).join('');
    const made = await generated('stop', { ...greedy, maxTokens: 24, stop });
    expect(made.stoppedBy).toBe('stop');
    expect(made.text).toBe(text.slice(0, text.indexOf(stop)));
    expect(made.texts.join('')).toBe(made.text);
  });

  test('ends before a stop id', async () => {
    const { ids } = await generated('stop', { ...greedy, maxTokens: 24 });
    const stopId = ids[5] ?? 0;
    const made = await generated('stop', { ...greedy, maxTokens: 24, stopIds: [257, stopId] });
    expect(made.stoppedBy).toBe('stop');
    expect(made.ids).toEqual(ids.slice(0, ids.indexOf(stopId)));
  });

  test('biases and bans tokens', async () => {
    const { ids } = await generated('Hello');
    const ban = { [ids[0] ?? 0]: Number.NEGATIVE_INFINITY };
    const without = await generated('Hello', { ...greedy, logitBias: ban });
    expect(without.ids).not.toContain(ids[0]);
    const inJson = { [ids[0] ?? 0]: false } as const;
    expect((await generated('Hello', { ...greedy, logitBias: inJson })).ids).toEqual(without.ids);
    const only = await generated('Hello', { ...greedy, logitBias: { 65: 1000 } });
    expect(only.text).toBe('A'.repeat(12));
  });

  test('ignores the tokens that end a text on request', async () => {
    const sure = { ...greedy, logitBias: { [endId]: 1000 } };
    expect(await generated('a', sure)).toMatchObject({ stoppedBy: 'eos', ids: [] });
    expect(await generated('a', { ...sure, ignoreEos: true })).toMatchObject({
      stoppedBy: 'length',
    });
  });

  test('penalties and DRY keep a token from coming again and again', async () => {
    const stuck = { ...greedy, logitBias: { 65: 1000, 66: 990 } };
    expect((await generated('x', stuck)).text).toBe('A'.repeat(12));
    const frequency = await generated('x', { ...stuck, frequencyPenalty: 6 });
    expect(frequency.text.slice(0, 6)).toBe('AABABA');
    const window = await generated('x', { ...stuck, presencePenalty: 20, penaltyLastN: 1 });
    expect(window.text.slice(0, 6)).toBe('ABABAB');
    const dry = await generated('x', { ...stuck, dryMultiplier: 20, dryAllowedLength: 1 });
    expect(dry.text.slice(0, 3)).toBe('AAB');
    const breakers = { dryMultiplier: 20, dryAllowedLength: 1, drySequenceBreakers: ['A'] };
    expect((await generated('x', { ...stuck, ...breakers })).text).toBe('A'.repeat(12));
  });

  test.each<[string, GenerateOptions]>([
    ['typicalP', { typicalP: 0 }],
    ['minP', { minP: 1 }],
    ['topK', { topK: 1 }],
    ['topNSigma', { topNSigma: 1e-6 }],
    ['mirostat', { mirostat: 2, mirostatTau: 0 }],
  ])('%s can leave one token only', async (_, options) => {
    const ids = async (seed: number) => {
      const made = await generated('a', {
        temperature: 1,
        maxTokens: 8,
        topP: 1,
        seed,
        ...options,
      });
      return made.ids;
    };
    expect(await ids(1)).toEqual(await ids(2));
  });

  test('XTC leaves the most probable token out', async () => {
    const options = { maxTokens: 4, topP: 1, topK: 2, temperature: 0.01, seed: 1 };
    const { ids } = await generated('a', { ...options, topK: 1 });
    const xtc = await generated('a', { ...options, xtcProbability: 1, xtcThreshold: 0 });
    expect(xtc.ids[0]).not.toBe(ids[0]);
  });

  test('ends at the context', async () => {
    const made = await generated('a'.repeat(59), { ...greedy, maxTokens: 100 });
    expect(made.stoppedBy).toBe('context');
    expect(made.ids).toHaveLength(4);
  });

  test('leaving the loop ends the answer, and does not change the next one', async () => {
    const alone = await generated('b');
    const run = model.generate('a', { temperature: 0, maxTokens: 50 });
    let seen = 0;
    for await (const _ of run) {
      if (++seen === 3) {
        break;
      }
    }
    const left = await run.result;
    expect(['left', 'length', 'eos']).toContain(left.stoppedBy);
    expect(left.ids.length).toBeGreaterThanOrEqual(3);
    expect((await generated('b')).ids).toEqual(alone.ids);
  });

  test('an abort rejects the loop and the result', async () => {
    const controller = new AbortController();
    const run = model.generate('a', { maxTokens: 60, signal: controller.signal });
    controller.abort();
    const loop = async () => {
      for await (const _ of run) {
      }
    };
    await expect(loop()).rejects.toMatchObject({ name: 'AbortError' });
    await expect(run.result).rejects.toMatchObject({ name: 'AbortError' });
    expect((await generated('b')).ids).toHaveLength(12);
  });

  test('answers wait for each other', async () => {
    const prompts = ['one', 'two', 'three'];
    const alone = [];
    for (const prompt of prompts) {
      alone.push((await generated(prompt)).ids);
    }
    const together = await Promise.all(prompts.map((prompt) => generated(prompt)));
    expect(together.map(({ ids }) => ids)).toEqual(alone);
  });

  test('gives n answers with the seeds that follow', async () => {
    const options = { temperature: 1.5, topP: 1, maxTokens: 8, seed: 5 };
    const run = model.generate('a', { ...options, n: 3 });
    const texts = ['', '', ''];
    for await (const { text, answer = 9 } of run) {
      texts[answer] += text;
    }
    const results = await run.results;
    expect(await run.result).toBe(results[0]);
    expect(results.map(({ seed }) => seed)).toEqual([5, 6, 7]);
    expect(results.map(({ text }) => text)).toEqual(texts);
    const alone = await generated('a', { ...options, seed: 7 });
    expect(results[2]?.ids).toEqual(alone.ids);
    expect((await model.generate('a', options).results).map(({ ids }) => ids)).toEqual([
      results[0]?.ids,
    ]);
  });

  test('leaving the loop within n answers ends them', async () => {
    await using large = await openGenerator(longAnswerFile());
    const run = large.generate('a', { ...longAnswer, maxTokens: 100, n: 800 });
    for await (const { answer } of run) {
      if (answer === 1) {
        break;
      }
    }
    const results = await run.results;
    expect(results.length).toBeGreaterThan(1);
    expect(results.length).toBeLessThan(800);
    expect(results[1]?.ids.length).toBeGreaterThan(0);
    const next = await large.generate('b', { ...longAnswer, maxTokens: 12 }).result;
    expect(next.ids).toHaveLength(12);
  });

  test('reports the prompt and the tokens', async () => {
    const phases = new Set<string>();
    const onProgress = ({ phase }: { readonly phase: string }) => void phases.add(phase);
    await generated('abc', { ...greedy, onProgress });
    expect([...phases]).toEqual(['prompt', 'generate']);
  });
});

describe('conversations', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ];
  const text = 'system: Be brief.\nuser: Hi\nassistant:';

  test('become prompts by the file’s template, with one start token', async () => {
    expect(await model.applyChatTemplate(messages)).toBe(`<s>${text}`);
    const { promptIds } = await generated({ messages });
    expect(promptIds).toEqual([beginId, ...Buffer.from(text)]);
  });

  test('accept another template, variables, and no generation prompt', async () => {
    const template =
      '{% for m in messages %}{{ m.content | trim }}{{ mark }}{% endfor %}{% if add_generation_prompt %}:{% endif %}';
    const made = await model.applyChatTemplate(messages, {
      template,
      variables: { mark: '!' },
      addGenerationPrompt: false,
    });
    expect(made).toBe('Be brief.!Hi!');
  });

  test('a failing template reports the reason', async () => {
    const template = '{{ raise_exception("roles must alternate") }}';
    await expect(model.applyChatTemplate(messages, { template })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'chatTemplate',
      message: /roles must alternate/,
    });
    const broken = { messages, template: '{% for %}' };
    await expect(model.generate(broken).result).rejects.toMatchObject({ path: 'chatTemplate' });
  });

  test('reports a message without a role', async () => {
    const bad = [{ content: 'Hi' }] as never;
    await expect(model.applyChatTemplate(bad)).rejects.toMatchObject({ path: 'messages[0]' });
  });
});

describe('perplexity', () => {
  test('equals the one computed from the logits', async () => {
    const ids = [beginId, ...Buffer.from('some text')];
    const rows = await model.logits(ids, { all: true });
    let sum = 0;
    for (let i = 1; i < ids.length; i++) {
      const row = rows.subarray((i - 1) * 258, i * 258);
      const total = row.reduce((all, logit) => all + Math.exp(logit), 0);
      sum += Math.log(total) - (row[ids[i] ?? 0] ?? 0);
    }
    const found = await model.perplexity('some text');
    expect(found.tokens).toBe(9);
    expect(found.windows).toBe(1);
    expect(found.crossEntropy).toBeCloseTo(sum / 9, 4);
    expect(found.perplexity).toBeCloseTo(Math.exp(found.crossEntropy), 6);
  });

  test('splits a text longer than the context into windows', async () => {
    const found = await model.perplexity('abcdefgh'.repeat(20));
    expect(found.tokens).toBe(160);
    expect(found.windows).toBe(5);
  });
});

describeWithData('stories', ['stories260k'], () => {
  test.each(['alt', 'amb'] as const)('of %s equal those of the reference program', async (to) => {
    const source = await ambry.convert(storiesFile(), { to });
    const stories = await openGenerator(source);
    try {
      for (const { prompt, prompt_tokens, generated_tokens, text } of knownStories()) {
        const maxTokens = generated_tokens.length;
        const made = await generated(prompt, { temperature: 0, maxTokens }, stories);
        expect(made.promptIds).toEqual(prompt_tokens);
        expect(made.ids).toEqual(generated_tokens);
        expect(prompt + made.text).toBe(text);
        expect(made.texts.join('')).toBe(made.text);
      }
    } finally {
      await stories.dispose();
    }
  });
});
