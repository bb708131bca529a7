// What comes before a page can be used, in bytes on the line and in requests. Seconds follow from them: on a line of 1.5 Mbit/s, 100 kB
// take half a second (tests/bench/pages/first-visit-bench.ts measures it). Models that answers do not wait for are held back.
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { type CountedSite, countSite } from '../support/counted-site.ts';

interface FirstUse {
  readonly path: string;
  /** What shows that the page can be used. */
  readonly usable: string;
  /** What must not be waited for. */
  readonly held?: RegExp;
  /** With less than a tenth of room. */
  readonly mostBytes: number;
  readonly mostRequests: number;
}

const firstUses: readonly FirstUse[] = [
  {
    path: 'index.html',
    usable: '#samples button',
    held: /^\/(models|samples)\//,
    mostBytes: 62e3,
    mostRequests: 18,
  },
  {
    path: 'search/index.html?q=trouble%20falling%20asleep%20at%20night',
    usable: '#results > li',
    held: /^\/models\/|\.wasm$/,
    mostBytes: 125e3,
    mostRequests: 46,
  },
  {
    path: 'words/index.html',
    usable: '#neighbours li',
    held: /^\/models\//,
    mostBytes: 530e3,
    mostRequests: 44,
  },
  { path: 'chat/index.html', usable: '.turn.model .token', mostBytes: 920e3, mostRequests: 46 },
];

async function withSite(
  site: string,
  waiting: Parameters<typeof countSite>[1],
  use: (counted: CountedSite) => Promise<void>,
) {
  const counted = await countSite(site, waiting);
  try {
    await use(counted);
  } finally {
    counted.close();
  }
}

const sum = ({ sent }: CountedSite): number => sent.reduce((all, { bytes }) => all + bytes, 0);

for (const { path, usable, held, mostBytes, mostRequests } of firstUses) {
  test(`${path.split('?')[0]} can be used after few bytes and requests`, async ({ page, site }) => {
    await withSite(site, { ...(held && { held }) }, async (counted) => {
      await page.goto(counted.url + path);
      await expect(page.locator(usable).first()).toBeVisible({ timeout: 30_000 });
      const bytes = sum(counted);
      const { length } = counted.sent;
      console.log(`${path}: ${bytes} bytes in ${length} requests`);
      const rows = counted.sent.map((row) => `${row.bytes} ${row.path}`).join('\n');
      expect(bytes, rows).toBeLessThanOrEqual(mostBytes);
      expect(length, rows).toBeLessThanOrEqual(mostRequests);
      // A page that fetches nothing would not be one.
      expect(length).toBeGreaterThan(5);
    });
  });
}

/** What follows the first piece of a model, up to its middle. */
const restOfModel = /^\/models\/.* bytes=[1-9]/;

async function expectBytesOfBytes(page: Page, total: string): Promise<void> {
  await expect(page.locator('#job-detail')).toHaveText(
    new RegExp(`^[\\d.]+ [kM]B of ${total}(, \\d+ s)?$`),
    { timeout: 30_000 },
  );
  const bar = page.locator('#job-progress');
  expect(await bar.evaluate((node) => (node as HTMLProgressElement).position)).toBeGreaterThan(0);
}

for (const [path, total] of [
  ['search/index.html', '4\\.3 MB'],
  ['words/index.html', '2\\.4 MB'],
  ['chat/index.html', '386\\.9 kB'],
] as const) {
  test(`${path} shows how many bytes of its model have come`, async ({ page, site }) => {
    await withSite(site, { held: restOfModel, afterBytes: 100_000 }, async (counted) => {
      await page.goto(counted.url + path);
      await expectBytesOfBytes(page, total);
      counted.release();
      await expect(page.locator('#job')).toBeHidden({ timeout: 30_000 });
    });
  });
}

test('the most frequent words answer until all words are here', async ({ page, site }) => {
  await withSite(site, { held: /^\/models\// }, async (counted) => {
    await page.goto(`${counted.url}words/index.html`);
    const line = page.locator('#lookup-line');
    const title = page.locator('#neighbours-title');
    await expect(line).toHaveText(/^“winter” is in the list/, { timeout: 30_000 });
    await expect(title).toHaveText('Nearest words (of 3,000 so far)');
    await expect(page.locator('#neighbours')).toContainText('summer');
    await expect(page.locator('#analogy-line')).toContainText('woman is to queen');
    await expect(page.locator('#file-line')).toContainText('The others are on their way.');
    const ask = async (word: string) => {
      await page.locator('#word').fill(word);
      await page.getByRole('button', { name: 'Look up' }).click();
    };
    await ask('London');
    await expect(line).toContainText('“London” is written “london” in the list');
    await ask('violin');
    await expect(line).toHaveText(
      '“violin” is not among the most frequent words. The others are on their way.',
    );
    await expect(page.locator('#did-you-mean')).toBeHidden();
    counted.release();
    await expect(line).toContainText('“violin” is in the list', { timeout: 30_000 });
    await expect(title).toHaveText('Nearest words (of 19,915)');
    await expect(page.locator('#neighbours')).toContainText('piano');
    await expect(page.locator('#file-line')).toContainText('built in');
  });
});

test('a file that is opened meanwhile is not replaced by the built-in words', async ({
  page,
  site,
}) => {
  await withSite(site, { held: /^\/(models|samples\/first)/ }, async (counted) => {
    await page.goto(`${counted.url}words/index.html`);
    await expect(page.locator('#job')).toBeVisible();
    await page.getByRole('button', { name: '400 word vectors as text' }).click();
    await expect(page.locator('#file-line')).toContainText('400 words', { timeout: 30_000 });
    counted.release();
    await expect(page.locator('#job')).toBeHidden();
    await expect(page.locator('#neighbours-title')).not.toContainText('3,000');
    await expect(page.locator('#file-line')).toContainText('400 words');
  });
});
