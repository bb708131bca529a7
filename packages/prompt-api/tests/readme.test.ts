import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';
import { chatFile } from '../../../tests/web/support/models/tool-models.ts';

test('the example of the README runs', async () => {
  const readme = new URL('../README.md', import.meta.url);
  const printed = await runReadmeExample(readme, { 'chat.amb': chatFile() });
  expect(printed).toMatch(/^(yes|no)\ntrue\n$/);
});
