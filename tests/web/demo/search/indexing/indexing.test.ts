import { describe, expect, test } from 'vitest';
import { workerCountFor } from '../../../../../web/demo/search/indexing/indexing.ts';

describe('workerCountFor', () => {
  const small = { weightBytes: 4e6 };
  const large = { weightBytes: 130e6 };

  test.each([
    ['a small model on two cores', small, 5000, { cores: 2, gigabytes: 8 }, 2],
    ['a small model on eight cores', small, 5000, { cores: 8, gigabytes: 8 }, 4],
    ['one core', small, 5000, { cores: 1, gigabytes: 8 }, 1],
    ['few passages', small, 100, { cores: 8, gigabytes: 8 }, 1],
    ['a large model', large, 5000, { cores: 8, gigabytes: 8 }, 1],
    ['little memory', { weightBytes: 40e6 }, 5000, { cores: 8, gigabytes: 0.5 }, 1],
    ['unknown memory', small, 5000, { cores: 4, gigabytes: undefined }, 3],
  ])('%s', (_, model, passages, machine, workers) => {
    expect(workerCountFor(model, passages, machine)).toBe(workers);
  });
});
