import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';
import { chatFile } from '../../../tests/web/support/models/tool-models.ts';
import { smallModel } from '../../../tests/web/support/package.ts';

test('the example of the README runs', async () => {
  const readme = new URL('../README.md', import.meta.url);
  const files = { 'chat.amb': chatFile(), 'minilm.weights': await smallModel() };
  expect(await runReadmeExample(readme, files)).toMatch(/\n 2 \d+\n$/);
});
