// The parts of the classify page that need no page: files, differences and times.
import { describe, expect, it } from 'vitest';
import { differenceOf, sentenceOf } from '../../../../web/demo/classify/answers-view.ts';
import { identifyFiles, linesOf } from '../../../../web/demo/classify/identify-files.ts';
import { noTiming, timeOf, timeOfAll, withRun } from '../../../../web/demo/classify/timing.ts';
import type { Classification } from '../../../../web/src/types.ts';

const fileOf = (name: string, type = '') => ({ path: name, file: new File([], name, { type }) });

/** An answer with these probabilities of the classes. */
function answerOf(...probabilities: number[]): Classification {
  const top = probabilities
    .map((probability, index) => ({ index, probability }))
    .sort((a, b) => b.probability - a.probability);
  return { logits: probabilities, top, layers: [] };
}

describe('given files', () => {
  it('are weights, a plan, labels or a picture', async () => {
    const identified = await identifyFiles(
      [fileOf('a.bin'), fileOf('plan.JSON'), fileOf('names.txt'), fileOf('b.bin')].concat(
        fileOf('photo', 'image/webp'),
      ),
    );
    expect(identified.weights.map(({ name }) => name)).toEqual(['a.bin', 'b.bin']);
    expect(identified.plan?.name).toBe('plan.JSON');
    expect(identified.labels?.name).toBe('names.txt');
    expect(identified.picture?.name).toBe('photo');
  });

  it('are weights if nothing else is known', async () => {
    const { weights, plan, labels, picture } = await identifyFiles([fileOf('weights')]);
    expect(weights).toHaveLength(1);
    expect([plan, labels, picture]).toEqual([null, null, null]);
    expect((await identifyFiles([fileOf('scan.JPEG')])).picture?.name).toBe('scan.JPEG');
  });

  it('are a picture by the first bytes, too', async () => {
    const file = new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)], 'scan');
    expect((await identifyFiles([{ path: 'scan', file }])).picture).toBe(file);
  });

  it('of labels have one label per line', () => {
    expect(linesOf('cat\r\nblue whale\ndog\n')).toEqual(['cat', 'blue whale', 'dog']);
  });
});

describe('the difference of two answers', () => {
  it('compares the same classes in any order', () => {
    const difference = differenceOf(answerOf(0.7, 0.2, 0.1), answerOf(0.3, 0.6, 0.1));
    expect(difference.sameAnswer).toBe(false);
    expect(difference.largest).toBeCloseTo(0.4);
  });

  it('is zero for equal answers', () => {
    const answer = answerOf(0.1, 0.9);
    expect(differenceOf(answer, answer)).toEqual({ sameAnswer: true, largest: 0 });
  });
});

describe('the sentence about a picture', () => {
  const variants = [{ kind: 'vanilla' }, { kind: 'dq8' }, { kind: 'sq8' }] as const;

  it('says if all variants agree', () => {
    const answers = [answerOf(0.1, 0.9), answerOf(0.2, 0.8), answerOf(0.3, 0.7)];
    expect(sentenceOf(variants, answers)).toBe(
      'This looks like Class 1, 90.0 % sure. All variants agree.',
    );
  });

  it('names the variants that disagree', () => {
    const answers = [answerOf(0.1, 0.9), answerOf(0.6, 0.4), answerOf(0.3, 0.7)];
    expect(sentenceOf(variants, answers)).toBe(
      'This looks like Class 1, 90.0 % sure. But DQ8 sees Class 0.',
    );
  });

  it('compares nothing for one variant, and is empty without a picture', () => {
    expect(sentenceOf(variants.slice(2), [answerOf(0.1, 0.9)])).toMatch(/sure\.$/);
    expect(sentenceOf(variants, [])).toBe('');
  });
});

describe('the time of a layer', () => {
  const run = (...times: number[]) =>
    times.map((milliseconds, index) => ({
      op: 'conv',
      index,
      shape: [1, 2, 2] as const,
      milliseconds,
    }));

  it('is the mean over the runs', () => {
    const timing = [run(1, 0), run(3, 0.1), run(2, 0)].reduce(withRun, noTiming);
    expect(timing.runs).toBe(3);
    expect(timeOf(timing, 0)).toBe(2);
    expect(timeOf(timing, 1)).toBeCloseTo(0.1 / 3);
    expect(timeOfAll(timing)).toBeCloseTo(2 + 0.1 / 3);
  });

  it('limits the weight of a run that was interrupted', () => {
    const timing = [run(1, 0), run(1, 0), run(1, 0), run(70, 70)].reduce(withRun, noTiming);
    expect(timeOf(timing, 0)).toBe((1 + 1 + 1 + 2) / 4);
    expect(timeOf(timing, 1)).toBeCloseTo(0.2 / 4);
  });

  it('counts the last runs only', () => {
    const timing = Array.from({ length: 300 }, (_, i) => run(i)).reduce(withRun, noTiming);
    expect(timing.runs).toBe(200);
    expect(timeOf(timing, 0)).toBe((100 + 299) / 2);
  });

  it('is 0 if the layer never ran', () => {
    expect([timeOf(noTiming, 0), timeOfAll(noTiming)]).toEqual([0, 0]);
    expect(timeOf(withRun(noTiming, run(1)), 7)).toBe(0);
  });
});
