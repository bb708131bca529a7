// Right answers and nonsense are told apart, with the built-in notes and each kind of model: static vectors of tokens, transformers
// and word vectors.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import {
  type Calibration,
  calibrate,
} from '../../../../../web/demo/search/results/closeness/calibrate.ts';
import {
  closenessesOf,
  wordShare,
} from '../../../../../web/demo/search/results/closeness/closeness-view.ts';
import { contentWords } from '../../../../../web/demo/search/results/matching/matched-words.ts';
import {
  type Closeness,
  closenessOf,
  scaleOf,
  shareOf,
} from '../../../../../web/demo/search/state/scale.ts';
import { resultCount } from '../../../../../web/demo/search/state/state.ts';
import type { Encoder, SearchIndex, WordVectors } from '../../../../../web/src/index.ts';
import { dataPath } from '../../../../data-folder.mjs';
import { describeWithData } from '../../../support/data.ts';
import { ambry } from '../../../support/package.ts';
import { answerable, elsewhere, nonsense, outOfScopeQuestions } from './closeness-questions.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** The part of pairs in which the first list has the larger score. */
function auc(above: readonly number[], below: readonly number[]): number {
  const wins: number[] = above.flatMap((a) => below.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
}

const order: readonly Closeness[] = ['very close', 'close', 'weak', 'not close'];

interface Best {
  readonly word: Closeness;
  readonly score: number;
  readonly cosine: number;
}

/** As measured, with room for one or two questions. Parts of the questions. */
interface Expected {
  /** Answerable ones that look right. */
  readonly found: number;
  /** Answerable ones of which the page says that nothing is close. */
  readonly lost: number;
  /** Questions that no passage answers, of which the page says so. */
  readonly nothing: number;
  /** Others that look right. */
  readonly fooled: number;
  /** The part of pairs in which an answerable question has a better score than another one. */
  readonly auc: number;
}

function check(name: string, source: () => Promise<string | Blob>, expected: Expected): void {
  describe(name, () => {
    let model: Encoder | WordVectors;
    let index: SearchIndex;
    let calibration: Calibration;
    const bests = new Map<readonly string[], readonly Best[]>();
    beforeAll(async () => {
      const { open, createIndex } = ambry;
      const text = await readFile(path.join(root, 'web/demo/corpus/everyday.json'), 'utf8');
      const given = await source();
      const opened = await open(typeof given === 'string' ? { path: given } : given);
      model = opened as Encoder | WordVectors;
      index = await createIndex(model, JSON.parse(text).passages);
      calibration = await calibrate(index, model);
      for (const questions of [answerable, nonsense, elsewhere, outOfScopeQuestions]) {
        bests.set(questions, await Promise.all(questions.map(bestOf)));
      }
    });
    afterAll(async () => {
      await index?.dispose();
      await model?.dispose();
    });

    /** The best of the results that the page shows. */
    const bestOf = async (query: string): Promise<Best> => {
      const hits = await index.search(query, { k: resultCount });
      const scores = await calibration.scoreHits(query, hits);
      const answer = { query, hits, milliseconds: 0 };
      const words = closenessesOf({ answer, scores, scale: calibration.scale });
      return {
        word: order.find((word) => words.includes(word)) ?? 'not close',
        score: Math.max(0, ...scores),
        cosine: hits[0]?.cosine ?? 0,
      };
    };
    const partOf = (questions: readonly string[], ...words: readonly Closeness[]): number => {
      const found = bests.get(questions) ?? [];
      return found.filter(({ word }) => words.includes(word)).length / found.length;
    };

    it('finds nothing close to nonsense', () => {
      expect(partOf(nonsense, 'very close', 'close')).toBe(0);
      expect(partOf(nonsense, 'not close')).toBeGreaterThanOrEqual(0.8);
    });

    it('finds right answers close', () => {
      expect(partOf(answerable, 'close', 'very close')).toBeGreaterThanOrEqual(expected.found);
      expect(partOf(answerable, 'not close')).toBeLessThanOrEqual(expected.lost);
    });

    it('says that nothing is close to questions that no passage answers', () => {
      expect(partOf(outOfScopeQuestions, 'not close')).toBeGreaterThanOrEqual(expected.nothing);
    });

    it('finds little close to questions about other things', () => {
      expect(partOf(elsewhere, 'close', 'very close')).toBeLessThanOrEqual(expected.fooled);
    });

    it('tells answerable questions and others apart', () => {
      const [good = [], ...bad] = [answerable, nonsense, elsewhere].map((list) => bests.get(list));
      const aucOf = (value: (best: Best) => number): number =>
        auc(
          good.map(value),
          bad.flatMap((list = []) => list.map(value)),
        );
      expect(aucOf(({ score }) => score)).toBeGreaterThanOrEqual(expected.auc);
      if (model.kind === 'words') {
        // The words tell more than the cosine of the texts: 0.84 instead of 0.71, and 0.82 instead of 0.72.
        const ofCosine = aucOf(({ cosine }) => cosine);
        expect(aucOf(({ score }) => score)).toBeGreaterThan(ofCosine + 0.08);
      }
    });
  });
}

const shipped = (name: string) => async () => path.join(root, 'web/demo/public/models', name);
check('the built-in model', shipped('english-static-336.weights'), {
  found: 0.79,
  lost: 0.11,
  nothing: 0.9,
  fooled: 0.16,
  auc: 0.9,
});
check('a transformer', shipped('english-192x1.weights'), {
  found: 0.76,
  lost: 0.1,
  nothing: 0.8,
  fooled: 0.12,
  auc: 0.91,
});
check('word vectors', shipped('books-96.fifu'), {
  found: 0.57,
  lost: 0.37,
  nothing: 0.83,
  fooled: 0.04,
  auc: 0.82,
});
describeWithData('with the data folder', ['encoders/english-192x2', 'wordvec'], () => {
  const folder = { path: dataPath('encoders/english-192x2') };
  const glove = 'wordvec/glove-twitter-25d-12k/glove.twitter.27B.25d.top12k.txt';
  check('a transformer of two layers', () => ambry.convert(folder, { to: 'embd' }), {
    found: 0.71,
    lost: 0.1,
    nothing: 0.9,
    fooled: 0.16,
    auc: 0.9,
  });
  check('word vectors of 25 dimensions', async () => dataPath(glove), {
    found: 0.58,
    lost: 0.35,
    nothing: 0.77,
    fooled: 0.18,
    auc: 0.8,
  });
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
      closenessOf(cosine, scale, 0.1),
    );
    expect(words).toEqual(['not close', 'close', 'close', 'very close', 'very close']);
    expect(closenessOf(scale.close, scale, 0)).toBe('close');
    expect(closenessOf(scale.close, scale, 0, scale.veryClose)).toBe('weak');
    expect(closenessOf(scale.close, scale, 0.1, scale.veryClose)).toBe('close');
    expect(shareOf(-1, scale)).toBe(0);
    expect(shareOf(scale.chance, scale)).toBe(0);
    expect(shareOf(1, scale)).toBe(1);
  });

  test.each([
    [[0.97, 0.98, 0.99]],
    [[-0.5, -0.4]],
    [[1, 1, 1]],
  ])('%j: the same text is very close', (scores) => {
    expect(closenessOf(1, scaleOf(scores), 0)).toBe('very close');
  });

  it('never calls a passage with the words of the question not close', () => {
    expect(closenessOf(scale.chance, scale, 0.5)).toBe('weak');
    expect(closenessOf(scale.chance, scale, 0.3)).toBe('not close');
    const words = contentWords('a flat tyre on the bike');
    expect(wordShare(words, 'Patch the tyre.')).toBeCloseTo(1 / 3);
    expect(wordShare(words, 'Patch the flat tyres.')).toBeCloseTo(2 / 3);
    expect(wordShare(contentWords('the of and'), 'the of and')).toBe(0);
  });
});
