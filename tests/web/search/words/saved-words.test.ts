// The words of passages as an index file has them.
import { expect, test } from 'vitest';
import type { Doc } from '../../../../web/src/search/base/types.ts';
import { PassageWords } from '../../../../web/src/search/words/passage-words.ts';
import type { SavedWords } from '../../../../web/src/search/words/saved-words.ts';

const docs: readonly Doc[] = [
  { text: 'Bread rises because the yeast in the dough makes gas, gas and gas.' },
  { text: 'Das Brot geht auf, weil die Hefe im Teig Gase bildet.' },
  { text: 'Tides follow the moon and not the other planets, says getUserById.' },
  { text: 'Die alten Häuser am Ufer sind nicht neu, und das Brot ist es auch nicht.' },
];
const codes = async () => ['en', 'de'];
const queries = ['bread', 'Brot Häuser', 'hauser', 'user gas', 'planets moon', 'plan', 'yaest'];

async function answers(words: PassageWords) {
  return Promise.all(queries.map(async (query) => [...(await words.match(query))]));
}

async function saved(): Promise<[PassageWords, SavedWords]> {
  const words = new PassageWords(codes);
  // Numbers of passages that are gone leave holes.
  await words.update([{ text: 'Gone bread.' }, ...docs.slice(0, 2)]);
  await words.update(docs);
  return [words, await words.save()];
}

/** Reads the texts only where it must. */
async function restored(given: SavedWords, own: readonly Doc[] = docs) {
  const words = new PassageWords(codes);
  await words.restore(given, own);
  const before = await answers(words);
  await words.update(own);
  return { words, wasTaken: before.some((found) => found.length > 0) };
}

test('give the same answers', async () => {
  const [words, kept] = await saved();
  const { words: other, wasTaken } = await restored(structuredClone(kept));
  expect(wasTaken).toBe(true);
  expect(await answers(other)).toEqual(await answers(words));
  expect(await other.save()).toEqual(kept);
});

test('take further passages, and lose removed ones', async () => {
  const [, kept] = await saved();
  const { words } = await restored(kept);
  const more = [...docs.slice(1), { text: 'A zebra eats bread.' }];
  const fresh = new PassageWords(codes);
  await Promise.all([words.update(more), fresh.update(more)]);
  const sorted = async (of: PassageWords) =>
    (await answers(of)).map((found) => found.map(([doc]) => more.indexOf(doc)).sort());
  expect(await sorted(words)).toEqual(await sorted(fresh));
});

test('that do not fit the passages are read from the texts', async () => {
  const [words, kept] = await saved();
  const [first, second] = kept as [SavedWords[number], SavedWords[number]];
  const wrong: SavedWords[] = [
    [],
    [first],
    [second, first],
    [{ ...first, lengths: '0*5' }, second],
    [{ ...first, lengths: '0*5 9*3' }, second],
    [{ ...first, lengths: `${first.lengths} 1*2` }, second],
    [{ ...first, words: 'bread\t0 0' }, second],
    [{ ...first, words: 'bread\t1' }, second],
    [{ ...first, words: 'bread\tx!' }, second],
    [{ ...first, words: '\t0' }, second],
    [{ ...first, words: 'bread\t-1' }, second],
  ];
  for (const given of wrong) {
    const { words: other, wasTaken } = await restored(given);
    expect(wasTaken, JSON.stringify(given)).toBe(false);
    expect(await answers(other)).toEqual(await answers(words));
  }
});
