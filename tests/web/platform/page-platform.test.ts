// A page that may start only some of the packaged scripts, as the entries for one purpose do.
import { expect, test } from 'vitest';
import { pagePlatform } from '../../../web/src/platform/page-platform.ts';
import { addressBeforeVite } from '../../../web/src/platform/start-worker.ts';

test('a worker that is no part of the entry is refused by its name', () => {
  const page = pagePlatform({ words: () => ({}) as Worker });
  expect(() => page.spawn('generator')).toThrow(
    expect.objectContaining({
      code: 'Unsupported',
      message:
        "This needs the worker for generator, which is not part of this entry of the package. Import from 'ambry'.",
    }),
  );
});

test('without workers, an entry says which one to import', async () => {
  const page = pagePlatform({
    words: () => {
      throw new ReferenceError('Worker is not defined');
    },
  });
  const port = page.spawn('words');
  const reason = await new Promise((resolve) => {
    port.listen(() => {}, resolve);
    port.post({}, []);
  });
  expect(reason).toMatchObject({
    code: 'Unsupported',
    message: "There are no workers here. Import from 'ambry/in-thread'.",
  });
});

test.each([
  [
    'http://localhost:5173/node_modules/.vite/deps/workers/words-worker.js',
    'http://localhost:5173/node_modules/ambry/dist/workers/words-worker.js',
  ],
  [
    'http://localhost:4321/base/node_modules/.vite/deps_temp_1/workers/worker.js?v=1',
    'http://localhost:4321/base/node_modules/ambry/dist/workers/worker.js?v=1',
  ],
  ['http://localhost/assets/words-worker.js', undefined],
  ['http://localhost/node_modules/ambry/dist/workers/worker.js', undefined],
  [undefined, undefined],
])('%s is moved back to %s', (address, expected) => {
  expect(addressBeforeVite(address)).toBe(expected);
});
