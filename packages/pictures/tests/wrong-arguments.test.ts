import { expect, test } from 'vitest';
import { outcomeOf, wrongValues } from '../../../tests/web/support/wrong-values.ts';
import { decodePicture } from '../src/index.ts';

test.each(Object.entries(wrongValues))('%s is refused', async (_, value) => {
  expect(await outcomeOf(decodePicture, [value])).toBe('refused');
});
