// A model that generates text, driven in this process as its worker drives it.

import type { GenerateSettings } from '../../../web/src/generator/base/protocol.ts';
import { Decoder } from '../../../web/src/generator/worker-decoder.ts';
import { openSource } from '../../../web/src/sources/open-source.ts';
import { openRanged } from '../../../web/src/sources/ranged.ts';
import type { GeneratorModule } from '../../../web/src/wasm/module.mjs';

const context = () => ({
  signal: new AbortController().signal,
  report: () => {},
  transfer: [],
});
const wireOf = (file: Uint8Array<ArrayBuffer>) =>
  ({ kind: 'blob', blob: new Blob([file]) }) as const;

/** All of it in the heap, or layers of it. */
export async function openGenerator(
  module: GeneratorModule,
  file: Uint8Array<ArrayBuffer>,
  resident?: number,
): Promise<Decoder> {
  const { signal } = context();
  if (resident === undefined) {
    return Decoder.load(module, await openSource(wireOf(file), { signal }), {}, context());
  }
  const ranged = await openRanged(wireOf(file), { signal, open: openSource });
  return Decoder.openRanged(module, ranged, { resident }, context());
}

export async function answerOf(
  generator: Decoder,
  text: string,
  given: Partial<GenerateSettings>,
): Promise<readonly number[]> {
  const settings = { temperature: 0, maxTokens: 4, stop: [], seed: 0, ...given };
  const generation = generator.start({ prompt: { text, special: true }, settings });
  for (;;) {
    const { results } = await generation.next(context());
    if (results) {
      return results[0]?.ids ?? [];
    }
  }
}
