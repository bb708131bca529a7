// What people see of texts that strangers wrote.
import { describe, expect, test } from 'vitest';
import { visibleLine, visibleName, visibleText } from '../../../web/src/base/visible.ts';

test('texts keep line feeds and tabs, and lines keep tabs', () => {
  expect(visibleText('a\tb\nc\u001b[2J')).toBe('a\tb\nc\\u001b[2J');
  expect(visibleLine('a\tb\nc\u202e')).toBe('a\tb\\u000ac\\u202e');
  expect(visibleName('a\tb\nc\u202e')).toBe('a\\u0009b\\u000ac\\u202e');
});

test.each([
  'é 👩‍👩‍👧 \u00a0',
  'עברית: הקובץ model.gguf (גרסה 2)',
  'فارسی: می‌خواهم',
  'قالب',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag',
  'क्‍ष',
  '',
])('%s is as it was', (text) => {
  for (const visible of [visibleText, visibleLine, visibleName]) {
    expect(visible(text)).toBe(text);
  }
});

describe('what turns a line around', () => {
  test.each([
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
  ])('%j is visible everywhere', (mark) => {
    for (const visible of [visibleText, visibleLine, visibleName]) {
      const shown = visible(`a${mark}b`);
      expect(shown).not.toContain(mark);
      expect(JSON.parse(`"${shown}"`)).toBe(`a${mark}b`);
    }
  });
});

test.each([
  '\u00ad',
  '\u200b',
  '\u200e',
  '\u2060',
  '\u3164',
  '\ufeff',
  '\u{e0041}',
])('what has no width is visible in names only: %j', (mark) => {
  expect(visibleText(`a${mark}b`)).toBe(`a${mark}b`);
  expect(visibleName(`a${mark}b`)).toMatch(/^a\\u(\w{4}|\{\w{5}\})b$/);
});

test('long texts take no time that grows faster than they', () => {
  const text = `${'\u{1f3f4}'.repeat(50_000)}${'\u{e0041}'.repeat(400_000)}`;
  expect(visibleName(text)).toContain('\\u{e0041}');
});
