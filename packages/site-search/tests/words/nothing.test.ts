// Queries that no page of a site answers: the answer says so.

import { readFile } from 'node:fs/promises';
import { open } from 'ambry/encoder';
import { describe, expect, test } from 'vitest';
import { readableText } from '../../src/client/readable-text.ts';
import { openSiteSearch, type SiteSearch } from '../../src/index.ts';
import { makeSite, modelPath, type Pages, page, serveSite } from '../support/site.ts';

const subjects = [
  'Sails of ships are made of canvas',
  'Gardens need water in summer',
  'A violin has four strings',
  'Trains run on rails of steel',
  'Glass is made from sand',
  'Bees carry pollen to flowers',
];

/** Pages enough that the spread of cosines is known. One has text that the model cannot read. */
function manual(): Pages {
  const pages = Array.from({ length: 30 }, (_, i) => {
    const text = subjects[i % subjects.length];
    const body = `<h2>Chapter ${i}</h2><p>${text}. This is how it was in year ${1900 + i}.</p>`;
    return [`p${i}.html`, page(`${text} ${i}`, body)] as const;
  });
  return {
    ...Object.fromEntries(pages),
    'if.html': page('if', '<p>A condition.</p>'),
    'while.html': page('Loops', '<p>Write while and a condition.</p>'),
    'other.html': page('Translations', '<p>日本語 翻訳 русский перевод 🚀</p>'),
  };
}

async function opened(): Promise<SiteSearch> {
  const { folder } = await makeSite(manual());
  const { url } = await serveSite(folder);
  return openSiteSearch(url);
}

describe('nothing is said to be nothing', () => {
  test('for nonsense, other subjects, other alphabets and function words', async () => {
    const site = await opened();
    const queries = [
      'qwertyuiop zxcvb',
      'how to bake bread ',
      'ファイルを読む',
      'как прочитать файл',
      'วิธีทำขนมปัง',
      '🍕🍺',
      'how do I ',
      'the of and to ',
      'how ',
    ];
    for (const mode of ['words', 'hybrid'] as const) {
      for (const query of queries) {
        const { state, total, pages } = await site.search(query, { mode });
        const none = mode === 'words' ? 'no-words' : 'nothing-close';
        expect({ query, state, total, pages }).toEqual({ query, state: none, total: 0, pages: [] });
      }
    }
    await site.dispose();
  });

  test('while true queries are answered', async () => {
    const site = await opened();
    for (const query of [
      'how do the strings of violins sound',
      'what do bees do',
      'the canvas of a ship',
      '翻訳',
      '🚀',
    ]) {
      for (const mode of ['words', 'hybrid'] as const) {
        expect(await site.search(query, { mode }), query).toMatchObject({ state: 'found' });
      }
    }
    await site.dispose();
  });

  test('and function words are found as names and words of programs only', async () => {
    const site = await opened();
    const words = { mode: 'words' } as const;
    const titles = async (query: string) =>
      (await site.search(query, words)).pages.map(({ title }) => title);
    expect((await titles('if'))[0]).toBe('if');
    expect(await titles('while ')).toEqual(['Loops']);
    // The first letters of other words.
    expect(await titles('the')).toEqual([]);
    expect((await titles('i'))[0]).toBe('if');
    expect((await titles('canv'))[0]).toMatch(/canvas/);
    const { pages } = await site.search('how it was with the violin ', words);
    const [hit] = pages;
    const { text = '', highlights = [] } = hit?.excerpt ?? {};
    expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual(['violin']);
    await site.dispose();
  });
});

describe('didYouMean', () => {
  test('is the query with the nearest words of the site, where nothing was found', async () => {
    const site = await opened();
    const words = { mode: 'words' } as const;
    expect(await site.search('cxnvzs ', words)).toMatchObject({
      state: 'no-words',
      didYouMean: 'canvas ',
    });
    for (const query of ['qwertyuiop zxcvb', 'ファイル', 'canvas', 'how ']) {
      expect((await site.search(query, words)).didYouMean, query).toBeUndefined();
    }
    await site.dispose();
  });
});

describe('readableText', () => {
  test('leaves out what the model does not know', async () => {
    const encoder = await open(new Uint8Array(await readFile(modelPath)), {
      architecture: 'static',
    });
    expect(await readableText(encoder, 'как открыть file 🚀 now')).toEqual({
      text: 'file now',
      hasWords: true,
    });
    expect(await readableText(encoder, 'как')).toBeUndefined();
    expect(await readableText(encoder, '!?')).toBeUndefined();
    expect(await readableText(encoder, 'zxcvb qqqq')).toEqual({
      text: 'zxcvb qqqq',
      hasWords: false,
    });
    expect(await readableText(encoder, 'open a file')).toEqual({
      text: 'open a file',
      hasWords: true,
    });
    await encoder.dispose();
  });
});
