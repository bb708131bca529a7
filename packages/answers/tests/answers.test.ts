// Answers of small models as events.
import type { Generator, Tool } from 'ambry';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat, openHermes, openLlama } from '../../../tests/web/support/small-models.ts';
import { calledText, calledTool, callToken } from '../../../tests/web/support/tool-models.ts';
import { type AnswerEnd, type AnswerTask, answers, toolPlan } from '../src/index.ts';

const chat = await forAllTests(openChat());
const hermes = await forAllTests(openHermes());
const llama = await forAllTests(openLlama());

/** The text of each answer, and its end. */
async function ofAll(model: Generator, task: AnswerTask) {
  const texts: string[] = [];
  const ends: AnswerEnd[] = [];
  for await (const event of answers(model, task)) {
    texts[event.answer] = (texts[event.answer] ?? '') + event.text;
    if (event.kind === 'end') {
      ends.push(event);
    }
  }
  return { texts, ends };
}

const tool = (name: string): Tool => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { n: { type: 'integer' } } } },
});
const messages = [{ role: 'user', content: 'Hi' }];

describe('answers', () => {
  test('to several prompts are those of the library', async () => {
    const options = { seed: 4, maxTokens: 9 };
    const { results } = chat.generateAll(['Once', 'The end'], options);
    const { texts, ends } = await ofAll(chat, { prompts: ['Once', 'The end'], options });
    expect(texts).toEqual((await results).map(({ text }) => text));
    expect(ends.map(({ generation }) => generation.ids)).toEqual(
      (await results).map(({ ids }) => ids),
    );
  });

  test('may be several to each prompt', async () => {
    const options = { seed: 4, maxTokens: 5 };
    const own = async (prompt: string, seed: number) =>
      (await chat.generate(prompt, { ...options, seed }).result).text;
    const { texts } = await ofAll(chat, { prompts: ['a', 'b'], options, n: 2 });
    expect(texts).toEqual([
      await own('a', 4),
      await own('a', 5),
      await own('b', 4),
      await own('b', 5),
    ]);
  });

  test('end with the loop, and the model is free', async () => {
    for await (const _ of answers(chat, { prompts: ['a'], options: { ignoreEos: true } })) {
      break;
    }
    expect((await chat.generate('a', { maxTokens: 1 }).result).ids).toHaveLength(1);
  });

  test('are aborted by a signal', async () => {
    const run = answers(chat, { prompts: ['a'] }, AbortSignal.abort());
    await expect(run.next()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('tools', () => {
  const options = { logitBias: { [callToken]: 1e5 }, temperature: 0, maxTokens: 1 };

  test('are called in the text of an answer', async () => {
    const { mode, tools } = await toolPlan(hermes, [tool('add')]);
    const { texts, ends } = await ofAll(hermes, {
      prompts: [{ messages, tools }],
      options,
      tools: mode,
    });
    expect(texts).toEqual([calledText]);
    expect(ends).toMatchObject([{ reason: 'tool_calls', calls: [calledTool] }]);
  });

  test('are text if the answer is text', async () => {
    const { texts, ends } = await ofAll(hermes, { prompts: [{ messages }], options });
    expect(texts[0]).toContain('<tool_call>');
    expect(ends).toMatchObject([{ reason: 'length', calls: [] }]);
  });

  test('that are called in a wrong way are text', async () => {
    const broken = { ...options, logitBias: undefined, seed: 1, maxTokens: 30, temperature: 2 };
    const { logitBias: _, ...rest } = broken;
    const { texts, ends } = await ofAll(llama, {
      prompts: [{ messages }],
      options: { ...rest, format: { regex: '\\{"name": [a-z]{3}' } },
      tools: 'auto',
    });
    expect(texts[0]).toMatch(/^\{"name": [a-z]{3}$/);
    expect(ends).toMatchObject([{ reason: 'stop', calls: [] }]);
  });

  test.each([
    ['hermes', () => hermes],
    ['llama', () => llama],
  ])('can be required of %s', async (_, model) => {
    const given = [tool('add'), tool('drop')];
    const { mode, tools, format } = await toolPlan(model(), given, { name: 'drop' });
    expect(tools).toEqual([tool('drop')]);
    const { texts, ends } = await ofAll(model(), {
      prompts: [{ messages, tools }],
      options: { ...(format && { format }), seed: 1, maxTokens: 400 },
      tools: mode,
    });
    expect(texts).toEqual(['']);
    expect(ends).toMatchObject([{ reason: 'tool_calls', calls: [{ name: 'drop' }] }]);
  });

  test('that are cut are text', async () => {
    const { mode, tools, format } = await toolPlan(llama, [tool('add')], 'required');
    const { texts, ends } = await ofAll(llama, {
      prompts: [{ messages, tools }],
      options: { ...(format && { format }), maxTokens: 3 },
      tools: mode,
    });
    expect(texts[0]).toMatch(/^\{/);
    expect(ends).toMatchObject([{ reason: 'length', calls: [] }]);
  });

  test.each([
    ['a template without calls', () => chat, [tool('add')], 'auto', 'Unsupported', 'chatTemplate'],
    ['no tools', () => llama, [], 'required', 'BadValue', 'toolChoice'],
    ['another tool', () => llama, [tool('add')], { name: 'x' }, 'BadValue', 'toolChoice'],
  ] as const)('cannot be chosen with %s', async (_, model, tools, choice, code, path) => {
    await expect(toolPlan(model(), tools, choice)).rejects.toMatchObject({ code, path });
  });

  test('are not offered without a choice', async () => {
    expect(await toolPlan(chat, [tool('add')], 'none')).toEqual({ mode: 'text', tools: [] });
    expect(await toolPlan(chat, [])).toEqual({ mode: 'text', tools: [] });
  });
});
