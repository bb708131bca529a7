// The installed site, and the files that it is given.
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PNG } from 'pngjs';
import { expect } from '../fixtures.ts';
import { CheckPage } from '../pages/check-page.ts';
import { HomePage } from '../pages/home-page.ts';
import { test } from './offline-test.ts';

/** A sparse file. Its header says that all the rest is one tensor. */
async function writeLargeSafetensors(path: string, bytes: number): Promise<void> {
  const tensor = { dtype: 'F32', shape: [bytes / 4], data_offsets: [0, bytes] };
  const header = Buffer.from(JSON.stringify({ large: tensor }));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  const file = await open(path, 'w');
  await file.write(Buffer.concat([size, header]));
  await file.truncate(8 + header.length + bytes);
  await file.close();
}

test('a file of five gigabytes is handed over without a copy', async ({
  page,
  deployed,
  footer,
}, testInfo) => {
  const path = testInfo.outputPath('large.safetensors');
  await mkdir(dirname(path), { recursive: true });
  await writeLargeSafetensors(path, 5_000_000_000);
  const home = new HomePage(page, deployed.url);
  await home.open();
  await footer.expectWorks();
  const used = () => page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
  const before = await used();
  await home.choosePath(path);
  await home.openWith('Check it');
  const check = new CheckPage(page, deployed.url);
  await expect(check.verdict).toContainText('No error so far in safetensors', { timeout: 30_000 });
  await expect(check.report).toContainText('large.safetensors');
  expect((await used()) - before).toBeLessThan(50e6);
  await rm(path);
});

test('files that the system opens with the installed site arrive at the landing page', async ({
  page,
  deployed,
  tiny,
}) => {
  await page.addInitScript(
    (bytes) => {
      const file = new File([new Uint8Array(bytes)], 'opened.weights');
      const launch = { files: [{ getFile: async () => file }] };
      const setConsumer = (consume: (given: typeof launch) => void) => consume(launch);
      Object.defineProperty(globalThis, 'launchQueue', { value: { setConsumer } });
    },
    [...tiny],
  );
  const home = new HomePage(page, deployed.url);
  await home.open();
  await expect(home.found).toContainText('opened.weights');
});

test('the site can be installed', async ({ page, deployed }) => {
  await page.goto(`${deployed.url}words/`);
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const address = new URL(href ?? '', page.url());
  const manifest = await (await page.request.get(address.href)).json();
  expect(manifest).toMatchObject({ name: 'Ambry', display: 'standalone' });
  expect(new URL(manifest.start_url, address).href).toBe(`${deployed.url}index.html`);
  const sizes = new Map<string, string>();
  for (const { src, type, sizes: size } of manifest.icons) {
    const response = await page.request.get(new URL(src, address).href);
    expect(response.headers()['content-type']).toContain(type);
    if (type === 'image/png') {
      const { width, height } = PNG.sync.read(await response.body());
      expect(`${width}x${height}`).toBe(size);
    }
    sizes.set(size, type);
  }
  expect([...sizes.keys()]).toEqual(expect.arrayContaining(['192x192', '512x512']));
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
});
