import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';

test('the example of the README serves the pages, and says where they are', async () => {
  const printed = await runReadmeExample(new URL('../README.md', import.meta.url), {});
  const [status, folder = ''] = printed.trimEnd().split('\n');
  expect(status).toBe('200');
  expect(existsSync(join(folder, 'models/english-192x1.weights'))).toBe(true);
});
