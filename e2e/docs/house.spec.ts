// The documentation looks like the other pages: typeface, colours, theme and menu. Readers find the guides, and not the pages of developers.
import type { Page } from '@playwright/test';
import { homePath, sitePages } from '../../web/demo/shell/pages.ts';
import { expect, test } from '../fixtures.ts';
import { SearchElement } from '../pages/search-element.ts';

const names = [...sitePages.map(({ name }) => name), 'Docs'];

/** Where the words of the menu begin, and in which line. */
async function menuOf(page: Page): Promise<Record<string, readonly number[]>> {
  const places: Record<string, readonly number[]> = {};
  for (const name of ['Ambry', ...names]) {
    const link = page.getByRole('banner').getByRole('link', { name, exact: true });
    const { x = 0, y = 0, width = 0, height = 0 } = (await link.boundingBox()) ?? {};
    places[name] = [Math.round(x), Math.round(width), Math.round(y + height / 2)];
  }
  return places;
}

for (const width of [1280, 1920]) {
  test(`the words of the menu have one place on all pages at ${width} pixels`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(site + homePath);
    await page.evaluate(() => document.fonts.ready);
    const home = await menuOf(page);
    for (const path of [...sitePages.map((one) => one.path), 'docs/', 'docs/tutorial.html']) {
      await page.goto(site + path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      const found = await menuOf(page);
      for (const [name, place] of Object.entries(home)) {
        const moved = place.map((value, i) => Math.abs(value - (found[name]?.[i] ?? 0)));
        expect(Math.max(...moved), `${name} on ${path}`).toBeLessThanOrEqual(1);
      }
    }
  });
}

const looksOf = (page: Page) =>
  page.evaluate(() => {
    const heading = getComputedStyle(document.querySelector('h1, main h1') as Element);
    return {
      paper: getComputedStyle(document.body).backgroundColor,
      ink: heading.color,
      typeface: heading.fontFamily.split(',')[0],
    };
  });

test('typeface, colours and the chosen theme are those of the other pages', async ({
  page,
  site,
}) => {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`${site}check/index.html`);
    const looks = await looksOf(page);
    await page.goto(`${site}docs/tutorial.html`);
    await expect(page.locator('main h1')).toBeVisible();
    await expect.poll(() => looksOf(page)).toEqual(looks);
  }
  await page.goto(site + homePath);
  await page.getByRole('button', { name: /^Theme/ }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.goto(`${site}docs/tutorial.html`);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.getByRole('switch').first().click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.goto(site + homePath);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('the guides are in sight, and the logo leads to the first page', async ({ page, site }) => {
  await page.goto(`${site}docs/`);
  const sidebar = page.getByRole('navigation', { name: 'Sidebar' });
  await expect(sidebar.getByRole('link', { name: 'Search on your site' })).toBeVisible();
  await expect(sidebar.getByRole('link', { name: 'GGUF' })).toBeHidden();
  await page.goto(`${site}docs/core/formats/gguf/`);
  await expect(sidebar.getByRole('link', { name: 'GGUF' })).toBeInViewport();
  await page.getByRole('link', { name: 'Tutorial', exact: true }).click();
  await expect(sidebar.getByRole('link', { name: 'Search on your site' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Ambry', exact: true }).click();
  await expect(page).toHaveTitle(/small models in your browser/);
});

for (const [width, fits] of [
  [1280, true],
  [1024, true],
  [390, false],
] as const) {
  test(`no end of a line is cut off at ${width} pixels`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['commands', 'cookbook', 'tutorial']) {
      await page.goto(`${site}docs/${name}.html`);
      await expect(page.locator('main h1')).toBeVisible();
      const cut = await page
        .locator('.vp-doc pre')
        .evaluateAll(
          (blocks) => blocks.filter((one) => one.scrollWidth > one.clientWidth + 1).length,
        );
      expect(cut, name).toBe(0);
    }
    await page.goto(`${site}docs/commands.html`);
    const heights = await page
      .locator('.language-text .line')
      .evaluateAll((lines) => lines.map((one) => one.getBoundingClientRect().height));
    const least = Math.min(...heights.filter((height) => height > 0));
    const broken = heights.filter((height) => height > 1.5 * least).length;
    expect(broken === 0, `${broken} lines of help are broken`).toBe(fits);
  });
}

test('a page named search opens beside the index of the search', async ({ page, site }) => {
  for (const path of ['docs/search', 'docs/search.html']) {
    const response = await page.goto(site + path);
    expect(response?.status()).toBe(200);
    await expect(page.locator('main h1')).toHaveText(/search/i);
  }
});

test('code in double braces stands as it is written', async ({ page, site }) => {
  await page.goto(`${site}docs/decide.html`);
  await expect(page.locator('main code').filter({ hasText: '{{ m.content }}' })).toBeVisible();
});

test('the search finds no pages of developers', async ({ page, site }) => {
  await page.goto(`${site}docs/tutorial.html`);
  const box = new SearchElement(page);
  const developers =
    /CONTRIBUTING|ARCHITECTURE|CHANGELOG|decisions|docs\/(e2e|tests|wasm|web|core\/(?!formats))/;
  for (const query of ['add a kernel', 'sanitizers', 'Playwright', 'changelog']) {
    await box.ask(query);
    await box.waitForMeaning();
    const hrefs = await box.options.evaluateAll((all) =>
      all.map((one) => one.getAttribute('href')),
    );
    expect(
      hrefs.filter((href) => developers.test(href ?? '')),
      query,
    ).toEqual([]);
  }
});
