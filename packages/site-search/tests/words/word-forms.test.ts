// Forms of words that no rule of endings joins, and queries that have a part of a word.
import { expect, test } from 'vitest';
import { openSiteSearch } from '../../src/index.ts';
import { makeSite, type Pages, page, serveSite } from '../support/site.ts';

async function found(pages: Pages, queries: readonly string[]): Promise<string[][]> {
  const { folder } = await makeSite(pages);
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url, { model: false });
  const answers = await Promise.all(queries.map((query) => site.search(query)));
  await site.dispose();
  return answers.map((answer) => answer.pages.map(({ title }) => title).sort());
}

test('English plurals without a rule find their singular, and the other way around', async () => {
  const pages = {
    'one.html': page('One', '<p>The index of a matrix. A child has a foot.</p>'),
    'many.html': page('Many', '<p>The indices of matrices. Children have feet.</p>'),
    'other.html': page('Other', '<p>Ships have sails.</p>'),
  };
  const queries = [
    'index ',
    'indices ',
    'matrix ',
    'matrices ',
    'child ',
    'feet ',
    'indic',
    'childre',
  ];
  expect(await found(pages, queries)).toEqual(queries.map(() => ['Many', 'One']));
});

test('their forms are marked', async () => {
  const { folder } = await makeSite({ 'many.html': page('Many', '<p>Row indices of it.</p>') });
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url, { model: false });
  const { excerpt } = (await site.search('index ')).pages[0] ?? {};
  const marked = excerpt?.highlights.map(([start, end]) => excerpt.text.slice(start, end));
  expect(marked).toEqual(['indices']);
  await site.dispose();
});

test('a name with its number apart is the name with a hyphen', async () => {
  const numbers = [9087, 9088, 1234, 5678];
  const pages = Object.fromEntries(
    numbers.map((number) => [
      `${number}.html`,
      page(
        `Part ${number}`,
        `<p>It is known as PPR-${number}. Not ${numbers.join(', ')}; ppr.</p>`,
      ),
    ]),
  );
  const { folder } = await makeSite(pages);
  const { url } = await serveSite(folder);
  const site = await openSiteSearch(url, { model: false });
  for (const query of ['ppr 9088', 'PPR 9088 ', 'PPR-9088', 'ppr9088']) {
    expect((await site.search(query)).pages[0]?.title, query).toBe('Part 9088');
  }
  await site.dispose();
});

test('a number after a word that is not joined anywhere is two words', async () => {
  const pages = { 'a.html': page('A', '<p>Chapter of the year 1900.</p>') };
  expect(await found(pages, ['chapter 1900', 'year 1900'])).toEqual([['A'], ['A']]);
});

test('pages with the stem of a word are found, where particles are joined to words', async () => {
  const fill = (lang: string, texts: readonly string[]) =>
    Object.fromEntries(texts.map((text, i) => [`${i}.html`, page(`${i}`, `<p>${text}</p>`, lang)]));
  // Two of three pages have the word, so that it says little.
  const korean = fill('ko', ['우리 학교에 도서관이 있다.', '그 학교는 크다.', '바다는 넓다.']);
  expect(await found(korean, ['학교를 '])).toEqual([['0', '1']]);
  const arabic = fill('ar', ['كتاب جديد في البيت', 'قرأت كتاب التاريخ', 'البحر واسع']);
  expect(await found(arabic, ['كتاب قديم '])).toEqual([['0', '1']]);
});

test('other words in such letters find nothing', async () => {
  const pages = { 'a.html': page('A', '<p>여기에 학교가 있다.</p>', 'ko') };
  expect(await found(pages, ['빵을 굽는 방법 '])).toEqual([[]]);
});

test('a page with one of two words is found on a small site', async () => {
  const pages = {
    'a.html': page('A', '<p>The quokka lives on islands.</p>'),
    'b.html': page('B', '<p>Ships have sails.</p>'),
  };
  expect(await found(pages, ['quokka habitat'])).toEqual([['A']]);
});

test('letters of half width are those of full width', async () => {
  const pages = {
    'half.html': page('Half', '<p>ｻｰﾊﾞｰ runs H₂O ﬁne.</p>'),
    'other.html': page('Other', '<p>Ships have sails.</p>'),
  };
  expect(await found(pages, ['サーバー', 'h2o ', 'fine '])).toEqual([['Half'], ['Half'], ['Half']]);
});

test('a word whose second letter is wrong or missing is found among many that begin as it does', async () => {
  const letters = 'bcdfghklmnprst';
  const words = ['sh', 'sl'].flatMap((begin) =>
    [...letters].flatMap((a) => [...letters].map((b) => `${begin}${a}o${b}ak`)),
  );
  const pages = {
    'list.html': page('List', `<p>${words.join(' ')}</p>`),
    'signal.html': page('Waves', '<p>A signal is sent.</p>'),
  };
  expect(await found(pages, ['sgnal ', 'sognal '])).toEqual([['Waves'], ['Waves']]);
});
