// What all pages share: the header with its menu, the theme, and the accents.

import type { Page } from '@playwright/test';
import { homePath, sitePages } from '../../web/demo/shell/pages.ts';
import { expect, test } from '../fixtures.ts';
import { violationsOf } from '../support/accessible.ts';
import { excessWidth } from '../support/layout.ts';

const paths = [homePath, ...sitePages.map(({ path }) => path)];

const sizes = [
  { width: 360, height: 780 },
  { width: 1024, height: 800 },
  { width: 1600, height: 1000 },
];

async function expectRowOfTargets(page: Page, path: string): Promise<void> {
  const header = page.getByRole('banner');
  expect((await header.boundingBox())?.height, path).toBeLessThanOrEqual(64);
  for (const target of await header.locator('a, button').all()) {
    const box = await target.boundingBox();
    if (box === null) {
      continue;
    }
    expect(Math.min(box.width, box.height), await target.innerText()).toBeGreaterThanOrEqual(44);
  }
  expect(await excessWidth(page), path).toBeLessThanOrEqual(0);
}

const accentOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'));

test('every page has one row of large targets as its header, and an accent of its own', async ({
  page,
  site,
}) => {
  const accents = { light: new Set<string>(), dark: new Set<string>() };
  for (const path of paths) {
    await page.goto(site + path);
    for (const size of sizes) {
      await page.setViewportSize(size);
      await expectRowOfTargets(page, `${path} at ${size.width} pixels`);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      if (path !== homePath) {
        accents[colorScheme].add(await accentOf(page));
      }
    }
  }
  expect(accents.light.size).toBe(sitePages.length);
  expect(accents.dark.size).toBe(sitePages.length);
});

test('on a phone the menu opens and closes by keyboard, and leads to another page', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site}check/index.html`);
  const menu = page.getByRole('button', { name: 'Menu: Check a file' });
  const words = page.getByRole('link', { name: 'Words', exact: true });
  await expect(words).toBeHidden();
  await menu.press('Enter');
  await expect(words).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(words).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(words).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/words\/index\.html$/);
});

test('the theme follows the system until another is chosen, and the choice is kept', async ({
  page,
  site,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(site);
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root).toHaveAttribute('data-theme', 'light');
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  await page.getByRole('button', { name: 'Theme: automatic' }).click();
  await page.getByRole('button', { name: 'Theme: light' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Theme: dark' })).toBeFocused();
  await expect(root).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe(dark);

  await page.goto(`${site}check/index.html`);
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Theme: dark' }).click();
  await expect(page.getByRole('button', { name: 'Theme: automatic' })).toBeVisible();
  await expect(root).toHaveAttribute('data-theme', 'light');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('the theme is set before the page is drawn', async ({ page, site }) => {
  await page.addInitScript(() => {
    localStorage.setItem('ambry-theme', 'dark');
    new MutationObserver((_, observer) => {
      if (document.body !== null) {
        observer.disconnect();
        const { theme } = document.documentElement.dataset;
        Object.assign(globalThis, { themeAtBody: theme });
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(site);
  expect(await page.evaluate('globalThis.themeAtBody')).toBe('dark');
});

test('the theme can be changed where storage is denied', async ({ page, site }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await page.goto(site);
  await page.getByRole('button', { name: 'Theme: automatic' }).click();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a theme chosen in one tab holds in the others', async ({ page, context, site }) => {
  await page.goto(site);
  const other = await context.newPage();
  await other.goto(`${site}words/index.html`);
  await other.getByRole('button', { name: 'Theme: automatic' }).click();
  await other.getByRole('button', { name: 'Theme: light' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('button', { name: 'Theme: dark' })).toBeVisible();
});

test('headings have the typeface of the site, which comes from the site', async ({
  page,
  site,
}) => {
  await page.goto(site);
  const loaded = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].map(({ family, status }) => `${family} ${status}`);
  });
  expect(loaded).toContain('Brygada 1918 loaded');
  const license = await page.request.get(`${site}assets/brygada-1918.LICENSE.txt`);
  expect(await license.text()).toContain('SIL OPEN FONT LICENSE');
});

test('with forced colours the page is marked, and bars and marks can be seen', async ({
  page,
  site,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${site}search/index.html?q=goldfish+in+a+bowl`);
  const bar = page.locator('.result-score .bar').first();
  await expect(bar).toHaveCSS('background-image', /gradient/, { timeout: 30_000 });
  const border = (name: string): Promise<string> =>
    page
      .getByRole('banner')
      .getByRole('link', { name, exact: true })
      .evaluate((link) => getComputedStyle(link).borderBottomColor);
  expect(await border('Search')).not.toBe(await border('Words'));
  expect(await violationsOf(page)).toEqual([]);
});
