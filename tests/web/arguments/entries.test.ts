// The functions of entries for one purpose refuse wrong arguments, too.
import { describe, expect, test } from 'vitest';
import { type Call, fewWrong, outcomeOf, wrongValues } from '../support/wrong-values.ts';
import { dist, file } from './opened.ts';

describe('every function of an entry for one purpose', () => {
  test.each([
    'node-encoder',
    'node-static-encoder',
    'node-vectors',
    'node-words',
    'node-image-classifier',
    'node-text-classifier',
    'node-generator',
    'node-tokenizer',
    'node-files',
    'terms',
  ])('%s', async (name) => {
    const entry: Record<string, unknown> = await import(dist(name));
    const raw: string[] = [];
    for (const [call, run] of Object.entries(entry)) {
      if (typeof run !== 'function' || call === 'AmbryError') {
        continue;
      }
      for (const wrong of fewWrong) {
        const value = wrongValues[wrong];
        for (const given of [[value], [file, value]]) {
          const outcome = await outcomeOf(run as Call[1], given);
          raw.push(...(outcome.startsWith('threw') ? [`${call}(${wrong}) ${outcome}`] : []));
        }
      }
    }
    expect(raw).toEqual([]);
  });
});
