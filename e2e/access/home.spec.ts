// axe in every state of the landing page.
import { expect } from '../fixtures.ts';
import { test } from '../pages/home-page.ts';
import { expectAccessible } from '../support/accessible.ts';
import { HeldRequests } from '../support/held-requests.ts';

const loading = { timeout: 30_000 };
const named = (name: string, text: string) => ({ name, buffer: Buffer.from(text, 'latin1') });

test('before a file, and while one is looked at', async ({ page, home }) => {
  await expectAccessible(page, 'no file');
  const held = await HeldRequests.on(page, /\/samples\//);
  await home.trySample('A language model (GGUF)');
  await expect(page.getByRole('region', { name: 'Work in progress' })).toBeVisible();
  await expectAccessible(page, 'a sample is coming');
  await held.release();
  await expect(home.found).toContainText('Sound.', loading);
  await expectAccessible(page, 'a sound model');
});

test('all that can be given', async ({ page, home, tiny }) => {
  await home.choose(
    { name: 'tiny.weights', buffer: tiny },
    { name: 'cut.weights', buffer: tiny.subarray(0, 20_000) },
    named('photo.png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01'),
    named('tides.txt', 'The tides follow the moon.'),
    named('archive.zip', 'PK\x03\x04 and more bytes here'),
    named('empty.gguf', ''),
  );
  await expect(home.found).toHaveCount(6, loading);
  await expect(home.found.filter({ hasText: 'tiny.weights' })).toContainText('Sound.');
  await expect(home.found.filter({ hasText: 'cut.weights' })).toContainText('Cut off:');
  await expectAccessible(page, 'six files of different kinds');
});

test('an address that does not answer', async ({ page, home, site, browserErrors }) => {
  browserErrors.expect(/Failed to load resource/);
  await home.lookAt(`${site}samples/none.gguf`);
  await expect(home.found).toContainText('Not readable.', loading);
  await expectAccessible(page, 'an address without a file');
});

test('a sample that does not come', async ({ page, home, browserErrors }) => {
  browserErrors.expect(/Failed to load resource/);
  await page.route(/\/samples\//, (route) => route.abort());
  await home.trySample('A language model (GGUF)');
  await expect(home.alert).toContainText('The sample stories.gguf did not come.');
  await expectAccessible(page, 'a failure');
});
