// Loading a model to run over every kind of connection: its bytes go straight to their place, so that
// the heap holds the model and one chunk, and no more.
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../web/src/index.ts';
import { unwrap, using } from '../../../web/src/runtime/worker-heap.ts';
import { fillSink, withParts } from '../../../web/src/runtime/worker-parts.ts';
import type { ByteSource } from '../../../web/src/sources/base/byte-source.ts';
import { openSource } from '../../../web/src/sources/open-source.ts';
import type { PartialSource } from '../../../web/src/wasm/module.mjs';
import { loadModule } from '../support/core-module.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { ambry } from '../support/package.ts';
import { contentOf, type Manners } from '../support/servers/byte-server.ts';
import { startServer } from '../support/servers/server.ts';

const shape = { hidden: 256, layers: 6, heads: 4, intermediate: 1024, positions: 64 };
const file = new Uint8Array(await (await ambry.convert(modelDirectory(1, shape))).arrayBuffer());
const server = await startServer(file);
const { signal } = new AbortController();

/** The heap grows by so much at least, so that it need not grow so often. */
const growth = 4 << 20;
/** The code's own data, stack, head of the file and the chunk between tensors. */
const room = 2 << 20;

async function load(source: ByteSource) {
  const module = await loadModule();
  const before = module.HEAPU8.byteLength;
  const seen: Progress[] = [];
  const context = { signal, report: (progress: Progress) => seen.push(progress), transfer: [] };
  const begin = (parts: PartialSource) => module.beginLoad('encoder', parts, '{}');
  const loader = await withParts(module, source, begin, true);
  const reserved = module.HEAPU8.byteLength;
  const model = await using(module, loader, async () => {
    await fillSink(module, loader, source, context, source.phase);
    return unwrap(module.finishLoad(loader));
  });
  await source.close();
  const { weightBytes, info } = unwrap(module.modelFacts(model));
  const tensors = (info as { tensors: { bytes: number }[] }).tensors.map(({ bytes }) => bytes);
  return {
    before,
    reserved,
    after: module.HEAPU8.byteLength,
    weightBytes,
    largest: Math.max(...tensors),
    seen,
  };
}

const served = (manners: Partial<Manners>) => async () => {
  const { url } = server.serve('model', { content: contentOf(file), etag: '"one"', ...manners });
  return openSource({ kind: 'url', url }, { signal });
};
const blob = new Blob([file]);

describe('loading 19 MB', () => {
  test.each([
    ['with ranges', served({})],
    ['without ranges', served({ ranges: false })],
    ['without a length', served({ ranges: false, length: 'none' })],
    ['as gzip', served({ ranges: false, encoding: 'gzip' })],
    ['as brotli', served({ ranges: false, encoding: 'br' })],
    ['that breaks again and again', served({ dropAfter: () => 8_000_000 })],
    [
      'from a stream',
      () =>
        openSource({ kind: 'stream', stream: blob.stream(), head: new Uint8Array(0) }, { signal }),
    ],
    ['from a blob', () => openSource({ kind: 'blob', blob }, { signal })],
  ])('%s needs the model and one chunk', async (_, open) => {
    const { before, reserved, after, weightBytes, largest, seen } = await load(await open());
    expect(weightBytes).toBeGreaterThan(18e6);
    // The memory grows once for all weights, before they come.
    expect(before).toBeLessThan(weightBytes);
    expect(reserved).toBeGreaterThan(weightBytes);
    expect(after).toBeLessThanOrEqual(Math.max(before, weightBytes + largest + room + growth));
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toMatchObject({ loaded: file.length, total: file.length });
  });
});
