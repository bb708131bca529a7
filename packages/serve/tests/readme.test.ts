import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';
import { chatFile } from '../../../tests/web/support/models/tool-models.ts';
import { smallModel } from '../../../tests/web/support/package.ts';

test('the example of the README runs', async () => {
  const files = { 'minilm.weights': await smallModel(), 'chat.amb': chatFile() };
  const printed = await runReadmeExample(new URL('../README.md', import.meta.url), files);
  const [length, ...answer] = printed.split('\n');
  expect(length).toBe('32');
  expect(answer.join('\n')).not.toBe('');
});
