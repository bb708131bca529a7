// Models whose weights are read again for each token.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languageFile } from '../support/files/language-file.ts';
import { openGenerator } from '../support/open-kinds.ts';

const greedy = { temperature: 0, maxTokens: 12 } as const;

describe('a model whose layers do not stay in memory', () => {
  const big = languageFile({ layers: 24, width: 64 });
  /** A tenth of the weights. */
  const resident = Math.floor(big.length / 10);

  async function fromPath<T>(use: (path: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'ambry-'));
    try {
      const path = join(folder, 'big.amb');
      await writeFile(path, big);
      return await use(path);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  test('gives the same tokens, and estimates the speed', () =>
    fromPath(async (path) => {
      const whole = await openGenerator(big);
      const wanted = await whole.generate('Hello', greedy).result;
      await whole.dispose();
      for (const source of [path, new Blob([big])]) {
        const streamed = await openGenerator(source, { resident });
        expect(streamed.weightBytes).toBeLessThanOrEqual(resident);
        const streaming = streamed.info.generator?.streaming;
        expect(streaming?.resident).toBe(resident);
        expect(streaming?.bytesPerPass).toBeGreaterThan(8 * resident);
        expect(streaming?.tokensPerSecond).toBeGreaterThan(0);
        expect((await streamed.generate('Hello', greedy).result).ids).toEqual(wanted.ids);
        const found = await streamed.perplexity('Hello');
        expect(found.tokens).toBe(5);
        await streamed.dispose();
      }
    }));

  test('rejects a budget below one layer, with the budget that it needs', () =>
    fromPath(async (path) => {
      await expect(openGenerator(path, { resident: 1000 })).rejects.toMatchObject({
        code: 'LimitExceeded',
        message: /\d/,
      });
    }));
});
