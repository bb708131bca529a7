import { InvalidArgumentError } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { wrongValues } from '../../../tests/web/support/wrong-values.ts';
import { createAmbry } from '../src/index.ts';

const functions = new Set<unknown>([wrongValues.function]);

test.each(Object.entries(wrongValues))('%s is no model', (_, value) => {
  // A function opens a model with the first call.
  if (functions.has(value)) {
    expect(createAmbry({ chat: value as never })('chat').modelId).toBe('chat');
    return;
  }
  expect(() => createAmbry({ chat: value as never })).toThrow(InvalidArgumentError);
});

test.each([undefined, null, 'chat', 1])('%j are no models by name', (entries) => {
  expect(() => createAmbry(entries as never)).toThrow(InvalidArgumentError);
});
