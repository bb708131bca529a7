// Speed and remaining time of long work, by reports at given times.
import { expect, test } from 'vitest';
import { formatDuration, Pace } from '../../../../web/src/cli/shared/progress-rate.ts';
import type { Progress } from '../../../../web/src/types.ts';

const at = (loaded: number, total = 1000, phase: Progress['phase'] = 'embed'): Progress => {
  return { phase, loaded, total, cached: false };
};

test('speed and remaining time, once a second has passed', () => {
  const pace = new Pace();
  expect(pace.take(at(0), 0)).toBeNull();
  expect(pace.take(at(50), 500)).toBeNull();
  expect(pace.take(at(200), 2000)).toEqual({ perSecond: 100, secondsLeft: 8 });
});

test('goes by the last ten seconds', () => {
  const pace = new Pace();
  pace.take(at(0), 0);
  pace.take(at(500), 100);
  for (let second = 1; second <= 20; second++) pace.take(at(500 + second), 100 + second * 1000);
  expect(pace.take(at(521), 21_100)).toMatchObject({ perSecond: 1 });
});

test('says nothing of a total that is unknown, nor of work that does not move', () => {
  const pace = new Pace();
  pace.take(at(0, 0), 0);
  expect(pace.take(at(100, 0), 1000)).toEqual({ perSecond: 100, secondsLeft: null });
  const still = new Pace();
  still.take(at(0), 0);
  expect(still.take(at(0), 5000)).toBeNull();
});

test('begins anew with another phase, and where it goes back', () => {
  const pace = new Pace();
  pace.take(at(0, 1000, 'load'), 0);
  pace.take(at(1000, 1000, 'load'), 2000);
  expect(pace.take(at(10), 3000)).toBeNull();
  expect(pace.take(at(20), 4000)).toMatchObject({ perSecond: 10 });
  expect(pace.take(at(0), 9000)).toBeNull();
});

test.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [60, '1:00'],
  [125, '2:05'],
  [3725, '1:02:05'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
