// The language model that the chat page has built in: the file is sound, and through the product it has the
// perplexity and the greedy texts that tests/reference/writer/stories.py printed of the model as trained.

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { forAllTests } from './support/for-all-tests.ts';
import { openGenerator } from './support/open-kinds.ts';
import { ambry } from './support/package.ts';
import { ByteServer, contentOf } from './support/servers/byte-server.ts';

const root = path.resolve(import.meta.dirname, '../..');
const shipped = path.join(root, 'web/demo/public/models/stories.amb');
const unseen = path.join(root, 'tests/fixtures/stories/unseen.txt');

const testPerplexity = 1.5937;

/** What PyTorch writes with the weights as floats. */
const testContinued = [
  [
    'Once upon a time',
    ' there was a little goose called Emil. Jona lived in a farm by the road. It was drizzling. "What a day," said Jona. A letter came for Ben. He had never had a letter before. "Dear Ben," it said, "come',
  ],
  [
    'It was raining',
    '. The goose stayed in a farm by the road, and the otter sat by the river. Then the fog lifted.',
  ],
] as const;

const model = await forAllTests(openGenerator(shipped));

test('the file is small, and valid in strict reading', async () => {
  expect((await stat(shipped)).size).toBeLessThanOrEqual(400_000);
  const { valid, warnings } = await ambry.validate(shipped, { strict: true, values: true });
  expect({ valid, warnings }).toEqual({ valid: true, warnings: [] });
});

test('it comes in two requests', async () => {
  const server = await ByteServer.start();
  const content = contentOf(await readFile(shipped));
  const { url, asked } = server.serve('stories.amb', { content, etag: '"one"' });
  const downloaded = await openGenerator(url);
  await downloaded.dispose();
  server.close();
  expect(asked.map(({ range }) => range)).toEqual(['bytes=0-65535', 'bytes=65536-386879']);
});

test('the perplexity of new stories is as its README states', async () => {
  const lines = (await readFile(unseen, 'utf8')).trim().split('\n');
  let total = 0;
  let tokens = 0;
  for (const line of lines) {
    const judged = await model.perplexity(line);
    total += judged.crossEntropy * judged.tokens;
    tokens += judged.tokens;
  }
  const perplexity = Math.exp(total / tokens);
  console.log(`perplexity of ${lines.length} unseen stories: ${perplexity.toFixed(4)}`);
  expect(Math.abs(perplexity - testPerplexity)).toBeLessThan(0.005);
});

test.each(testContinued)('temperature 0 continues "%s …" as expected', async (begun, continued) => {
  const { text } = await model.generate(begun, { temperature: 0, maxTokens: 60 }).result;
  expect(text).toBe(continued);
});

test.each([
  ['What does an owl eat?', 'It eats anything that is served late.'],
  ['What do I need for bread?', 'You need flour, water, salt and yeast.'],
  ['Who are you?', 'I am a little program that tells stories. I run in your browser.'],
])('the question %s gets the expected answer', async (content, answer) => {
  const messages = [{ role: 'user', content }];
  const { text, stoppedBy } = await model.generate({ messages }, { temperature: 0 }).result;
  expect(text).toBe(answer);
  expect(stoppedBy).toBe('eos');
});

test('its template rejects messages of other roles', async () => {
  const messages = [{ role: 'system', content: 'Be brief.' }];
  await expect(model.applyChatTemplate(messages)).rejects.toThrow(/user and assistant/);
});
