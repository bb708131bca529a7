import { describe, expect, test } from 'vitest';
import { LineEnds } from '../../../../web/src/passages/pdf/line-ends.ts';

const joined = (...lines: readonly string[]): string => {
  const ends = new LineEnds(() => lines);
  return lines
    .map((line, i) => ends.ended(line, lines[i + 1] ?? ''))
    .join('')
    .trim();
};

describe('a hyphen at the end of a line', () => {
  test.each([
    ['exam-|ple', 'example'],
    ['infor-|mation', 'information'],
    ['Wald-|rand', 'Waldrand'],
    ['вез-|де', 'везде'],
    ['INFOR-|MATION', 'INFORMATION'],
    ['a\u2010lone', 'a\u2010lone'],
    ['Don\u00ad|ner', 'Donner'],
  ])('parts a word: %s', (lines, whole) => {
    expect(joined(...lines.split('|'))).toBe(whole);
  });

  test.each([
    ['state-of-the-|art', 'state-of-the-art'],
    ['state-|of-the-art', 'state-of-the-art'],
    ['self-|driving cars', 'self-driving cars'],
    ['Baden-|Baden', 'Baden-Baden'],
    ['COVID-|19', 'COVID-19'],
    ['3-|dimensional', '3-dimensional'],
    ['1914–|1918', '1914–1918'],
    ['well\u2011|known', 'well\u2011known'],
  ])('belongs to the word: %s', (lines, whole) => {
    expect(joined(...lines.split('|'))).toBe(whole);
  });

  test.each([
    ['two-|and three-fold', 'two- and three-fold'],
    ['Ein-|und Ausgang', 'Ein- und Ausgang'],
    ['selfish-|ness', 'selfishness'],
    ['self-|ish', 'selfish'],
    ['an end -|and more', 'an end - and more'],
    ['the end|of it', 'the end of it'],
    ['ends in-', 'ends in-'],
  ])('and its neighbours: %s', (lines, whole) => {
    expect(joined(...lines.split('|'))).toBe(whole);
  });

  test('is kept or not as elsewhere in the document', () => {
    expect(joined('a co-', 'worker and a co-worker')).toBe('a co-worker and a co-worker');
    expect(joined('the coworker and a co-', 'worker')).toBe('the coworker and a coworker');
    expect(joined('SELFMADE: self-', 'made')).toBe('SELFMADE: selfmade');
  });

  test('is found in long lines without delay', () => {
    const long = 'a'.repeat(1 << 20);
    expect(joined(`${long}-`, long)).toHaveLength(2 << 20);
  });
});
