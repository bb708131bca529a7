import { readFile } from 'node:fs/promises';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';

const models = new URL('../../../web/demo/public/models/', import.meta.url);

test('the example of the README classifies a picture', async () => {
  const picture = new PNG({ width: 28, height: 28 });
  picture.data.fill(255);
  const read = async (name: string) => new Uint8Array(await readFile(new URL(name, models)));
  const printed = await runReadmeExample(new URL('../README.md', import.meta.url), {
    'digits-dq8.bin': await read('digits-dq8.bin'),
    'digits-plan.json': await read('digits-plan.json'),
    'digit.png': new Uint8Array(PNG.sync.write(picture)),
  });
  expect(printed).toMatch(/label: '\d', index: \d, score: 0\.\d+/);
});
