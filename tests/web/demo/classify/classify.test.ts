// What the classify page works out before it draws: files, differences, times.
import { describe, expect, it } from 'vitest';
import { differenceOf, sentenceOf } from '../../../../web/demo/classify/answers-view.ts';
import { linesOf, sortFiles } from '../../../../web/demo/classify/sort-files.ts';
import { noTiming, timeOf, timeOfAll, withRun } from '../../../../web/demo/classify/timing.ts';
import type { Classification } from '../../../../web/src/types.ts';

const fileOf = (name: string, type = '') => ({ path: name, file: new File([], name, { type }) });

/** Of classes by their probabilities. */
function answerOf(...probabilities: number[]): Classification {
  const top = probabilities
    .map((probability, index) => ({ index, probability }))
    .sort((a, b) => b.probability - a.probability);
  return { logits: probabilities, top, layers: [] };
}

describe('files', () => {
  it('are a network, its plan, its labels or a picture', () => {
    const sorted = sortFiles(
      [fileOf('a.bin'), fileOf('plan.JSON'), fileOf('names.txt'), fileOf('b.bin')].concat(
        fileOf('photo', 'image/webp'),
      ),
    );
    expect(sorted.weights.map(({ name }) => name)).toEqual(['a.bin', 'b.bin']);
    expect(sorted.plan?.name).toBe('plan.JSON');
    expect(sorted.labels?.name).toBe('names.txt');
    expect(sorted.picture?.name).toBe('photo');
  });

  it('are taken for a network when nothing else tells', () => {
    const { weights, plan, labels, picture } = sortFiles([fileOf('weights')]);
    expect(weights).toHaveLength(1);
    expect([plan, labels, picture]).toEqual([null, null, null]);
    expect(sortFiles([fileOf('scan.JPEG')]).picture?.name).toBe('scan.JPEG');
  });

  it('of labels have one a line', () => {
    expect(linesOf('cat\r\nblue whale\ndog\n')).toEqual(['cat', 'blue whale', 'dog']);
  });
});

describe('the difference of two answers', () => {
  it('is by class, whatever their order', () => {
    const difference = differenceOf(answerOf(0.7, 0.2, 0.1), answerOf(0.3, 0.6, 0.1));
    expect(difference.sameAnswer).toBe(false);
    expect(difference.largest).toBeCloseTo(0.4);
  });

  it('is nothing between equal ones', () => {
    const answer = answerOf(0.1, 0.9);
    expect(differenceOf(answer, answer)).toEqual({ sameAnswer: true, largest: 0 });
  });
});

describe('the sentence about a picture', () => {
  const variants = [{ kind: 'vanilla' }, { kind: 'dq8' }, { kind: 'sq8' }] as const;

  it('says that all agree', () => {
    const answers = [answerOf(0.1, 0.9), answerOf(0.2, 0.8), answerOf(0.3, 0.7)];
    expect(sentenceOf(variants, answers)).toBe(
      'This looks like Class 1, 90.0 % sure. All variants agree.',
    );
  });

  it('names those that do not', () => {
    const answers = [answerOf(0.1, 0.9), answerOf(0.6, 0.4), answerOf(0.3, 0.7)];
    expect(sentenceOf(variants, answers)).toBe(
      'This looks like Class 1, 90.0 % sure. But DQ8 sees Class 0.',
    );
  });

  it('compares one with nobody, and says nothing of no picture', () => {
    expect(sentenceOf(variants.slice(2), [answerOf(0.1, 0.9)])).toMatch(/sure\.$/);
    expect(sentenceOf(variants, [])).toBe('');
  });
});

describe('times', () => {
  const run = (...times: number[]) =>
    times.map((milliseconds, index) => ({
      op: 'conv',
      index,
      shape: [1, 2, 2] as const,
      milliseconds,
    }));

  it('are means over the runs', () => {
    const timing = [run(1, 0), run(3, 0.1), run(2, 0)].reduce(withRun, noTiming);
    expect(timing.runs).toBe(3);
    expect(timeOf(timing, 0)).toBe(2);
    expect(timeOf(timing, 1)).toBeCloseTo(0.1 / 3);
    expect(timeOfAll(timing)).toBeCloseTo(2 + 0.1 / 3);
  });

  it('are spoilt by no run that was interrupted', () => {
    const timing = [run(1, 0), run(1, 0), run(1, 0), run(70, 70)].reduce(withRun, noTiming);
    expect(timeOf(timing, 0)).toBe((1 + 1 + 1 + 2) / 4);
    expect(timeOf(timing, 1)).toBeCloseTo(0.2 / 4);
  });

  it('are those of the latest runs', () => {
    const timing = Array.from({ length: 300 }, (_, i) => run(i)).reduce(withRun, noTiming);
    expect(timing.runs).toBe(200);
    expect(timeOf(timing, 0)).toBe((100 + 299) / 2);
  });

  it('are 0 of what was never run', () => {
    expect([timeOf(noTiming, 0), timeOfAll(noTiming)]).toEqual([0, 0]);
    expect(timeOf(withRun(noTiming, run(1)), 7)).toBe(0);
  });
});
