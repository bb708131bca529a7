import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debounced } from '../../../../../web/demo/shared/base/debounce.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('work runs for the last of several quick inputs', () => {
  const seen: string[] = [];
  const { request } = debounced<string>(50, async (input) => {
    seen.push(input);
  });
  request('a');
  request('ab');
  vi.advanceTimersByTime(49);
  request('abc');
  vi.advanceTimersByTime(50);
  expect(seen).toEqual(['abc']);
});

test('a newer input aborts the work for an older one', () => {
  const signals: AbortSignal[] = [];
  const { requestNow } = debounced<string>(50, async (_, signal) => {
    signals.push(signal);
  });
  requestNow('a');
  requestNow('b');
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
});

test('a request without a pause replaces a waiting one', () => {
  const seen: string[] = [];
  const { request, requestNow } = debounced<string>(50, async (input) => {
    seen.push(input);
  });
  request('waiting');
  requestNow('now');
  vi.advanceTimersByTime(100);
  expect(seen).toEqual(['now']);
});
