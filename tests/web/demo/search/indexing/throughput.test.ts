import { describe, expect, test } from 'vitest';
import { formatDuration, Throughput } from '../../../../../web/demo/search/indexing/throughput.ts';

describe('Throughput', () => {
  test('says nothing before it has enough samples', () => {
    const throughput = new Throughput();
    expect(throughput.describe(0, 0, 100)).toBe('');
    expect(throughput.describe(100, 10, 100)).toBe('');
  });

  test('gives the speed and the time left', () => {
    const throughput = new Throughput();
    throughput.describe(0, 0, 10_000);
    expect(throughput.describe(1000, 500, 10_000)).toBe('500 per second, 19 s left');
    expect(throughput.describe(2000, 2000, 10_000)).toBe('1,000 per second, 8 s left');
  });

  test('uses recent samples only', () => {
    const throughput = new Throughput();
    throughput.describe(0, 0, 1000);
    throughput.describe(60_000, 1, 1000);
    expect(throughput.describe(62_000, 5, 1000)).toBe('2.0 per second, 8 min left');
  });

  test('says nothing without progress', () => {
    const throughput = new Throughput();
    throughput.describe(0, 7, 100);
    expect(throughput.describe(5000, 7, 100)).toBe('');
  });

  test.each([
    [0.2, '1 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3599, '1 h'],
    [4200, '1 h 10 min'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});
