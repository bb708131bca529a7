// The heap of a model that runs in a tenth of its weights' bytes.
import { expect, test } from 'vitest';
import { loadModule } from '../support/core-module.ts';
import { languageFile } from '../support/language-file.ts';
import { answerOf, openGenerator } from '../support/run-generator.ts';

test('the heap is little more than the budget, and the tokens are the same', async () => {
  // 62 MB of weights in 60 layers; the module alone begins with 16 MB.
  const file = languageFile({ layers: 60, width: 192 });
  const resident = Math.floor(file.length / 10);
  const module = await loadModule();
  const before = module.HEAPU8.length;
  const ids = await answerOf(await openGenerator(module, file, resident), 'Hello', {});
  expect(file.length).toBeGreaterThan(60e6);
  expect(module.HEAPU8.length - before).toBeLessThan(2 * resident);

  const roomy = await loadModule();
  expect(await answerOf(await openGenerator(roomy, file), 'Hello', {})).toEqual(ids);
  expect(roomy.HEAPU8.length).toBeGreaterThan(file.length);
});
