// What a model thinks before its answer, through the functions of the AI SDK.
import { generateText, streamText } from 'ai';
import { expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openThinker, thoughts } from '../../../tests/web/support/models/thinking-models.ts';
import { createAmbry } from '../src/index.ts';

const thinker = await forAllTests(openThinker());
const { logitBias, temperature, maxTokens: maxOutputTokens } = thoughts[0].options;
const request = {
  model: createAmbry({ thinker })('thinker'),
  prompt: 'Is it?',
  temperature,
  maxOutputTokens,
  providerOptions: { ambry: { logitBias } },
};

test('is apart from the text', async () => {
  const { text, reasoningText } = await generateText(request);
  expect({ text, reasoningText }).toEqual({ text: 'Yes.', reasoningText: 'So it is.' });
});

test('is apart in a stream', async () => {
  const { stream, text, reasoningText } = streamText(request);
  const kinds: string[] = [];
  for await (const { type } of stream) {
    kinds.push(type);
  }
  expect([await text, await reasoningText]).toEqual(['Yes.', 'So it is.']);
  expect(kinds.filter((kind) => /^(reasoning|text)-/.test(kind))).toEqual([
    'reasoning-start',
    'reasoning-delta',
    'reasoning-end',
    'text-start',
    'text-delta',
    'text-end',
  ]);
});
