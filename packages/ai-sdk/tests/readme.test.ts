import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';
import { chatFile } from '../../../tests/web/support/models/tool-models.ts';
import { smallModel } from '../../../tests/web/support/package.ts';

test('the example of the README runs', async () => {
  const files = { 'chat.amb': chatFile(), 'minilm.weights': await smallModel() };
  const printed = await runReadmeExample(new URL('../README.md', import.meta.url), files);
  expect(printed).toMatch(/^32\n\{ salty: (true|false) \}\n$/);
});
