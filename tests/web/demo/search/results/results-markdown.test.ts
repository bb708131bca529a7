import type { SearchHit } from 'ambry';
import { describe, expect, test } from 'vitest';
import { resultsMarkdown } from '../../../../../web/demo/search/results/results-markdown.ts';
import { hit } from './hit.ts';

describe('results as Markdown', () => {
  test('are a list with locations, scores and quotations', () => {
    const hits = [hit('First line.\nSecond line.', { source: 'a.txt' }, 0.6123), hit('Other.')];
    const [first, other] = hits as [SearchHit, SearchHit];
    const nearDuplicates = new Map([[first, [other]]]);
    expect(resultsMarkdown({ query: 'why?', hits, nearDuplicates, milliseconds: 1 })).toBe(
      [
        '## why?',
        '',
        '1. **a.txt** (0.612), 1 more like this',
        '',
        '   > First line.',
        '   > Second line.',
        '',
        '2. (0.500)',
        '',
        '   > Other.',
        '',
      ].join('\n'),
    );
  });

  test('have escaped markup', () => {
    const text = '# A [link](x) & <b>\n- item\n1. one';
    const copied = resultsMarkdown({ query: '*', hits: [hit(text)], milliseconds: 1 });
    expect(copied).toContain('## \\*\n');
    expect(copied).toContain(
      '   > \\# A \\[link\\](x) \\& \\<b\\>\n   > \\- item\n   > 1\\. one\n',
    );
  });
});
