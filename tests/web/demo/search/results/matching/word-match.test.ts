// How well passages match a question word by word.
import { expect, it, vi } from 'vitest';
import { WordMatch } from '../../../../../../web/demo/search/results/matching/word-match.ts';

/** All words point along the first axis, and a little to one of the others. */
const known: Readonly<Record<string, readonly number[]>> = {
  kettle: [3, 1, 0],
  teapot: [3, 0.9, 0.1],
  glacier: [3, 0, 1],
  iceberg: [3, 0.1, 0.9],
};
const embedder = () =>
  vi.fn(async (words: readonly string[]) =>
    words.map((word) => Float32Array.from(known[word] ?? [0, 0, 0])),
  );

it('takes what all words have in common from them', async () => {
  const match = new WordMatch(embedder());
  const before = await match.scores('kettle', ['A teapot.', 'A glacier.']);
  expect(before[1]).toBeGreaterThan(0.8);
  await match.learn(['kettle teapot', 'glacier iceberg']);
  const [near = 0, far = 1] = await match.scores('kettle', ['A teapot.', 'A glacier.']);
  expect(near).toBeGreaterThan(0.9);
  expect(far).toBe(0);
});

it('counts the word itself in any form, also if the model does not know it', async () => {
  const match = new WordMatch(embedder());
  await match.learn(['kettle', 'glacier']);
  expect(await match.scores('Zorbles', ['two zorbles', 'a zorble', 'kettle'])).toEqual([1, 1, 0]);
});

it('is the mean over the words of the question', async () => {
  const match = new WordMatch(embedder());
  await match.learn(['kettle', 'glacier']);
  expect(await match.scores('the kettle and the qqq', ['My kettle is here.'])).toEqual([0.5]);
  expect(await match.scores('?!', ['My kettle is here.'])).toEqual([0]);
  expect(await match.scores('kettle', [])).toEqual([]);
});

it('leaves out words that most passages have, unless the question has no others', async () => {
  const match = new WordMatch(embedder());
  await match.learn(Array.from({ length: 12 }, (_, i) => `und ${i}`));
  expect(await match.scores('und kettle', ['Ein Berg und ein Tal'])).toEqual([0]);
  expect(await match.scores('und', ['Ein Berg und ein Tal'])).toEqual([1]);
  expect(await match.scores('what is it', ['This is it.'])).not.toEqual([0]);
});

it('embeds each word once, and of a very long passage only the first words', async () => {
  const embed = embedder();
  const match = new WordMatch(embed);
  const long = Array.from({ length: 5000 }, (_, i) => `w${i}`).join(' ');
  await match.scores('kettle', [long, 'kettle']);
  await match.scores('kettle', [long]);
  const asked = embed.mock.calls.flatMap(([words]) => words);
  expect(asked.length).toBe(new Set(asked).size);
  expect(asked.length).toBeLessThan(500);
});

it('passes on that the model is gone', async () => {
  const match = new WordMatch(async () => Promise.reject(new Error('gone')));
  await expect(match.learn(['kettle'])).rejects.toThrow('gone');
});
