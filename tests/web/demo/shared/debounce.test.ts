import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { latest } from '../../../../web/demo/shared/debounce.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('only the last input of a burst is worked on', () => {
  const seen: string[] = [];
  const { request } = latest<string>(50, async (input) => {
    seen.push(input);
  });
  request('a');
  request('ab');
  vi.advanceTimersByTime(49);
  request('abc');
  vi.advanceTimersByTime(50);
  expect(seen).toEqual(['abc']);
});

test('a newer input aborts the work on the older one', () => {
  const signals: AbortSignal[] = [];
  const { requestNow } = latest<string>(50, async (_, signal) => {
    signals.push(signal);
  });
  requestNow('a');
  requestNow('b');
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
});

test('what is asked at once takes the place of what was waiting', () => {
  const seen: string[] = [];
  const { request, requestNow } = latest<string>(50, async (input) => {
    seen.push(input);
  });
  request('waiting');
  requestNow('now');
  vi.advanceTimersByTime(100);
  expect(seen).toEqual(['now']);
});
