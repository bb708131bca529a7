// Replies of small models: their text, their reasoning, their calls of tools, and what their conversations keep.
import type { GeneratedToken, GenerateOptions, Generation, Generator, Prompt, Tool } from 'ambry';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../support/for-all-tests.ts';
import { openChat, openHermes, openLlama } from '../../support/models/small-models.ts';
import { openThinker, thoughts } from '../../support/models/thinking-models.ts';
import { calledText, calledTool, callToken } from '../../support/models/tool-models.ts';

const chat = await forAllTests(openChat());
const hermes = await forAllTests(openHermes());
const llama = await forAllTests(openLlama());
const thinker = await forAllTests(openThinker());

const tool = (name: string): Tool => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { n: { type: 'integer' } } } },
});
const messages = [{ role: 'user', content: 'Hi' }];
const tools = [tool('add')];
const calling = { logitBias: { [callToken]: 1e5 }, temperature: 0, maxTokens: 1 };

/** The result, after a check that its tokens add up to it. */
async function reply(model: Generator, prompt: Prompt, options: GenerateOptions) {
  const run = model.generate(prompt, options);
  const tokens: GeneratedToken[] = [];
  for await (const token of run) {
    tokens.push(token);
  }
  const result = await run.result;
  expect(tokens.map(({ text }) => text).join('')).toBe(result.text);
  expect(tokens.map(({ reasoning = '' }) => reasoning).join('')).toBe(result.reasoning);
  return result;
}

describe('a plain text that goes on', () => {
  test('is all text', async () => {
    const made = await reply(hermes, 'Hi', calling);
    expect(made.text).toContain('<tool_call>');
    expect(made).toMatchObject({
      reasoning: '',
      toolCalls: [],
      finishReason: 'length',
      stoppedBy: 'length',
      usage: { promptTokens: made.promptIds.length, completionTokens: 1, reusedTokens: 0 },
    });
    expect(made.usage.totalTokens).toBe(made.promptIds.length + 1);
  });
});

describe('tools', () => {
  test('are called in the text of an answer', async () => {
    expect(await reply(hermes, { messages, tools }, calling)).toMatchObject({
      text: calledText,
      toolCalls: [calledTool],
      finishReason: 'tool_calls',
      stoppedBy: 'length',
    });
  });

  test('are text if there are none, or none may be called', async () => {
    for (const prompt of [{ messages }, { messages, tools, toolChoice: 'none' }] as const) {
      const made = await reply(hermes, prompt, calling);
      expect(made.text).toContain('<tool_call>');
      expect(made).toMatchObject({ toolCalls: [], finishReason: 'length' });
    }
    const without = await chat.generate({ messages }, { maxTokens: 1 }).result;
    const none = { messages, tools, toolChoice: 'none' } as const;
    const { promptIds } = await chat.generate(none, { maxTokens: 1 }).result;
    expect(promptIds).toEqual(without.promptIds);
  });

  test.each([
    ['hermes', () => hermes],
    ['llama', () => llama],
  ])('can be required of %s', async (_, model) => {
    const given = { messages, tools: [tool('add'), tool('drop')], toolChoice: { name: 'drop' } };
    const made = await reply(model(), given, { seed: 1, maxTokens: 400 });
    expect(made).toMatchObject({ text: '', finishReason: 'tool_calls' });
    expect(made.toolCalls).toMatchObject([{ name: 'drop' }]);
    expect(made).not.toHaveProperty('parsed');
  });

  test('that are cut are text', async () => {
    const prompt = { messages, tools, toolChoice: 'required' } as const;
    const made = await reply(llama, prompt, { maxTokens: 3 });
    expect(made.text).toMatch(/^\{/);
    expect(made).toMatchObject({ finishReason: 'length', toolCalls: [] });
  });

  test('may be called in place of an answer that keeps to a schema', async () => {
    const format = { schema: { type: 'object', properties: { a: { const: 1 } } } };
    const kinds = new Set<string>();
    for (let seed = 0; seed < 12; seed++) {
      const made = await reply(llama, { messages, tools }, { format, seed, maxTokens: 200 });
      if (made.finishReason === 'length') {
        continue;
      }
      kinds.add(made.finishReason);
      expect(made.toolCalls.length).toBe(made.finishReason === 'tool_calls' ? 1 : 0);
      expect('parsed' in made).toBe(made.finishReason === 'stop');
    }
    expect(kinds.size).toBeGreaterThan(0);
  });

  test.each([
    ['a template without calls', () => chat, { tools }, {}, 'Unsupported', 'chatTemplate'],
    ['no tools', () => llama, { toolChoice: 'required' }, {}, 'BadValue', 'prompt.toolChoice'],
    [
      'another tool',
      () => llama,
      { tools, toolChoice: { name: 'x' } },
      {},
      'BadValue',
      'prompt.toolChoice',
    ],
    ['a wrong choice', () => llama, { tools, toolChoice: 3 }, {}, 'BadValue', 'prompt.toolChoice'],
    ['a wrong tool', () => llama, { tools: ['add'] }, {}, 'BadValue', 'prompt.tools[0]'],
    [
      'another form',
      () => llama,
      { tools },
      { format: { regex: 'a' } },
      'BadValue',
      'options.format',
    ],
  ] as const)('cannot be used with %s', async (_, model, given, options, code, path) => {
    const prompt = { messages, ...given } as unknown as Prompt;
    await expect(model().generate(prompt, options).result).rejects.toMatchObject({ code, path });
  });

  test('are those of each prompt where several run together', async () => {
    const prompts = [{ messages, tools }, { messages }, 'Hi'];
    const results = await hermes.generateAll(prompts, calling).results;
    expect(results.map(({ toolCalls }) => toolCalls.length)).toEqual([1, 0, 0]);
    const mixed = [{ messages }, { messages, tools, toolChoice: 'required' }] as const;
    await expect(hermes.generateAll(mixed, calling).results).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'prompts[1].toolChoice',
    });
  });
});

describe('reasoning', () => {
  test('is apart from the text, whether the prompt begins it or the model', async () => {
    for (const { variables, options } of thoughts) {
      const made = await reply(thinker, { messages, variables }, options);
      expect(made).toMatchObject({ text: 'Yes.', reasoning: 'So it is.' });
    }
  });

  test('is text where an answer has a form', async () => {
    const format = { choices: ['<think>a</think>b'] };
    const made = await reply(chat, { messages }, { format });
    expect(made).toMatchObject({ text: '<think>a</think>b', reasoning: '', finishReason: 'stop' });
  });

  test('of several answers is each their own', async () => {
    const run = thinker.generate({ messages }, { ...thoughts[0].options, n: 3 });
    const parts = ['', '', ''];
    for await (const { answer = 0, reasoning = '' } of run) {
      parts[answer] += reasoning;
    }
    const results = await run.results;
    expect(results.map(({ reasoning }) => reasoning)).toEqual(parts);
    expect(parts).toEqual(Array(3).fill('So it is.'));
  });
});

describe('a conversation', () => {
  test('has the reasoning apart from its answers, and keeps both', async () => {
    await using talk = thinker.session(thoughts[0].options);
    const made = await talk.send('Is it?').result;
    expect(made).toMatchObject({ text: 'Yes.', reasoning: 'So it is.' });
    expect(talk.messages.at(-1)?.content).toBe('<think>\nSo it is.\n</think>\n\nYes.');
  });

  test('keeps all that the model wrote', async () => {
    await using talk = hermes.session({ tools });
    const first = await talk.send('Is it?', calling).result;
    expect(first).toMatchObject({ text: calledText, toolCalls: [calledTool] });
    const written = talk.messages.at(-1)?.content ?? '';
    expect(written).toContain('<tool_call>');
    expect(await hermes.detokenize(first.ids)).toContain(written);
    const result = { role: 'tool', name: 'add', content: '3' };
    const second = await talk.send(result, { maxTokens: 3 }).result;
    expect(second.usage.reusedTokens).toBeGreaterThan(20);
    expect(talk.messages.at(-2)).toEqual(result);
  });

  test('takes other tools for one answer', async () => {
    await using talk = hermes.session();
    const none = await talk.send('Is it?', calling).result;
    expect(none.toolCalls).toEqual([]);
    const some = await talk.send('Is it?', { ...calling, tools }).result;
    expect(some.toolCalls).toEqual([calledTool]);
    const forced = await talk.send('?', { tools, toolChoice: 'required', maxTokens: 300, seed: 2 })
      .result;
    expect(forced.toolCalls).toMatchObject([{ name: 'add' }]);
    const wrong = talk.send('?', { toolChoice: 'required' }).result;
    await expect(wrong).rejects.toMatchObject({ path: 'options.toolChoice' });
  });

  test('keeps its tools when it is saved', async () => {
    await using talk = hermes.session({ tools, toolChoice: 'auto' });
    await talk.send('Is it?', { maxTokens: 1 }).result;
    await using again = await hermes.restoreSession(await talk.save());
    expect((await again.send('Is it?', calling).result).toolCalls).toEqual([calledTool]);
  });
});

test('an answer whose reader left says so', async () => {
  const run = chat.generate({ messages }, { ignoreEos: true, maxTokens: 200 });
  for await (const _ of run) {
    break;
  }
  const left: Generation = await run.result;
  expect(['left', 'length']).toContain(left.finishReason);
});
