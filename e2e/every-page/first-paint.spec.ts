// What a page needs before it paints, and whether it stays in its place while the rest comes. Nothing here is a time: scripts, models
// and WebAssembly wait until the page has painted, and requests and bytes are counted from the browser's own records.
import { brotliCompressSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { HeldRequests } from '../support/held-requests.ts';

interface PageCase {
  readonly path: string;
  /** What a user wants to use first. */
  readonly control: (page: Page) => Locator;
  /** What the page shows when it has done its first work, and where. */
  readonly done: readonly [selector: string, text: RegExp];
}

const pages: readonly PageCase[] = [
  {
    path: 'index.html',
    control: (page) => page.getByText('Choose files…'),
    done: ['#samples', /A model for search/],
  },
  {
    path: 'search/index.html',
    control: (page) => page.getByRole('searchbox', { name: 'Your question' }),
    done: ['#status', /^Ready:/],
  },
  {
    path: 'words/index.html',
    control: (page) => page.locator('#word'),
    done: ['#analogy-line', /woman is to queen/],
  },
  {
    path: 'classify/index.html',
    control: (page) => page.getByRole('img', { name: /^Pad/ }),
    done: ['#layers-total', /Total/],
  },
  {
    path: 'chat/index.html',
    control: (page) => page.getByLabel('Beginning of the text'),
    done: ['#outcome', /\d tokens?(, [\d,.]+ tokens\/s)?\.$/],
  },
  {
    path: 'check/index.html',
    control: (page) => page.getByLabel('Or open an address'),
    done: ['#samples', /A model for search/],
  },
  {
    path: 'convert/index.html',
    control: (page) => page.getByLabel('Or open an address'),
    done: ['#samples', /A model for search/],
  },
  {
    path: 'playground/index.html',
    control: (page) => page.getByLabel('Code', { exact: true }),
    done: ['#examples', /Search/],
  },
];

/** The page itself, its style sheets, and the script that sets the theme. */
const mostRequests = 9;
/** Bytes, brotli. */
const mostBytes = 14e3;
/** As Core Web Vitals call it good. */
const mostShift = 0.1;

/** Keeps what the page tells about its layout, from its beginning on. */
function recordShifts(): void {
  const shifts: string[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: readonly { node: Element | null }[];
      };
      const moved = sources.map(({ node }) => node?.id || node?.className || node?.nodeName);
      if (!hadRecentInput) {
        shifts.push(`${value.toFixed(4)} ${moved.join(' ')}`);
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** The addresses of what the page could not be painted without. */
function blockingRequests(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    location.href,
    ...(performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(
        (one) => (one as { renderBlockingStatus?: string }).renderBlockingStatus === 'blocking',
      )
      .map(({ name }) => name),
  ]);
}

async function compressedBytes(url: string): Promise<number> {
  return brotliCompressSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length;
}

for (const width of [1280, 390]) {
  for (const { path, control, done } of pages) {
    test(`${path} at ${width} pixels is painted before its scripts, and stays in its place`, async ({
      page,
      site,
    }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.addInitScript(recordShifts);
      const held = await HeldRequests.on(page, /\/assets\/.*\.js$|\.wasm$|\/models\//);
      await page.goto(site + path, { waitUntil: 'commit' });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(control(page)).toBeVisible();
      const paints = () =>
        page.evaluate(() => performance.getEntriesByType('paint').map(({ name }) => name));
      await expect.poll(paints).toContain('first-contentful-paint');

      const urls = await blockingRequests(page);
      const sizes = await Promise.all(urls.map(compressedBytes));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      expect(urls.some((url) => url.endsWith('.css'))).toBe(true);
      expect(urls.length, urls.join('\n')).toBeLessThanOrEqual(mostRequests);
      expect(bytes).toBeLessThanOrEqual(mostBytes);

      await held.release();
      const [selector, text] = done;
      await expect(page.locator(selector)).toHaveText(text, { timeout: 45_000 });
      const shifts = await page.evaluate(
        () => (globalThis as unknown as { shifts: readonly string[] }).shifts,
      );
      const shift = shifts.reduce((sum, one) => sum + Number.parseFloat(one), 0);
      console.log(
        `${path}: ${urls.length} requests, ${bytes} bytes before the first paint; moved by ${shift.toFixed(3)}`,
      );
      expect(shift, shifts.join('\n')).toBeLessThanOrEqual(mostShift);
    });
  }
}
