// The built package, as Node's users get it; its types are those of the sources.
import type * as api from '../../../web/src/index.ts';

export const ambry: typeof api = await import(
  new URL('../../../dist/node.js', import.meta.url).href
);

/** Converts the small model of a seed. */
export async function smallModel(seed = 1): Promise<Uint8Array<ArrayBuffer>> {
  const { modelDirectory } = await import('./fixtures.ts');
  const blob = await ambry.convert(modelDirectory(seed));
  return new Uint8Array(await blob.arrayBuffer());
}
