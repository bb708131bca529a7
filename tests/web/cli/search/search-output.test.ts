// Hits as lines, JSON and Markdown.
import { describe, expect, test } from 'vitest';
import {
  foundAsJson,
  foundAsLines,
  foundAsMarkdown,
} from '../../../../web/src/cli/search/search-output.ts';

const kText = 'Cats *purr*.';
const kHit = {
  id: 'a#1',
  score: 0.71234,
  cosine: 0.5,
  text: kText,
  doc: { id: 'a#1', text: kText, source: 'notes_2/a.pdf', page: 3 },
};
const kPieces = [
  { token: '[CLS]', start: 0, end: 0, score: 0.01 },
  { token: 'cats', start: 0, end: 4, score: -0.25 },
  { token: 'purr', start: 6, end: 10, score: 0.1254 },
];

describe('hits', () => {
  test('as JSON: what is known of them', () => {
    expect(foundAsJson({ hit: kHit })).toEqual({
      id: 'a#1',
      score: 0.71234,
      text: kText,
      source: 'notes_2/a.pdf',
      page: 3,
      cosine: 0.5,
    });
    const more = foundAsJson({ hit: { ...kHit, terms: ['cats'] }, pieces: kPieces });
    expect(more).toMatchObject({ terms: ['cats'], pieces: kPieces });
  });

  test('as lines: words and the strongest pieces only where they are there', () => {
    expect(foundAsLines({ hit: kHit })).toEqual(['0.7123  a#1', `        ${kText}`]);
    const hit = { ...kHit, terms: ['cats', 'purr'] };
    expect(foundAsLines({ hit, pieces: kPieces }).slice(2)).toEqual([
      '        words: cats, purr',
      '        pieces: cats −0.250, purr +0.125, [CLS] +0.010',
    ]);
  });

  test('as Markdown: a list whose texts are no markup', () => {
    const plain = {
      id: 7,
      score: 1,
      cosine: 1,
      text: '1. one\n- <b>two</b>\n= x',
      doc: { text: '' },
    };
    expect(
      foundAsMarkdown('what *is* it?', [{ hit: kHit }, { hit: plain, pieces: kPieces }]),
    ).toEqual([
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
