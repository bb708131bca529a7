// The built-in chat model: the file is sound, and through the product it answers held-out prompts as well as its README states. Those
// were drawn and answered by tests/reference/writer/chat.py, so `written` is what PyTorch wrote with the weights as floats.

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChatMessage, Tool } from 'ambry';
import { describe, expect, test } from 'vitest';
import { runReadmeExample } from './support/cli/readme-example.ts';
import { forAllTests } from './support/for-all-tests.ts';
import { openGenerator } from './support/open-kinds.ts';
import { ambry } from './support/package.ts';

interface HeldOut {
  readonly skill: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  readonly answer: {
    readonly content: string;
    readonly tool_calls?: readonly { readonly function: object }[];
  };
  readonly written: string;
}

const root = path.resolve(import.meta.dirname, '../..');
const shipped = path.join(root, 'web/demo/public/models/chat.amb');
const card = path.join(root, 'web/demo/public/models/README.md');
const fixture = await readFile(path.join(root, 'tests/fixtures/chat/held-out.jsonl'), 'utf8');
const rows = fixture
  .trimEnd()
  .split('\n')
  .map((line): HeldOut => JSON.parse(line));

const model = await forAllTests(openGenerator(shipped));

async function answerTo({ messages, tools }: HeldOut) {
  const given = tools.length > 0 ? { messages, tools } : { messages };
  return model.generate(given, { temperature: 0, maxTokens: 120 }).result;
}

const answers = await Promise.all(rows.map(answerTo));

/** The rows whose answer is right, of all of this skill. */
function scoreOf(skill: string): string {
  const scored = rows.flatMap((row, i) => {
    const { text, toolCalls } = answers[i] ?? {};
    const calls = (row.answer.tool_calls ?? []).map((call) => call.function);
    const isRight =
      text === row.answer.content && JSON.stringify(toolCalls) === JSON.stringify(calls);
    return row.skill === skill ? [isRight] : [];
  });
  return `${scored.filter((isRight) => isRight).length} of ${scored.length}`;
}

test('the file is small, and valid in strict reading', async () => {
  expect((await stat(shipped)).size).toBeLessThanOrEqual(600_000);
  const { valid, warnings } = await ambry.validate(shipped, { strict: true, values: true });
  expect({ valid, warnings }).toEqual({ valid: true, warnings: [] });
  expect(model.info.generator.context).toBeGreaterThanOrEqual(1024);
});

const skills = [...new Set(rows.map(({ skill }) => skill))];

test.each(skills)('the score for "%s" is the one of its README', async (skill) => {
  const lines = (await readFile(card, 'utf8')).split('\n');
  const line = lines.find((row) => row.startsWith(`| \`${skill}\` |`));
  expect(line?.split(' | ').at(-1)).toBe(`${scoreOf(skill)} |`);
});

test('greedy answers are those of PyTorch, but for the rounding of weights', () => {
  const same = rows.filter(({ written, tools }, i) => {
    const { text, toolCalls } = answers[i] ?? {};
    const calls = /<tool_call>(.*)<\/tool_call>/.exec(written);
    const isCall = toolCalls !== undefined && toolCalls.length > 0 && tools.length > 0;
    return isCall && calls
      ? JSON.stringify(toolCalls) === JSON.stringify([JSON.parse(calls[1] ?? '')])
      : text === written;
  });
  expect(same.length).toBeGreaterThanOrEqual(Math.ceil(0.97 * rows.length));
});

describe('its chat template', () => {
  const weather: Tool = {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Tells the weather in a city',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: { type: ['integer', 'null'] },
          unit: { enum: ['celsius', 'fahrenheit'] },
        },
        required: ['city'],
      },
    },
  };

  test('writes a conversation with tools, calls and what they returned', async () => {
    const call = { name: 'get_weather', arguments: { city: 'Kiel' } };
    const text = await model.applyChatTemplate(
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Is it cold in Kiel?' },
        { role: 'assistant', content: '', tool_calls: [{ type: 'function', function: call }] },
        { role: 'tool', content: '{"sky":"rain"}' },
      ],
      { variables: { tools: [weather, { type: 'function', function: { name: 'ping' } }] } },
    );
    expect(text).toBe(
      '<|begin|><|tools|>get_weather(city:string,days?:any,unit?:celsius|fahrenheit): Tells the weather in a city\nping(): \n<|end|>' +
        '<|system|>Be brief.<|end|><|user|>Is it cold in Kiel?<|end|>' +
        '<|assistant|><tool_call>{"name": "get_weather", "arguments": {"city": "Kiel"}}</tool_call><|end|>' +
        '<|tool|>{"sky":"rain"}<|end|><|assistant|>',
    );
  });

  test('takes developer for system, and rejects other roles', async () => {
    const text = await model.applyChatTemplate([{ role: 'developer', content: 'Be brief.' }]);
    expect(text).toBe('<|begin|><|system|>Be brief.<|end|><|assistant|>');
    const messages = [{ role: 'critic', content: 'No.' }];
    await expect(model.applyChatTemplate(messages)).rejects.toThrow(/system, user, assistant/);
  });
});

test('the first example of docs/chat.md prints what it says', async () => {
  const page = path.join(root, 'docs/chat.md');
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(await readFile(page, 'utf8')) ?? [];
  const said = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);
  expect(said).toHaveLength(3);
  const printed = await runReadmeExample(pathToFileURL(page), {});
  expect(printed.trimEnd().split('\n')).toEqual(said);
});
