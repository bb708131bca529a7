// Pictures of every page after its main work, in build/e2e/screenshots: light, dark and on a phone. People look at them; the
// tests only find pages that are wider than the screen, and texts without their typeface.
import { fileURLToPath } from 'node:url';
import { expect, test } from '../fixtures.ts';
import { excessWidth } from '../support/layout.ts';
import { showTheme } from '../support/theme.ts';
import { type Visit, visits } from './page-visits.ts';

const folder = fileURLToPath(new URL('../../build/e2e/screenshots/', import.meta.url));

interface Look {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

const looks: readonly Look[] = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1600, height: 900 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
];

const documentation: Visit = {
  name: 'documentation',
  async work(page, site) {
    await page.goto(`${site}docs/tutorial.html`);
    await expect(page.locator('main h1')).toBeVisible();
  },
};

for (const { name, work } of [...visits, documentation]) {
  test(`pictures of ${name}`, async ({ page, site, tiny }) => {
    await work(page, site, tiny);
    const title = await page.locator('h1').evaluate((node) => getComputedStyle(node).font);
    expect(await page.evaluate((font) => document.fonts.check(font), title)).toBe(true);
    for (const { name: look, colorScheme, width, height } of looks) {
      await page.setViewportSize({ width, height });
      await showTheme(page, colorScheme);
      expect(await excessWidth(page), look).toBeLessThanOrEqual(0);
      const path = `${folder}${name.replaceAll(' ', '-')}-${look}.png`;
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    }
  });
}
