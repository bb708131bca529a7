// The built-in chat model in the AI SDK's loop over tools.
import { generateText, isStepCount, tool } from 'ai';
import { open } from 'ambry';
import { modelUrl } from 'ambry-models';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { createAmbry } from '../src/index.ts';

const chat = await forAllTests(open(modelUrl('chat.amb'), { kind: 'generator' }));
const ambry = createAmbry({ chat });

test('calls the tool, and tells what it returned', async () => {
  const cities: string[] = [];
  const { text } = await generateText({
    model: ambry('chat'),
    system: 'Use the tools.',
    prompt: 'What is the weather in Kiel?',
    temperature: 0,
    stopWhen: isStepCount(2),
    tools: {
      get_weather: tool({
        description: 'Tells the weather in a city',
        inputSchema: z.object({ city: z.string() }),
        execute: ({ city }) => {
          cities.push(city);
          return { temperature: 7, sky: 'rain' };
        },
      }),
    },
  });
  expect(cities).toEqual(['Kiel']);
  expect(text).toBe('The temperature is 7 and the sky is rain.');
});
