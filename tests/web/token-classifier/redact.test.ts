// Texts with their entities replaced.
import { describe, expect, test } from 'vitest';
import { redacted } from '../../../web/src/token-classifier/redact.ts';
import type { Span } from '../../../web/src/token-classifier/spans.ts';

/** Spans of parts of a text, which may overlap. */
function spansIn(text: string, ...parts: readonly (readonly [label: string, part: string])[]) {
  return parts.map(([label, part]): Span => {
    const start = text.indexOf(part);
    return { label, start, end: start + part.length, score: 0.5 };
  });
}

const text = 'Ada met Charles in London.';

describe('a text with replaced entities', () => {
  test('has labels in brackets', () => {
    const spans = spansIn(text, ['PER', 'Ada'], ['PER', 'Charles'], ['LOC', 'London']);
    expect(redacted(text, spans, {})).toBe('[PER] met [PER] in [LOC].');
    expect(redacted(text, [], {})).toBe(text);
    expect(redacted('', [], {})).toBe('');
  });

  test('has the text that was given, with the label in it', () => {
    const spans = spansIn(text, ['PER', 'Ada'], ['$&', 'London']);
    expect(redacted(text, spans, { replacement: '<{label}/{label}>' })).toBe(
      '<PER/PER> met Charles in <$&/$&>.',
    );
    expect(redacted(text, spans, { replacement: '' })).toBe(' met Charles in .');
    expect(redacted(text, spans, { replacement: '$1' })).toBe('$1 met Charles in $1.');
  });

  test('has what a function returns', () => {
    const emoji = `🙂 ${text}`;
    const seen: unknown[] = [];
    const replacement = (entity: { readonly text: string }) => {
      seen.push(entity);
      return '*'.repeat(entity.text.length);
    };
    const spans = spansIn(emoji, ['PER', 'Charles']);
    expect(redacted(emoji, spans, { replacement })).toBe('🙂 Ada met ******* in London.');
    redacted(emoji, spans, { replacement, offsets: 'codePoints' });
    const entity = { label: 'PER', text: 'Charles', score: 0.5 };
    expect(seen).toEqual([
      { ...entity, start: 11, end: 18 },
      { ...entity, start: 10, end: 17 },
    ]);
  });

  test('refuses a function that returns no text', () => {
    const spans = spansIn(text, ['PER', 'Ada']);
    expect(() => redacted(text, spans, { replacement: () => 7 as never })).toThrow(
      expect.objectContaining({ code: 'BadValue', path: 'options.replacement' }),
    );
  });

  test('keeps the white space at the ends of an entity', () => {
    const spans = spansIn(text, ['PER', ' Charles '], ['LOC', ' London']);
    expect(redacted(text, spans, {})).toBe('Ada met [PER] in [LOC].');
    expect(redacted('a  b', spansIn('a  b', ['X', '  ']), {})).toBe('a  b');
  });

  test('has one replacement for entities that overlap, and hides all of them', () => {
    const spans = spansIn(text, ['LOC', 'met Ch'], ['PER', 'Charles'], ['PER', 'arl']);
    expect(redacted(text, spans, {})).toBe('Ada [PER] in London.');
    const equal = spansIn(text, ['A', 'Charles'], ['B', 'Charles']);
    expect(redacted(text, equal, {})).toBe('Ada met [A] in London.');
    const next = spansIn(text, ['A', 'Cha'], ['B', 'rles']);
    expect(redacted(text, next, {})).toBe('Ada met [A][B] in London.');
  });
});
