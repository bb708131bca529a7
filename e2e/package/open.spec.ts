// The package opens models of all kinds in a browser, from an address or from a stream. It detects the format by the
// first bytes. A stream can be read only once, and each kind of model has its own worker.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { OpenOptions } from 'ambry';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { expect } from '../fixtures.ts';
import { test } from './package-site.ts';

const models = new URL('../../web/demo/public/models/', import.meta.url);

/** The format of the opened model, or the code and message of the error. */
function outcome(page: Page, url: string, how: 'address' | 'stream', options: OpenOptions = {}) {
  return page.evaluate(
    async ([address, source, settings]) => {
      const { AmbryError, open } = await import(new URL('/index.js', location.href).href);
      const stream = async () => (await fetch(address)).body;
      try {
        const model = await open(source === 'stream' ? await stream() : address, settings);
        await model.dispose();
        return model.info.format as string;
      } catch (error) {
        if (!(error instanceof AmbryError)) {
          throw error;
        }
        const { code, message } = error as { code: string; message: string };
        return `${code}: ${message}`;
      }
    },
    [url, how, options] as const,
  );
}

const files = [
  ['finalfusion', 'words', 'books-96.fifu'],
  ['amb', 'generator', 'stories.amb'],
  ['embd', 'encoder', 'english-192x1.weights'],
  ['embd', 'encoder', 'english-static-336.weights'],
] as const;

for (const [format, kind, name] of files) {
  test(`${format} is detected by the first bytes of ${name}`, async ({ page, packageSite }) => {
    const content = contentOf(await readFile(new URL(name, models)));
    const { url } = packageSite.serve({ content });
    for (const how of ['address', 'stream'] as const) {
      expect(await outcome(page, url, how)).toBe(format);
      expect(await outcome(page, url, how, { mode: 'whole' })).toBe(format);
      expect(await outcome(page, url, how, { kind })).toBe(format);
    }
    expect(await outcome(page, url, 'address', { cache: true })).toBe(format);
  });
}

test('a picture network has no magic bytes, and is detected by all of them', async ({
  page,
  packageSite,
}) => {
  const content = contentOf(await readFile(new URL('digits-vanilla.bin', models)));
  const { url } = packageSite.serve({ content });
  for (const how of ['address', 'stream'] as const) {
    expect(await outcome(page, url, how)).toBe('tinyruntime');
    expect(await outcome(page, url, how, { kind: 'imageClassifier' })).toBe('tinyruntime');
  }
  expect(await outcome(page, url, 'address', { cache: true })).toBe('tinyruntime');
});

test('a stream of an unknown file is refused like an address', async ({ page, packageSite }) => {
  const { url } = packageSite.serve({
    content: contentOf(Buffer.from('Notes, not a model. '.repeat(99))),
  });
  const byAddress = await outcome(page, url, 'address');
  expect(byAddress).toMatch(/^BadMagic: /);
  expect(await outcome(page, url, 'stream')).toBe(byAddress);
});
