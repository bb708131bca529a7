// The mathematics of classifiers from examples: gradients, the minimum, and which examples are held out.
import { describe, expect, test } from 'vitest';
import { Yielder } from '../../../web/src/base/yielder.ts';
import { minimize } from '../../../web/src/text-classifier/trained/minimize.ts';
import {
  Objective,
  type TrainingData,
  weightsAt,
} from '../../../web/src/text-classifier/trained/objective.ts';
import { splitOf } from '../../../web/src/text-classifier/trained/split.ts';
import { train } from '../../../web/src/text-classifier/trained/train.ts';

const yielder = new Yielder(undefined);
const points = [1, 0, 0.8, 0.6, 0, 1, -0.6, 0.8, -1, 0, 0.6, -0.8, 0.6, 0.8];
const data: TrainingData = {
  rows: Float32Array.from(points),
  dim: 2,
  labels: 3,
  targets: Int32Array.from([0, 0, 1, 1, 2, 2, 2]),
  balanced: false,
};
const all = Int32Array.from(data.targets, (_, i) => i);
/** No number of it is special. */
const somewhere = Float64Array.from([0.3, -1.2, 0.7, 0.1, -0.4, 2, 0.2, -0.6, 0.5]);

describe.each([
  ['all examples', all, false],
  ['five examples', all.subarray(1, 6), false],
  ['balanced labels', all, true],
])('%s', (_, chosen, balanced) => {
  test('the gradient is that of differences', async () => {
    const objective = new Objective({ ...data, balanced }, chosen, 0.1, yielder);
    const gradient = new Float64Array(objective.size);
    await objective.evaluate(somewhere, gradient);
    const small = 1e-6;
    for (const i of somewhere.keys()) {
      const valueAt = (change: number) => {
        const at = somewhere.slice();
        at[i] = (at[i] as number) + change;
        return objective.evaluate(at, new Float64Array(objective.size));
      };
      const slope = ((await valueAt(small)) - (await valueAt(-small))) / (2 * small);
      expect(gradient[i]).toBeCloseTo(slope, 8);
    }
  });
});

test('the minimum is that of tests/reference/logistic_regression.py', async () => {
  const objective = new Objective(data, all, 0.1, yielder);
  const found = await minimize(objective, new Float64Array(objective.size), yielder, () => {});
  const value = await objective.evaluate(found, new Float64Array(objective.size));
  expect(value).toBeCloseTo(0.565186184, 7);
  const { weight, bias } = weightsAt(found, data);
  expectNear(weight, [2.53049, -0.52813, -1.84778, 2.22091, -0.68271, -1.69279]);
  expectNear(bias, [-0.76519, -0.95408, 1.71927]);
});

function expectNear(numbers: Float64Array, expected: readonly number[]): void {
  expect(numbers).toHaveLength(expected.length);
  for (const [i, number] of numbers.entries()) {
    expect(Math.abs(number - (expected[i] as number))).toBeLessThan(0.01);
  }
}

test('balanced labels count the same, however many examples each has', async () => {
  const repeated = { ...data, targets: Int32Array.from([0, 1, 1, 1, 1, 1, 1]), labels: 2 };
  const even = { ...repeated, rows: new Float32Array(14), balanced: true };
  const [as, balanced] = [
    await train({ ...even, balanced: false }, 0.1, {}),
    await train(even, 0.1, {}),
  ];
  // Vectors of zeros tell nothing, so that only the frequency of the labels is left.
  expect((as.bias[1] as number) - (as.bias[0] as number)).toBeCloseTo(Math.log(6), 2);
  expect((balanced.bias[1] as number) - (balanced.bias[0] as number)).toBeCloseTo(0, 2);
});

test('every fifth example of a label is held out, where two labels have 5', () => {
  const targets = Int32Array.from([0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 2, 0, 0, 0, 0, 0]);
  const split = splitOf(targets, 3);
  expect([...(split?.heldOut ?? [])]).toEqual([8, 9, 15]);
  expect([...(split?.rest ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14]);
  expect(splitOf(targets.subarray(0, 9), 2)).toBeUndefined();
});

test('a search of nothing ends at once, and one without examples of a label goes on', async () => {
  const objective = new Objective({ ...data, labels: 4 }, all, 0.1, yielder);
  const steps: number[] = [];
  const found = await minimize(objective, new Float64Array(objective.size), yielder, (step) =>
    steps.push(step),
  );
  const again = await minimize(objective, found, yielder, () => steps.push(-1));
  expect(again).toBe(found);
  expect(steps).toEqual(steps.map((_, i) => i));
  expect(found.every(Number.isFinite)).toBe(true);
});
