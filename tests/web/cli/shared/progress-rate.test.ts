// Estimates speed and remaining time from reports at given times.
import { expect, test } from 'vitest';
import { formatDuration } from '../../../../web/src/cli/shared/format.ts';
import { ProgressRate } from '../../../../web/src/cli/shared/progress-rate.ts';
import type { Progress } from '../../../../web/src/entries/types.ts';

const at = (loaded: number, total = 1000, phase: Progress['phase'] = 'embed'): Progress => {
  return { phase, loaded, total, cached: false };
};

test('gives speed and remaining time after a second', () => {
  const rate = new ProgressRate();
  expect(rate.update(at(0), 0)).toBeNull();
  expect(rate.update(at(50), 500)).toBeNull();
  expect(rate.update(at(200), 2000)).toEqual({ perSecond: 100, secondsLeft: 8 });
});

test('uses the last ten seconds', () => {
  const rate = new ProgressRate();
  rate.update(at(0), 0);
  rate.update(at(500), 100);
  for (let second = 1; second <= 20; second++) {
    rate.update(at(500 + second), 100 + second * 1000);
  }
  expect(rate.update(at(521), 21_100)).toMatchObject({ perSecond: 1 });
});

test('gives no remaining time without a total, and nothing without progress', () => {
  const rate = new ProgressRate();
  rate.update(at(0, 0), 0);
  expect(rate.update(at(100, 0), 1000)).toEqual({ perSecond: 100, secondsLeft: null });
  const stalled = new ProgressRate();
  stalled.update(at(0), 0);
  expect(stalled.update(at(0), 5000)).toBeNull();
});

test('starts again when the phase changes or the count falls', () => {
  const rate = new ProgressRate();
  rate.update(at(0, 1000, 'load'), 0);
  rate.update(at(1000, 1000, 'load'), 2000);
  expect(rate.update(at(10), 3000)).toBeNull();
  expect(rate.update(at(20), 4000)).toMatchObject({ perSecond: 10 });
  expect(rate.update(at(0), 9000)).toBeNull();
});

test.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [60, '1:00'],
  [125, '2:05'],
  [3725, '1:02:05'],
])('%d seconds are formatted as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
