import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';
import { modelPath } from './support/site.ts';

test('the example of the README runs', async () => {
  const files = { 'static.weights': new Uint8Array(await readFile(modelPath)) };
  const printed = await runReadmeExample(new URL('../README.md', import.meta.url), files);
  expect(printed.trim().split('\n')).toEqual([
    expect.stringMatching(/^1 page in \d+ files$/),
    'hybrid https://example.org/cats.html Cats',
  ]);
});
