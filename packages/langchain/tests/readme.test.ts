import { expect, test } from 'vitest';
import { smallModel } from '../../../tests/web/support/package.ts';
import { runReadmeExample } from '../../../tests/web/support/readme-example.ts';
import { chatFile } from '../../../tests/web/support/tool-models.ts';

test('the example of the README runs', async () => {
  const files = { 'chat.amb': chatFile(), 'minilm.weights': await smallModel() };
  const printed = await runReadmeExample(new URL('../README.md', import.meta.url), files);
  expect(printed).toMatch(/^32\n\{ salty: (true|false) \}\n$/);
});
