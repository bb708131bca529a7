// Formats search results as text, JSON and Markdown.
import { describe, expect, test } from 'vitest';
import { hitJson, hitLines, hitsMarkdown } from '../../../../web/src/cli/search/search-output.ts';

const text = 'Cats *purr*.';
const found = {
  id: 'a#1',
  score: 0.71234,
  cosine: 0.5,
  text,
  doc: { id: 'a#1', text, source: 'notes_2/a.pdf', page: 3 },
};
const pieces = [
  { token: '[CLS]', start: 0, end: 0, score: 0.01 },
  { token: 'cats', start: 0, end: 4, score: -0.25 },
  { token: 'purr', start: 6, end: 10, score: 0.1254 },
];

describe('search results', () => {
  test('as JSON have all known fields', () => {
    expect(hitJson({ hit: found })).toEqual({
      id: 'a#1',
      score: 0.71234,
      text,
      source: 'notes_2/a.pdf',
      page: 3,
      cosine: 0.5,
    });
    const more = hitJson({ hit: { ...found, terms: ['cats'] }, pieces });
    expect(more).toMatchObject({ terms: ['cats'], pieces });
  });

  test('as text have words and the strongest pieces if there are any', () => {
    expect(hitLines({ hit: found })).toEqual(['0.7123  a#1', `        ${text}`]);
    const hit = { ...found, terms: ['cats', 'purr'] };
    expect(hitLines({ hit, pieces }).slice(2)).toEqual([
      '        words: cats, purr',
      '        pieces: cats −0.250, purr +0.125, [CLS] +0.010',
    ]);
  });

  test('as Markdown are a list with escaped texts', () => {
    const plain = {
      id: 7,
      score: 1,
      cosine: 1,
      text: '1. one\n- <b>two</b>\n= x',
      doc: { text: '' },
    };
    expect(hitsMarkdown('what *is* it?', [{ hit: found }, { hit: plain, pieces }])).toEqual([
      '## what \\*is\\* it?',
      '',
      '1. **notes\\_2/a.pdf, page 3** (0.7123)',
      '',
      '   > Cats \\*purr\\*.',
      '',
      '2. **7** (1.0000)',
      '',
      '   > 1\\. one',
      '   > \\- \\<b\\>two\\</b\\>',
      '   > \\= x',
      '',
      '   cats −0.250, purr +0.125, \\[CLS\\] +0.010',
    ]);
  });
});
