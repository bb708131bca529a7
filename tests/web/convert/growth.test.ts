// A conversion whose target is much larger than its source says so before it begins.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Problem, Progress } from '../../../web/src/entries/types.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';
import { ambry } from '../support/package.ts';

const { convert } = ambry;
const path = fileURLToPath(
  new URL('../../../web/demo/public/models/english-192x1.weights', import.meta.url),
);
const folder = await mkdtemp(join(tmpdir(), 'ambry-growth-'));
afterAll(() => rm(folder, { recursive: true }));
const message =
  /^The target takes 11\.1 MB and the source 2\.9 MB: the weights become f32 \(before: i8\)\. With the dtype f16 it takes about 5\.\d MB/;

async function warned(options: object): Promise<{ warnings: string[]; first: string | undefined }> {
  const warnings: string[] = [];
  let first: string | undefined;
  const onWarning = ({ message, path: place }: Problem) => warnings.push(`${place}: ${message}`);
  const onProgress = ({ phase, note, loaded }: Progress) => {
    first ??= phase === 'convert' ? `${loaded} ${note ?? ''}` : undefined;
  };
  await convert({ path }, { to: 'gguf', onWarning, onProgress, ...options });
  return { warnings, first };
}

test('a warning, and a note before the first byte', async () => {
  const { warnings, first } = await warned({});
  const found = warnings.filter((text) => text.startsWith('options.dtype: '));
  expect(found).toHaveLength(1);
  expect(found[0]?.replace('options.dtype: ', '')).toMatch(message);
  expect(first?.slice(2)).toMatch(message);
});

test.each([{ dtype: 'f16' }, { dtype: 'f32' }, { to: 'embd' }])('none for %j', async (options) => {
  const { warnings, first } = await warned(options);
  expect(warnings.filter((text) => text.startsWith('options.dtype'))).toEqual([]);
  expect(first).not.toContain('The target takes');
});

test('the command line says it once, and the file has about the size that was told', async () => {
  const run = (...args: string[]) => ambryCli(['convert', path, join(folder, 'x.gguf'), ...args]);
  const { code, err } = await run();
  expect(code, err).toBe(0);
  expect(err.match(/The target takes/g)).toHaveLength(1);
  expect((await run('--dtype', 'f16')).err).not.toContain('The target takes');
});
