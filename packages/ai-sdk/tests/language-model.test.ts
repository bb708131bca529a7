// The language model through the functions of the AI SDK. Answers are compared with those of the library.
import {
  generateObject,
  generateText,
  isStepCount,
  type ModelMessage,
  Output,
  streamObject,
  streamText,
  tool,
} from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import {
  openChat,
  openHermes,
  openLlama,
  openLong,
} from '../../../tests/web/support/models/small-models.ts';
import { calledText, callToken } from '../../../tests/web/support/models/tool-models.ts';
import { createAmbry } from '../src/index.ts';

const chat = await forAllTests(openChat());
const hermes = await forAllTests(openHermes());
const llama = await forAllTests(openLlama());
const ambry = createAmbry({ chat, hermes, llama });

const settings = {
  maxOutputTokens: 12,
  temperature: 1,
  topP: 0.95,
  topK: 50,
  seed: 3,
  presencePenalty: 0.1,
};
const ownSettings = {
  maxTokens: 12,
  temperature: 1,
  topP: 0.95,
  topK: 50,
  seed: 3,
  presencePenalty: 0.1,
};
const own = (content: string, model = chat) =>
  model.generate({ messages: [{ role: 'user', content }] }, ownSettings).result;

describe('generateText', () => {
  test('gives the answer of the library, with its usage', async () => {
    const expected = await own('Hello');
    const answer = await generateText({ model: ambry('chat'), prompt: 'Hello', ...settings });
    expect(answer.text).toBe(expected.text);
    expect(answer.finishReason).toBe(expected.stoppedBy === 'length' ? 'length' : 'stop');
    expect(answer.usage).toMatchObject({
      inputTokens: expected.promptIds.length,
      outputTokens: expected.ids.length,
    });
    expect(answer.response.modelId).toBe('chat');
    expect(answer.warnings ?? []).toEqual([]);
  });

  test('takes options that are Ambry’s own, and refuses others', async () => {
    const providerOptions = { ambry: { logitBias: { 65: 1000 } } };
    const request = { model: ambry('chat'), prompt: 'Hello', maxOutputTokens: 3 };
    expect((await generateText({ ...request, providerOptions })).text).toBe('AAA');
    const unknown = generateText({ ...request, providerOptions: { ambry: { bias: 1 } } });
    await expect(unknown).rejects.toThrow(/There is no option bias/);
  });

  test('ends before a stop text', async () => {
    const { text } = await own('Hello');
    const stop = text.slice(4, 6);
    const answer = await generateText({
      model: ambry('chat'),
      prompt: 'Hello',
      ...settings,
      stopSequences: [stop],
    });
    expect(answer.text).toBe(text.slice(0, text.indexOf(stop)));
  });

  test('warns of reasoning, which there is not', async () => {
    const request = { model: ambry('chat'), prompt: 'Hello', maxOutputTokens: 1 };
    const { warnings } = await generateText({ ...request, reasoning: 'high' });
    expect(warnings).toEqual([{ type: 'unsupported', feature: 'reasoning' }]);
  });

  test('refuses files', async () => {
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [{ type: 'file', data: new Uint8Array(3), mediaType: 'image/png' }],
      },
    ];
    await expect(generateText({ model: ambry('chat'), messages })).rejects.toThrow(
      /reads text only/,
    );
  });

  test('tells what the library refuses', async () => {
    const long = generateText({ model: ambry('chat'), prompt: 'a'.repeat(600), maxRetries: 0 });
    await expect(long).rejects.toMatchObject({ name: 'AmbryError', code: 'LimitExceeded' });
  });
});

describe('streamText', () => {
  test('streams the same text', async () => {
    const expected = await own('Hello');
    const { textStream, usage } = streamText({
      model: ambry('chat'),
      prompt: 'Hello',
      ...settings,
    });
    const pieces: string[] = [];
    for await (const piece of textStream) {
      pieces.push(piece);
    }
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(expected.text);
    expect((await usage).outputTokens).toBe(expected.ids.length);
  });

  test('ends with its signal, and the model is free', async () => {
    await using long = await openLong();
    const abort = new AbortController();
    const { fullStream } = streamText({
      model: createAmbry({ long })('long'),
      prompt: 'Hello',
      temperature: 0,
      abortSignal: abort.signal,
      providerOptions: { ambry: { ignoreEos: true } },
    });
    const types: string[] = [];
    let texts = 0;
    for await (const { type } of fullStream) {
      types.push(type);
      if (type === 'text-delta' && ++texts === 3) {
        abort.abort();
      }
    }
    expect(types).toContain('abort');
    expect(texts).toBeLessThan(4000);
    expect((await long.generate('a', { maxTokens: 1 }).result).ids.length).toBeLessThan(2);
  });
});

describe('objects', () => {
  const schema = z.object({ age: z.int().max(99).min(0), ok: z.boolean() });

  test('keep to a schema', async () => {
    const { object } = await generateObject({
      model: ambry('chat'),
      prompt: 'Who?',
      schema,
      seed: 1,
    });
    expect(schema.parse(object)).toEqual(object);
    const { output } = await generateText({
      model: ambry('chat'),
      prompt: 'Who?',
      seed: 1,
      output: Output.object({ schema }),
    });
    expect(output).toEqual(object);
  });

  test('are streamed', async () => {
    const { partialObjectStream, object } = streamObject({
      model: ambry('chat'),
      prompt: 'Who?',
      schema,
      seed: 1,
    });
    const parts: unknown[] = [];
    for await (const part of partialObjectStream) {
      parts.push(part);
    }
    expect(parts.at(-1)).toEqual(await object);
    expect(parts.length).toBeGreaterThan(1);
  });
});

describe('tools', () => {
  const add = tool({
    description: 'Adds.',
    inputSchema: z.object({ n: z.int().min(0).max(99) }),
    execute: ({ n }) => n + 1,
  });
  const called = {
    temperature: 0,
    maxOutputTokens: 1,
    providerOptions: { ambry: { logitBias: { [callToken]: 1e5 } } },
  };

  test('are called, and their results are sent back', async () => {
    const answer = await generateText({
      model: ambry('hermes'),
      prompt: 'Hello',
      tools: { add },
      ...called,
      stopWhen: isStepCount(2),
    });
    const [first, second] = answer.steps;
    expect(first?.text).toBe(calledText);
    expect(first?.finishReason).toBe('tool-calls');
    expect(first?.toolCalls).toMatchObject([{ toolName: 'add', input: { n: 1 } }]);
    expect(first?.toolResults).toMatchObject([{ toolName: 'add', output: 2 }]);
    expect(second?.usage.inputTokens).toBeGreaterThan(first?.usage.inputTokens ?? 0);
  });

  test('are called in a stream', async () => {
    const { fullStream } = streamText({
      model: ambry('hermes'),
      prompt: 'Hello',
      tools: { add },
      ...called,
    });
    const types: string[] = [];
    for await (const { type } of fullStream) {
      types.push(type);
    }
    expect(types).toEqual(
      expect.arrayContaining([
        'text-start',
        'text-delta',
        'text-end',
        'tool-input-start',
        'tool-call',
        'tool-result',
        'finish',
      ]),
    );
  });

  test.each(['hermes', 'llama'])('can be required of %s', async (name) => {
    for (const toolChoice of ['required', { type: 'tool', toolName: 'add' }] as const) {
      const { toolCalls } = await generateText({
        model: ambry(name),
        prompt: 'Hello',
        tools: { add },
        toolChoice,
        seed: 1,
      });
      expect(toolCalls).toMatchObject([{ toolName: 'add', input: { n: expect.any(Number) } }]);
    }
  });

  test('do not go with a format, or with a template without calls', async () => {
    const both = generateText({
      model: ambry('hermes'),
      prompt: 'Hello',
      tools: { add },
      output: Output.object({ schema: z.object({}) }),
    });
    await expect(both).rejects.toThrow(/keeps to a format or calls tools/);
    const plain = generateText({ model: ambry('chat'), prompt: 'Hello', tools: { add } });
    await expect(plain).rejects.toMatchObject({ code: 'Unsupported', path: 'chatTemplate' });
  });
});
