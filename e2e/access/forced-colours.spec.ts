// Colours that the user's system forces: the labels of all pages can be read, in light and in dark colours.
import type { Page } from '@playwright/test';
import { homePath, sitePages } from '../../web/demo/shell/pages.ts';
import { expect, test } from '../fixtures.ts';
import { unreadable } from '../support/readable.ts';

/** Shows the buttons of all states, and none as disabled. */
async function showPrimaryButtons(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const primary of document.querySelectorAll('.primary')) {
      for (let part: Element | null = primary; part !== null; part = part.parentElement) {
        part.removeAttribute('hidden');
        part.removeAttribute('disabled');
        part.toggleAttribute('open', part instanceof HTMLDetailsElement);
      }
    }
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const path of [homePath, ...sitePages.map((one) => one.path)]) {
    test(`the labels of ${path} are readable in forced ${colorScheme} colours`, async ({
      browser,
      page,
      site,
    }) => {
      await page.emulateMedia({ forcedColors: 'active', colorScheme });
      await page.goto(site + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await showPrimaryButtons(page);
      const parts = page.locator('.primary, .nav a, .menu-opener');
      expect(await unreadable(browser, page, parts)).toEqual([]);
      const primary = page.locator('.primary').first();
      if ((await primary.count()) > 0) {
        await primary.hover();
        expect(await unreadable(browser, page, primary), 'under the pointer').toEqual([]);
      }
    });
  }

  test(`the labels of docs/ are readable in forced ${colorScheme} colours`, async ({
    browser,
    page,
    site,
  }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await page.goto(`${site}docs/tutorial.html`);
    await expect(page.locator('main h1')).toBeVisible();
    const parts = page.locator(
      '.VPNavBarTitle a, .VPNavBarMenuLink, .VPSidebarItem .text, main h1',
    );
    expect(await unreadable(browser, page, parts)).toEqual([]);
  });
}

test('a label of the colour behind it is found', async ({ browser, page }) => {
  await page.setContent(
    '<button id="seen">Write</button><button id="lost"><span style="background:#000;color:#000">Write</span></button>',
  );
  expect(await unreadable(browser, page, page.locator('#seen'))).toEqual([]);
  expect(await unreadable(browser, page, page.locator('#lost'))).toEqual(['Write']);
});
