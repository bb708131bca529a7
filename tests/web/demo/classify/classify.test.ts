// The parts of the classify page that need no page: files, differences and times.
import { describe, expect, it } from 'vitest';
import { identifyFiles } from '../../../../web/demo/classify/given/identify-files.ts';
import { differenceOf, sentenceOf } from '../../../../web/demo/classify/picture/answers-view.ts';
import {
  inputPicture,
  mapsOf,
  maxMaps,
  rangeOf,
} from '../../../../web/demo/classify/picture/feature-maps.ts';
import { batchSize } from '../../../../web/demo/classify/picture/measure.ts';
import { linesOf } from '../../../../web/demo/classify/picture/names.ts';
import {
  noTiming,
  spreadOf,
  timeOf,
  withBatch,
} from '../../../../web/demo/classify/state/timing.ts';
import type { Activation, ImageRun } from '../../../../web/src/entries/types.ts';

const fileOf = (name: string, type = '') => ({ path: name, file: new File([], name, { type }) });

/** An answer with these scores of the classes. */
function answerOf(...scores: number[]): ImageRun {
  const labels = scores
    .map((score, index) => ({ label: `Class ${index}`, index, score }))
    .sort((a, b) => b.score - a.score);
  return { logits: scores, labels, layers: [] };
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

  it('is the median of batches, and a batch is the mean of its runs', () => {
    const timing = [
      [run(1, 0), run(2, 0.1)],
      [run(1, 0.1), run(1, 0.1)],
      [run(70, 70), run(70, 70)],
    ].reduce(withBatch, noTiming);
    expect(timing.runs).toBe(6);
    expect(timeOf(timing, 0)).toBe(1.5);
    expect(timeOf(timing, 1)).toBeCloseTo(0.1);
    expect(timing.totals).toEqual([expect.closeTo(1.55), expect.closeTo(1.1), 140]);
    expect(spreadOf(timing.totals).median).toBeCloseTo(1.55);
  });

  it('has a spread: the middle half of the samples', () => {
    expect(spreadOf([5, 1, 3, 2, 4])).toEqual({ median: 3, low: 2, high: 4 });
    expect(spreadOf([1, 2])).toEqual({ median: 1.5, low: 1.25, high: 1.75 });
    expect(spreadOf([])).toEqual({ median: 0, low: 0, high: 0 });
  });

  it('counts the last samples only', () => {
    const batches = Array.from({ length: 300 }, (_, i) => [run(i)]);
    const timing = batches.reduce(withBatch, noTiming);
    expect(timing.layers[0]?.samples).toHaveLength(200);
    expect(timeOf(timing, 0)).toBe((199 + 200) / 2);
  });

  it('is 0 if the layer never ran', () => {
    expect(timeOf(noTiming, 0)).toBe(0);
    expect(timeOf(withBatch(noTiming, [run(1)]), 7)).toBe(0);
    expect(withBatch(noTiming, [])).toBe(noTiming);
  });

  it('has fewer runs in a batch of a slow network', () => {
    expect([0, 5, 50, 400, 4000].map(batchSize)).toEqual([25, 25, 10, 1, 1]);
  });
});

describe('feature maps', () => {
  const activation = (
    shape: readonly [number, number, number],
    values: number[],
    channels = shape[0],
  ): Activation => ({ op: 'conv', index: 0, shape, channels, values: Float32Array.from(values) });
  const pixel = (drawn: ReturnType<typeof mapsOf>, x: number, y: number) =>
    [...(drawn?.pixels ?? [])].slice(4 * (y * (drawn?.width ?? 0) + x)).slice(0, 3);

  it('are planes side by side, with the colours of their signs', () => {
    const drawn = mapsOf(activation([2, 1, 2], [0, 4, -4, 2]));
    expect([drawn?.width, drawn?.height]).toEqual([2 * 3 - 1, 1]);
    const [nothing, most, least, half] = [0, 1, 3, 4].map((x) => pixel(drawn, x, 0));
    expect(nothing).toEqual([247, 244, 236]);
    expect(most?.[1], 'green').toBeGreaterThan(most?.[0] ?? 0);
    expect(least?.[0], 'red').toBeGreaterThan(least?.[1] ?? 0);
    expect(half?.[0]).toBeGreaterThan(most?.[0] ?? 0);
    expect(half?.[0]).toBeLessThan(nothing?.[0] ?? 0);
  });

  it('are the first ones of a wide layer, and none of a layer that was not kept', () => {
    const many = activation([100, 1, 2], Array(200).fill(1));
    expect(mapsOf(many)).toMatchObject({ width: 16 * 3 - 1, height: (maxMaps / 16) * 2 - 1 });
    const vector = activation([1000, 1, 1], Array(1000).fill(1));
    expect(mapsOf(vector), 'values have no lines between them').toMatchObject({
      width: 32,
      height: 8,
    });
    expect(mapsOf(activation([4, 9, 9], [], 0))).toBeNull();
  });

  it('take values that are not finite', () => {
    expect(rangeOf(Float32Array.of(Number.NaN, 2, Number.NEGATIVE_INFINITY))).toEqual({
      low: 2,
      high: 2,
    });
    expect(rangeOf(new Float32Array(0))).toEqual({ low: 0, high: 0 });
    expect(pixel(mapsOf(activation([1, 1, 2], [Number.NaN, 1])), 0, 0)).toEqual([247, 244, 236]);
  });

  it('show the input from black to white, or in its colours', () => {
    const grey = inputPicture(activation([1, 1, 3], [-1, 0, 1]));
    expect([0, 1, 2].map((x) => pixel(grey, x, 0)[0])).toEqual([0, 128, 255]);
    const coloured = inputPicture(activation([3, 1, 1], [1, 0, 0.5]));
    expect(pixel(coloured, 0, 0)).toEqual([255, 0, 128]);
    expect(inputPicture(activation([3, 9, 9], [], 0))).toBeNull();
  });
});
