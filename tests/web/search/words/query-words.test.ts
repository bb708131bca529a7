// Queries whose words are not written as the passages have them, and names.
import { expect, test } from 'vitest';
import type { Doc } from '../../../../web/src/search/base/types.ts';
import { PassageWords } from '../../../../web/src/search/words/passage-words.ts';

const docs: readonly Doc[] = [
  { id: 'hiccups', text: 'Hiccups stop when you hold your breath for a while.' },
  { id: 'lifetime', text: 'A lifetime says how long a reference holds.' },
  { id: 'user', text: 'Call getUserById with the number of the user.' },
  { id: 'users', text: 'By the door, a user showed her id twice to the user beside her.' },
  { id: 'ticket', text: 'The ticket PPR-9087 is about the printer.' },
  { id: 'nose', text: 'A bleeding nose needs a pinch, and no ice.' },
  { id: 'forms', text: 'What will the employer want now? Begin with what my form will not say.' },
  { id: 'lodz', text: 'Trains go to Łódź in the morning.' },
];

async function wordsOf(passages: readonly Doc[] = docs): Promise<PassageWords> {
  const words = new PassageWords(async () => ['en']);
  await words.update(passages);
  return words;
}

async function found(query: string, passages?: readonly Doc[]) {
  const matches = await (await wordsOf(passages)).match(query);
  return [...matches].sort((a, b) => b[1].score - a[1].score).map(([{ id }]) => id);
}

test.each([
  ['hicups', ['hiccups']],
  ['lifteime ', ['lifetime']],
  ['ihccups', ['hiccups']],
  ['hiccu', ['hiccups']],
  ['lodz', ['lodz']],
  ['PPR9087', ['ticket']],
  ['ppr 9087', ['ticket']],
])('%s finds what was meant', async (query, ids) => {
  expect(await found(query)).toEqual(ids);
});

test.each([
  'hicc ',
  'fours',
  'xyzzy',
  'holds9',
  'lifetime9',
  '',
])('%s finds nothing', async (query) => {
  expect(await found(query)).toEqual([]);
});

test('a word that is there is never taken for another one', async () => {
  const two = [
    { id: 'form', text: 'from here' },
    { id: 'forms', text: 'formation' },
  ];
  expect(await found('form', [...two, { id: 'own', text: 'a form' }])).toEqual(['own']);
});

test('words inside of an identifier are found', async () => {
  expect((await found('user by id')).sort()).toEqual(['user', 'users']);
  expect(await found('getUserById')).toContain('user');
});

test('function words do not count beside others, and do where there are no others', async () => {
  expect(await found('my nose is bleeding what now')).toEqual(['nose']);
  expect(await found('what now')).toEqual(['forms']);
});

test('function words beside others decide between passages that have those', async () => {
  const passages = [
    { id: 'round', text: 'Turn the lamp round.' },
    { id: 'off', text: 'Turn off the lamp.' },
    { id: 'none', text: 'Off we go, off and on.' },
  ];
  const words = await wordsOf(passages);
  const matches = await words.match('turn off ');
  expect(await found('turn off ', passages)).toEqual(['off', 'round']);
  expect([...matches.values()].flatMap(({ terms }) => terms)).toEqual(['turn', 'turn']);
  expect((await found('lamp off ', passages))[0]).toBe('off');
});

test('says what may have been meant', async () => {
  const words = await wordsOf();
  expect([...(await words.corrections('hicups of a lifteime'))]).toEqual([
    ['hicups', 'hiccups'],
    ['lifteime', 'lifetime'],
  ]);
  expect((await words.corrections('hiccups hicc')).size).toBe(0);
});

test('a word that the model knows is not misspelled', async () => {
  const asked: string[] = [];
  const words = new PassageWords(
    async () => ['en'],
    async (texts) => {
      asked.push(...texts);
      return texts.map((text) => text === 'feeling');
    },
  );
  await words.update([{ id: 'baby', text: 'Feeding a baby at night, again and again.' }]);
  expect((await words.corrections('feeling bad about a baby')).size).toBe(0);
  expect([...(await words.corrections('feeling bad abuot a babby'))]).toEqual([['babby', 'baby']]);
  expect([...(await words.corrections('feeling it at nigth with a baby'))]).toEqual([
    ['nigth', 'night'],
  ]);
  expect((await words.match('feeling ')).size).toBe(0);
  expect((await words.match('feedding ')).size).toBe(1);
  expect(asked).not.toContain('baby');
});

test('passages with phrases in quotation marks are told', async () => {
  const words = await wordsOf([
    { id: 'both', text: 'A reference cycle is never freed.' },
    { id: 'apart', text: 'The cycle of a reference.' },
    { id: 'marks', text: 'A référence-cycle, as said.' },
  ]);
  const quoted = async (query: string) => {
    const having = await words.withPhrases(query);
    return having && [...having].map(({ id }) => id);
  };
  expect(await quoted('"reference cycle" freed')).toEqual(['both', 'marks']);
  expect(await quoted('“never freed” "Reference cycle"')).toEqual(['both']);
  expect(await quoted('"cycle reference"')).toBeUndefined();
  expect(await quoted('reference cycle')).toBeUndefined();
  expect(await quoted('"unheard of"')).toBeUndefined();
});

test('the last words of compounds are found in languages that have them', async () => {
  const passages = [
    { id: 'whole', text: 'Das Hochspannungsnetzgerät steht im Keller.' },
    { id: 'own', text: 'Ein Netzgerät liegt im Schrank und ist sehr alt.' },
    { id: 'none', text: 'Die Geräte sind neu.' },
  ];
  const idsIn = async (code: string, query: string) => {
    const words = new PassageWords(async () => [code]);
    await words.update(passages);
    const matches = [...(await words.match(query))];
    return matches.sort((a, b) => b[1].score - a[1].score).map(([{ id }]) => id);
  };
  expect(await idsIn('de', 'Netzgerät')).toEqual(['own', 'whole']);
  expect(await idsIn('de', 'Netzgeräte ')).toEqual(['own', 'whole']);
  expect(await idsIn('en', 'Netzgerät ')).toEqual(['own']);
});

test('a word that begins with another letter is another word', async () => {
  const words = await wordsOf([{ id: 'bed', text: 'Sleep well every night.' }]);
  expect((await words.corrections('trouble falling asleep at night')).size).toBe(0);
  expect([...(await words.corrections('lseep at nigth'))]).toEqual([
    ['lseep', 'sleep'],
    ['nigth', 'night'],
  ]);
});

test('a passage whose name is the query is first', async () => {
  const named: readonly Doc[] = [
    { id: 'mergetool', title: 'git-mergetool', text: 'git merge tool git merge git merge' },
    { id: 'merge', title: 'git-merge', text: 'Joins two lines of development.' },
    { id: 'other', source: 'docs/rebase.md', text: 'git merge git rebase' },
    { id: 'serve', title: 'Deno.serve', text: 'Handles requests.' },
    { id: 'serving', heading: 'To serve', text: 'serve serve serve' },
    { id: 'release', title: 'Release 1.2.3', text: 'New things.' },
    { id: 'later', title: 'Release 12.3', text: 'Release 1 2 3 1 2 3' },
  ];
  for (const query of ['git merge', 'git-merge', 'GitMerge']) {
    expect((await found(query, named))[0], query).toBe('merge');
  }
  expect((await found('rebase', named))[0]).toBe('other');
  expect((await found('deno.serve', named))[0]).toBe('serve');
  expect((await found('release 1.2.3', named))[0]).toBe('release');
});

test('a heading of many documents names none of them', async () => {
  const many = Array.from({ length: 5 }, (_, i) => ({
    id: i,
    source: `${i}.md`,
    heading: 'Examples',
    text: i === 3 ? 'Examples, and examples.' : 'Other words.',
  }));
  expect(await found('examples', many)).toEqual([3]);
  expect((await found('examples', many.slice(0, 3))).sort()).toEqual([0, 1, 2]);
});
