// The heap of a model that runs in a tenth of its weights' bytes.
import { expect, test } from 'vitest';
import { openSource } from '../../../web/src/source/open-source.ts';
import { openRanged } from '../../../web/src/source/ranged.ts';
import { Generator } from '../../../web/src/worker/generator.ts';
import { loadModule } from '../support/core-module.ts';
import { languageFile } from '../support/language-file.ts';

const context = () => ({
  signal: new AbortController().signal,
  report: () => {},
  transfer: [],
});

async function answer(generator: Generator): Promise<readonly number[]> {
  const settings = { temperature: 0, maxTokens: 4, stop: [], seed: 0 };
  const generation = generator.start({ prompt: { text: 'Hello', special: true }, settings });
  for (;;) {
    const { result } = await generation.next(context());
    if (result) return result.ids;
  }
}

test('the heap stays within the budget and a little, and the tokens are the same', async () => {
  // 63 MB of weights in 60 layers; the module alone begins with 16 MB.
  const file = languageFile({ layers: 60, width: 192 });
  const resident = Math.floor(file.length / 10);
  const module = await loadModule();
  const before = module.HEAPU8.length;
  const ranged = await openRanged(
    { kind: 'blob', blob: new Blob([file]) },
    { signal: context().signal, open: openSource },
  );
  const streamed = await Generator.openRanged(module, ranged, { resident }, context());
  const ids = await answer(streamed);
  expect(file.length).toBeGreaterThan(60e6);
  expect(module.HEAPU8.length - before).toBeLessThan(2 * resident);

  const roomy = await loadModule();
  const source = await openSource(
    { kind: 'blob', blob: new Blob([file]) },
    { signal: context().signal },
  );
  const whole = await Generator.load(roomy, source, {}, context());
  expect(await answer(whole)).toEqual(ids);
  expect(roomy.HEAPU8.length).toBeGreaterThan(file.length);
});
