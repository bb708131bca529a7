// The built-in chat model behind the server: real clients ask it, it calls their tools, and it tells what they returned.
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { open } from 'ambry';
import { modelUrl } from 'ambry-models';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { post, testServer } from './support/test-server.ts';

const server = await forAllTests(
  testServer({ chat: () => open(modelUrl('chat.amb'), { kind: 'generator' }) }),
);
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });

const question = 'What is the weather in Kiel?';
const weather = { temperature: 7, sky: 'rain' };
const told = 'The temperature is 7 and the sky is rain.';
const messages = [{ role: 'user' as const, content: question }];
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const described = {
  name: 'get_weather',
  description: 'Tells the weather in a city',
  parameters,
};

test.each([
  true,
  false,
])('openai calls the tool and gets the answer (stream: %s)', async (stream) => {
  const asked: unknown[] = [];
  const run = (given: object) => {
    asked.push(given);
    return JSON.stringify(weather);
  };
  const runnable = { ...described, parse: JSON.parse, function: run };
  const settings = {
    model: 'chat',
    messages,
    temperature: 0,
    tools: [{ type: 'function' as const, function: runnable }],
  };
  const { completions } = client.chat;
  const runner = stream
    ? completions.runTools({ ...settings, stream: true })
    : completions.runTools(settings);
  expect(await runner.finalContent()).toBe(told);
  expect(asked).toEqual([{ city: 'Kiel' }]);
});

test('the arguments keep to the schema of a tool that must be called', async () => {
  const { choices } = await client.chat.completions.create({
    model: 'chat',
    messages,
    temperature: 0,
    tools: [{ type: 'function', function: described }],
    tool_choice: 'required',
  });
  expect(choices[0]?.message.tool_calls).toMatchObject([
    { function: { name: 'get_weather', arguments: '{"city":"Kiel"}' } },
  ]);
});

test('LangChain’s loop ends with the answer', async () => {
  const get = tool(async () => JSON.stringify(weather), {
    name: described.name,
    description: described.description,
    schema: z.object({ city: z.string() }),
  });
  const model = new ChatOpenAI({
    model: 'chat',
    apiKey: 'none',
    temperature: 0,
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
  }).bindTools([get]);
  const human = new HumanMessage(question);
  const first = await model.invoke([human]);
  expect(first.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Kiel' } }]);
  const result = await get.invoke({ ...first.tool_calls?.[0], type: 'tool_call' } as never);
  expect((await model.invoke([human, first, result])).content).toBe(told);
});

test('Ollama’s loop ends with the answer', async () => {
  const ollama = new Ollama({ host: server.url });
  const settings = {
    model: 'chat',
    options: { temperature: 0 },
    tools: [{ type: 'function', function: described }],
    stream: false as const,
  };
  const { message } = await ollama.chat({ ...settings, messages });
  expect(message.tool_calls).toMatchObject([
    { function: { name: 'get_weather', arguments: { city: 'Kiel' } } },
  ]);
  const result = { role: 'tool', tool_name: 'get_weather', content: JSON.stringify(weather) };
  const last = await ollama.chat({ ...settings, messages: [...messages, message, result] });
  expect(last.message.content).toBe(told);
});

test('a system prompt of Anthropic’s form is obeyed', async () => {
  const response = await post(`${server.url}/v1/messages`, {
    model: 'chat',
    max_tokens: 60,
    temperature: 0,
    system: 'You are Nora, a pirate.',
    messages: [{ role: 'user', content: 'Who are you?' }],
  });
  expect((await response.json()).content).toMatchObject([{ text: 'I am Nora, a pirate.' }]);
});

test('a text in the system prompt is read', async () => {
  const system = 'Answer from this text only:\nThe museum in Kiel opens at 9. The tower is red.';
  const { choices } = await client.chat.completions.create({
    model: 'chat',
    temperature: 0,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: 'When does the museum in Kiel open?' },
    ],
  });
  expect(choices[0]?.message.content).toBe('The museum in Kiel opens at 9.');
});
