// The heap of models that generate text: in a tenth of their weights' bytes, and as they are stored.
import { expect, test } from 'vitest';
import { ggufFile, ggufTypes, promptOf } from '../../bench/decoder/gguf-file.mjs';
import { loadModule } from '../support/core-module.ts';
import { languageFile } from '../support/files/language-file.ts';
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

test.each([
  'q2_k',
  'q4_k',
  'q6_k',
] as const)('a GGUF file in %s runs in its own size, its keys and values, and 16 MB', async (type) => {
  const shape = { width: 512, inner: 1024, layers: 8, vocabulary: 4000 };
  const file = new Uint8Array(ggufFile(shape, ggufTypes[type]));
  const module = await loadModule();
  const { text } = promptOf(1000);
  const ids = await answerOf(await openGenerator(module, file), text, { maxTokens: 20 });
  expect(ids.length).toBeGreaterThan(0);
  const keysAndValues = 1024 * 2 * shape.layers * shape.width * Float32Array.BYTES_PER_ELEMENT;
  expect(module.HEAPU8.length).toBeLessThan(file.length + keysAndValues + 16 * 2 ** 20);
});
