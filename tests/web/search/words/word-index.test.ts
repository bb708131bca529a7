// A search for words without a model.
import { expect, test, vi } from 'vitest';
import type { Doc } from '../../../../web/src/search/base/types.ts';
import type { IndexState } from '../../../../web/src/search/index-state.ts';
import { indexWords } from '../../../../web/src/search/index-words.ts';
import { LanguageWords } from '../../../../web/src/search/words/language-words.ts';
import { createWordIndex } from '../../../../web/src/search/words/word-index.ts';

const docs = [
  { id: 'moon', text: 'Tides follow the moon.', source: 'sea.md' },
  { text: 'A cat sleeps on the mat all day.' },
  { id: 'merge', title: 'git-merge', text: 'Joins two lines of development.' },
  { id: 'both', text: 'The cat looks at the moon, and the moon at the cat.' },
];

test('finds passages by their words and names', async () => {
  const index = await createWordIndex(docs, { language: 'en' });
  const hits = await index.search('moon cats');
  expect(hits.map(({ id }) => id)).toEqual(['both', 'moon', 1]);
  expect(hits[0]).toMatchObject({ terms: ['moon', 'cats'], doc: docs[3], text: docs[3]?.text });
  expect(hits[0]?.score).toBeLessThanOrEqual(1);
  const [named] = await index.search('git merge');
  expect(named).toMatchObject({ id: 'merge', terms: [] });
  expect(named?.score).toBeGreaterThan(1);
  expect(await index.search('moon', { k: 1 })).toHaveLength(1);
  expect(await index.search('moon', { filter: ({ source }) => source === 'sea.md' })).toHaveLength(
    1,
  );
  expect(await index.search('zebra')).toEqual([]);
  expect(await index.didYouMean('moom')).toBeUndefined();
  expect(await index.didYouMean('folow the moon')).toBe('follow the moon');
});

test('finds only passages with the phrases in quotation marks, if there are some', async () => {
  const index = await createWordIndex(docs, { language: 'en' });
  const idsOf = async (query: string) => (await index.search(query)).map(({ id }) => id);
  expect(await idsOf('"the cat" moon')).toEqual(['both']);
  expect(await idsOf('"cat the" moon')).toEqual(await idsOf('cat the moon'));
});

test('an index of the same passages does not read them again', async () => {
  const stateOf = (own: readonly Doc[]) =>
    ({ docs: [...own], header: {} }) as unknown as IndexState;
  const add = vi.spyOn(LanguageWords.prototype, 'add');
  const readTexts = () => add.mock.calls.flatMap(([entries]) => entries.map(({ text }) => text));
  const own = docs.map((doc): { text: string } => ({ ...doc }));
  const index = await createWordIndex(own);
  expect(readTexts()).toHaveLength(4);
  add.mockClear();
  const words = await indexWords(stateOf(own));
  expect(readTexts()).toEqual([]);
  const found = await words.match('moon cats');
  const hits = await index.search('moon cats');
  expect(hits.map(({ doc }) => found.get(doc)?.score)).toEqual(hits.map(({ score }) => score));
  // The words of other passages, and of texts that have changed, are read.
  expect(await indexWords(stateOf(own.slice(1)))).toBeDefined();
  expect(readTexts()).toHaveLength(3);
  add.mockClear();
  (own[1] as { text: string }).text = 'Now a dog.';
  const changed = await indexWords(stateOf(own));
  expect(readTexts()).toHaveLength(4);
  expect((await changed.match('dog')).size).toBe(1);
  add.mockRestore();
});

test('refuses what is no passage and no option', async () => {
  const refusal = (path: string) => expect.objectContaining({ code: 'BadValue', path });
  await expect(createWordIndex(['a'] as never)).rejects.toEqual(refusal('docs[0].text'));
  await expect(createWordIndex('a' as never)).rejects.toEqual(refusal('docs'));
  await expect(createWordIndex(docs, { language: 'no tag' })).rejects.toEqual(
    refusal('options.language'),
  );
  const index = await createWordIndex([]);
  expect(await index.search('a')).toEqual([]);
  await expect(index.search(1 as never)).rejects.toEqual(refusal('query'));
  await expect(index.search('a', { k: -1 })).rejects.toEqual(refusal('options.k'));
  await expect(index.search('a', { limit: 3 } as never)).rejects.toEqual(refusal('options.limit'));
});
