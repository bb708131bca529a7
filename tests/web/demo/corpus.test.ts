import { expect, test } from 'vitest';
import notes from '../../../web/demo/corpus/everyday.json' with { type: 'json' };

test('the built-in notes are short, have unique ids, and cover many subjects', () => {
  const { passages } = notes;
  expect(new Set(passages.map(({ id }) => id)).size).toBe(passages.length);
  expect(new Set(passages.map(({ subject }) => subject)).size).toBeGreaterThanOrEqual(12);
  for (const { id, text } of passages) {
    const words = text.split(/\s+/).length;
    expect(words, id).toBeGreaterThanOrEqual(20);
    expect(words, id).toBeLessThanOrEqual(80);
  }
});
