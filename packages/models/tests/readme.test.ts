import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';

test('the example of the README prints the length of a vector', async () => {
  expect(await runReadmeExample(new URL('../README.md', import.meta.url), {})).toBe('336\n');
});
