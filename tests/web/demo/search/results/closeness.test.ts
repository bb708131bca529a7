// Right answers and nonsense are told apart, with the built-in notes and three kinds of models: static vectors of tokens, a
// transformer, and a transformer of two layers from the data folder.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import {
  closenessesOf,
  hasWordsOf,
} from '../../../../../web/demo/search/results/closeness/closeness-view.ts';
import { probes } from '../../../../../web/demo/search/results/closeness/probes.ts';
import {
  type Closeness,
  type ClosenessScale,
  closenessOf,
  scaleOf,
  shareOf,
} from '../../../../../web/demo/search/results/closeness/scale.ts';
import { contentWords } from '../../../../../web/demo/search/results/matched-words.ts';
import type { Encoder, SearchIndex } from '../../../../../web/src/index.ts';
import { dataPath } from '../../../../data-folder.mjs';
import { describeWithData } from '../../../support/data.ts';
import { ambry } from '../../../support/package.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const right = [
  'trouble falling asleep at night',
  'what helps against an insect bite',
  'nausea on a boat',
  'goldfish in a bowl',
  'why does my bread not rise',
  'how do I sharpen a knife',
  'soup is too salty',
  'how long can I keep leftovers',
  'what are the rings of Saturn made of',
  'why does minor sound sad',
  'my passport was stolen',
  'how to light a campfire',
  'stiff towels',
  'explain the offside rule',
  'dates show as numbers in a spreadsheet',
];
const nonsense = [
  'zzxxqq',
  'asdf qwer',
  'qwertyuiop',
  'xkcd jjjj pqpq',
  'lorem ipsum dolor sit amet',
  'blorf gnarp snizzle',
  'aaaaaaaaaa',
  '1234567890',
  'fhqwhgads',
  'hjkl',
  'ghghgh tttt',
  'foo bar baz',
];
const order: readonly Closeness[] = ['very close', 'close', 'weak', 'not close'];

function check(name: string, source: () => Promise<string | Blob>, mayFail: number): void {
  describe(name, () => {
    let model: Encoder;
    let index: SearchIndex;
    let scale: ClosenessScale;
    beforeAll(async () => {
      const { open, createIndex } = ambry;
      const text = await readFile(path.join(root, 'web/demo/corpus/everyday.json'), 'utf8');
      const given = await source();
      const opened = await open(typeof given === 'string' ? { path: given } : given);
      model = opened as Encoder;
      index = await createIndex(model, JSON.parse(text).passages);
      const scores: number[] = [];
      for (const probe of probes) {
        scores.push((await index.search(probe, { k: 1 }))[0]?.cosine ?? 0);
      }
      scale = scaleOf(scores);
    });
    afterAll(async () => {
      await index?.dispose();
      await model?.dispose();
    });

    /** The best word for each question. */
    const bestOf = async (questions: readonly string[]): Promise<Map<string, Closeness>> => {
      const found = new Map<string, Closeness>();
      for (const query of questions) {
        const all = closenessesOf({ query, hits: await index.search(query, { k: 8 }) }, scale);
        found.set(query, order.find((word) => all.includes(word)) ?? 'not close');
      }
      return found;
    };
    const countOf = (found: Map<string, Closeness>, ...words: readonly Closeness[]): number =>
      [...found.values()].filter((word) => words.includes(word)).length;

    it('finds nothing close to nonsense', async () => {
      const found = await bestOf(nonsense);
      expect(countOf(found, 'very close', 'close'), JSON.stringify([...found])).toBe(0);
      expect(countOf(found, 'weak'), JSON.stringify([...found])).toBeLessThanOrEqual(mayFail);
    });

    it('finds right answers close', async () => {
      const found = await bestOf(right);
      expect(countOf(found, 'not close'), JSON.stringify([...found])).toBeLessThanOrEqual(mayFail);
      expect(countOf(found, 'close', 'very close'), JSON.stringify([...found])).toBeGreaterThan(
        right.length * 0.7,
      );
    });
  });
}

const shipped = (name: string) => async () =>
  path.join(root, `web/demo/public/models/${name}.weights`);
check('the built-in model', shipped('english-static-336'), 0);
check('a transformer', shipped('english-192x1'), 1);
describeWithData('with the data folder', ['encoders/english-192x2'], () => {
  const folder = { path: dataPath('encoders/english-192x2') };
  check('a transformer of two layers', () => ambry.convert(folder, { to: 'embd' }), 1);
});

describe('the scale', () => {
  const scale = scaleOf([0.1, 0.12, 0.14, 0.16, 0.18, 0.1, 0.12, 0.14, 0.16, 0.9]);

  it('does not follow one probe that has an answer', () => {
    expect(scale.veryClose).toBeLessThan(0.5);
  });

  it('ignores probes whose words the model does not know', () => {
    expect(scaleOf([0, 0, 0, 0.4, 0.5, 0.6]).chance).toBeGreaterThan(0.4);
    expect(scaleOf([0, 0, 0]).chance).toBe(0);
    expect(scaleOf([]).chance).toBe(0);
  });

  it('rises from chance to very close', () => {
    const words = [0.13, scale.weak, scale.close, scale.veryClose, 1].map((cosine) =>
      closenessOf(cosine, scale, false),
    );
    expect(words).toEqual(['not close', 'weak', 'close', 'very close', 'very close']);
    expect(shareOf(-1, scale)).toBe(0);
    expect(shareOf(scale.chance, scale)).toBe(0);
    expect(shareOf(1, scale)).toBe(1);
  });

  test.each([
    [[0.97, 0.98, 0.99]],
    [[-0.5, -0.4]],
    [[1, 1, 1]],
  ])('%j: the same text is very close', (scores) => {
    expect(closenessOf(1, scaleOf(scores), false)).toBe('very close');
  });

  it('never calls a passage with the words of the question not close', () => {
    expect(closenessOf(0, scale, true)).toBe('weak');
    const words = contentWords('a flat tyre on the bike');
    expect(hasWordsOf(words, 'Patch the tyre.')).toBe(false);
    expect(hasWordsOf(words, 'Patch the flat tyres.')).toBe(true);
    expect(hasWordsOf(contentWords('the of and'), 'the of and')).toBe(false);
  });
});
