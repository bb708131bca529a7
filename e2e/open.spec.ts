// What the package opens in a browser, where each kind of model has a worker of its own: by its first bytes, from an
// address or a stream, which is there only once.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { OpenOptions } from 'ambry';
import { contentOf } from '../tests/web/support/byte-server.ts';
import { expect } from './fixtures.ts';
import { test } from './support/package-place.ts';

const models = new URL('../web/demo/public/models/', import.meta.url);

/** The format, or the error's code and message. */
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
        if (!(error instanceof AmbryError)) throw error;
        const { code, message } = error as { code: string; message: string };
        return `${code}: ${message}`;
      }
    },
    [url, how, options] as const,
  );
}

const kFiles = [
  ['finalfusion', 'words', 'books-96.fifu'],
  ['amb', 'generator', 'stories.amb'],
  ['embd', 'encoder', 'english-192x1.weights'],
] as const;

for (const [format, kind, name] of kFiles) {
  test(`${format} is known by its first bytes`, async ({ page, place }) => {
    const content = contentOf(await readFile(new URL(name, models)));
    const { url } = place.serve({ content });
    for (const how of ['address', 'stream'] as const) {
      expect(await outcome(page, url, how)).toBe(format);
      expect(await outcome(page, url, how, { mode: 'whole' })).toBe(format);
      expect(await outcome(page, url, how, { kind })).toBe(format);
    }
    expect(await outcome(page, url, 'address', { cache: true })).toBe(format);
  });
}

test('a network for pictures has no magic, so a stream of one needs its kind', async ({
  page,
  place,
}) => {
  const content = contentOf(await readFile(new URL('digits-vanilla.bin', models)));
  const { url } = place.serve({ content });
  expect(await outcome(page, url, 'address')).toBe('tinyruntime');
  expect(await outcome(page, url, 'address', { cache: true })).toBe('tinyruntime');
  expect(await outcome(page, url, 'stream', { kind: 'classifier' })).toBe('tinyruntime');
  expect(await outcome(page, url, 'stream')).toMatch(/^BadMagic: /);
});

test('a stream of something else is refused for what it is', async ({ page, place }) => {
  const { url } = place.serve({
    content: contentOf(Buffer.from('Notes, and no model. '.repeat(99))),
  });
  const byAddress = await outcome(page, url, 'address');
  expect(byAddress).toMatch(/^BadMagic: /);
  expect(await outcome(page, url, 'stream')).toBe(byAddress);
});
