// What the search page does with its answers, without a page.

import type { SearchHit, SearchIndex, SearchOptions } from 'ambry';
import { describe, expect, test, vi } from 'vitest';
import {
  matchedRanges,
  tellingWords,
} from '../../../../../web/demo/search/results/matched-words.ts';
import { foldAlike } from '../../../../../web/demo/search/results/near-duplicates.ts';
import { readLink, writeLink } from '../../../../../web/demo/search/results/permalink.ts';
import { placeOf } from '../../../../../web/demo/search/results/result-view.ts';
import { resultsMarkdown } from '../../../../../web/demo/search/results/results-markdown.ts';
import { lookupWith } from '../../../../../web/demo/search/results/run-query.ts';
import { countSources } from '../../../../../web/demo/search/results/source-chips.ts';

function hit(text: string, doc: Readonly<Record<string, unknown>> = {}, score = 0.5): SearchHit {
  return { id: text, text, score, doc: { ...doc, text } } as SearchHit;
}

describe('the words that matched', () => {
  const marked = (question: string, text: string): string[] =>
    matchedRanges(text, tellingWords(question)).map(({ start, end }) => text.slice(start, end));

  test('are those that tell the question from others', () => {
    expect(marked('what helps against an insect bite', 'What an insect: it helps.')).toEqual([
      'insect',
      'helps',
    ]);
  });

  test('are found in any case, with any accent, as plural and possessive', () => {
    expect(marked('the café’s berry', 'Cafés, CAFE, berries and a berry’s stone')).toEqual([
      'Cafés',
      'CAFE',
      'berries',
      'berry’s',
    ]);
  });

  test('are whole words', () => {
    expect(marked('cat', 'concatenate the cat, catalogue it')).toEqual(['cat']);
    expect(marked('gas bus glass', 'a gas, a bus, glasses')).toEqual(['gas', 'bus', 'glasses']);
  });

  test('are characters where a script has no spaces', () => {
    expect(marked('猫', '我的猫在睡觉')).toEqual(['猫']);
  });

  test('are none for a question of function words or signs', () => {
    expect(marked('what is it?!', 'What is it?!')).toEqual([]);
    expect(marked('', 'anything')).toEqual([]);
  });
});

describe('near-duplicates', () => {
  const first = hit('The ferry leaves the harbour at seven in the morning on weekdays.');
  const again = hit('the ferry leaves the harbour at seven in the morning, on weekdays');
  const other = hit('Tickets are sold at the kiosk by the pier.');

  test('fold under the best of them, in the order of the answers', () => {
    const { hits, alike } = foldAlike([first, other, again]);
    expect(hits).toEqual([first, other]);
    expect([...alike]).toEqual([[first, [again]]]);
  });

  test('are not passages that differ in a number', () => {
    const seven = hit('The ferry leaves the harbour at 7 in the morning on weekdays and holidays.');
    const nine = hit('The ferry leaves the harbour at 9 in the morning on weekdays and holidays.');
    expect(foldAlike([seven, nine]).hits).toEqual([seven, nine]);
  });

  test('are not passages that share only some of their words', () => {
    const evening = hit('The ferry leaves the island late in the evening, on Sundays only.');
    expect(foldAlike([first, evening]).hits).toEqual([first, evening]);
  });

  test('without a word are alike only when they are equal', () => {
    expect(foldAlike([hit('🦉'), hit('🐈'), hit('word'), hit('🦉')]).hits).toHaveLength(3);
  });
});

test('sources are counted, those with most passages first', () => {
  const hits = [
    hit('a', { source: 'one.txt' }),
    hit('b', { source: 'two.txt' }),
    hit('c', { source: 'two.txt' }),
    hit('d'),
  ];
  expect(countSources(hits)).toEqual([
    { name: 'two.txt', count: 2 },
    { name: 'one.txt', count: 1 },
  ]);
});

describe('the index is asked', () => {
  const docs = ['a.txt', 'a.txt', 'b.txt'].map((source, at) => ({ text: `text ${at}`, source }));

  /** An index that finds everything the filter lets through, and notes what it is asked. */
  function askedIndex(): { readonly index: SearchIndex; readonly asked: SearchOptions[] } {
    const asked: SearchOptions[] = [];
    const search = async (_: string, options: SearchOptions) => {
      asked.push(options);
      return docs.filter((doc) => options.filter?.(doc) ?? true).map((doc) => hit(doc.text, doc));
    };
    return { index: { docs, search } as unknown as SearchIndex, asked };
  }
  const { signal } = new AbortController();

  test('by meaning or by words too', async () => {
    const { index, asked } = askedIndex();
    for (const mode of ['meaning', 'words'] as const) {
      await lookupWith({ mode, chosen: [] }, () => {})(index, 'text', signal);
    }
    expect(asked.map(({ hybrid }) => hybrid)).toEqual([false, true]);
  });

  test('for the chosen sources that it has, while all are counted', async () => {
    const { index } = askedIndex();
    const counted = vi.fn();
    const choices = { mode: 'meaning', chosen: ['b.txt', 'gone.txt'] } as const;
    const found = await lookupWith(choices, counted)(index, 'text', signal);
    expect(found.hits.map(({ text }) => text)).toEqual(['text 2']);
    expect(found.among).toBe('1 passage in b.txt');
    const counts = [
      { name: 'a.txt', count: 2 },
      { name: 'b.txt', count: 1 },
    ];
    expect(counted.mock.calls).toEqual([[counts, ['b.txt']]]);
  });

  test('and says nothing of sources once another question was asked', async () => {
    const { index } = askedIndex();
    const counted = vi.fn();
    const lookup = lookupWith({ mode: 'meaning', chosen: [] }, counted);
    await lookup(index, 'text', AbortSignal.abort());
    expect(counted).not.toHaveBeenCalled();
  });
});

test('a passage says where it is from as far as that is known', () => {
  expect(placeOf({ text: '', source: 'a.pdf', heading: 'Tides', page: 3 })).toBe(
    'a.pdf · Tides · page 3',
  );
  expect(placeOf({ text: '', heading: 'Tides' })).toBe('Tides');
  expect(placeOf({ text: '' })).toBe('');
});

describe('the address of a question', () => {
  test('is read as it was written', () => {
    for (const mode of ['meaning', 'words'] as const) {
      const link = { query: 'fish & chips? +50 %', mode, chosen: ['a b.txt', 'Kitchen'] };
      expect(readLink(writeLink('', link))).toEqual(link);
    }
  });

  test('keeps what else it says, and says nothing of no question', () => {
    const link = { query: 'tides', mode: 'meaning', chosen: [] } as const;
    expect(writeLink('?flavour=baseline&q=old&mode=words&source=x', link)).toBe(
      '?flavour=baseline&q=tides',
    );
    expect(writeLink('?flavour=baseline&q=old', { ...link, query: '' })).toBe('?flavour=baseline');
    expect(writeLink('?q=old', { ...link, query: '' })).toBe('');
  });

  test('may be anything that somebody typed', () => {
    expect(readLink('?q=%E0%A4%A&source=&source=a&source=a').chosen).toEqual(['a']);
    expect(readLink(`?q=${'x'.repeat(5000)}`).query).toHaveLength(2000);
    expect(readLink('?mode=odd')).toEqual({ query: '', mode: 'meaning', chosen: [] });
  });
});

describe('answers as Markdown', () => {
  test('are a list with places, scores and quotations', () => {
    const hits = [hit('First line.\nSecond line.', { source: 'a.txt' }, 0.6123), hit('Other.')];
    const [first, other] = hits as [SearchHit, SearchHit];
    const alike = new Map([[first, [other]]]);
    expect(resultsMarkdown({ query: 'why?', hits, alike, milliseconds: 1 })).toBe(
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

  test('show markup as the text it was', () => {
    const text = '# A [link](x) & <b>\n- item\n1. one';
    const copied = resultsMarkdown({ query: '*', hits: [hit(text)], milliseconds: 1 });
    expect(copied).toContain('## \\*\n');
    expect(copied).toContain(
      '   > \\# A \\[link\\](x) \\& \\<b\\>\n   > \\- item\n   > 1\\. one\n',
    );
  });
});
