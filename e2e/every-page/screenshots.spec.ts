// Pictures of every page after its main work, in build/e2e/screenshots: light, dark, on a phone, with large letters, and in forced
// colours. People look at them; the tests only find pages that are wider than the screen, and texts without their typeface.
import { fileURLToPath } from 'node:url';
import { expect, test } from '../fixtures.ts';
import { CheckPage } from '../pages/check-page.ts';
import { SearchElement } from '../pages/search-element.ts';
import { SearchPage } from '../pages/search-page.ts';
import { excessWidth } from '../support/layout.ts';
import { networkFile } from '../support/onnx-models.ts';
import { showTheme } from '../support/theme.ts';
import { type Visit, visits } from './page-visits.ts';

const folder = fileURLToPath(new URL('../../build/e2e/screenshots/', import.meta.url));

interface Look {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  /** The system forces its colours. */
  readonly forced?: true;
}

const looks: readonly Look[] = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1600, height: 900 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
  { name: 'phone-dark', colorScheme: 'dark', width: 390, height: 844 },
  { name: 'large-letters', colorScheme: 'light', width: 640, height: 450 },
  { name: 'forced-light', colorScheme: 'light', width: 1280, height: 900, forced: true },
  { name: 'forced-dark', colorScheme: 'dark', width: 1280, height: 900, forced: true },
];

/** What the visits do not show. */
const states: readonly Visit[] = [
  {
    name: 'documentation',
    async work(page, site) {
      await page.goto(`${site}docs/tutorial.html`);
      await expect(page.locator('main h1')).toBeVisible();
    },
  },
  {
    name: 'documentation with its search',
    async work(page, site) {
      await page.goto(`${site}docs/`);
      const box = new SearchElement(page);
      await box.ask('threads');
      await box.waitForMeaning();
    },
  },
  {
    name: 'search with its map and a menu',
    async work(page, site) {
      const search = new SearchPage(page, site);
      await search.open();
      await search.openMap();
      await search.ask('trouble falling asleep at night');
      await search.openSources();
    },
  },
  {
    name: 'check with a graph',
    async work(page, site) {
      const check = new CheckPage(page, site);
      await check.open();
      await check.choose(networkFile());
      await check.drawn('Conv').first().click();
    },
  },
  {
    name: 'check of a file that is cut off',
    async work(page, site, tiny) {
      const check = new CheckPage(page, site);
      await check.open();
      await check.choose({ name: 'cut.weights', buffer: tiny.subarray(0, 20_000) });
      await expect(check.verdict).toContainText('Cut off');
    },
  },
];

for (const { name, work } of [...visits, ...states]) {
  test(`pictures of ${name}`, async ({ page, site, tiny }) => {
    await work(page, site, tiny);
    const title = await page
      .locator('h1')
      .first()
      .evaluate((node) => getComputedStyle(node).font);
    expect(await page.evaluate((font) => document.fonts.check(font), title)).toBe(true);
    for (const { name: look, colorScheme, width, height, forced } of looks) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ forcedColors: forced === true ? 'active' : 'none' });
      await showTheme(page, colorScheme);
      expect(await excessWidth(page), look).toBeLessThanOrEqual(0);
      const path = `${folder}${name.replaceAll(' ', '-')}-${look}.png`;
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    }
  });
}
