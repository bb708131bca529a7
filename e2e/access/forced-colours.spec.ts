// Colours that the user's system forces: the labels of all pages can be read, in light and in dark colours.
import type { Locator, Page } from '@playwright/test';
import { homePath, sitePages } from '../../web/demo/shell/pages.ts';
import { expect, test } from '../fixtures.ts';
import { ChatPage } from '../pages/chat-page.ts';
import { ClassifyPage } from '../pages/classify-page.ts';
import { WordsPage } from '../pages/words-page.ts';
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

  test(`names and tasks of the classify page are readable in forced ${colorScheme} colours`, async ({
    browser,
    page,
    site,
  }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    const classify = new ClassifyPage(page, site);
    await classify.openTask('names');
    const parts = page.locator('.tasks a, .entity small, .entity-kind');
    expect(await unreadable(browser, page, parts)).toEqual([]);
  });

  for (const path of ['docs/', 'docs/tutorial.html', 'docs/commands.html']) {
    test(`the labels of ${path} are readable in forced ${colorScheme} colours`, async ({
      browser,
      page,
      site,
    }) => {
      await page.emulateMedia({ forcedColors: 'active', colorScheme });
      await page.goto(site + path);
      await expect(page.locator('main h1')).toBeVisible();
      const parts = page.locator(
        '.VPNavBarTitle a, .VPNavBarMenuLink, .VPSidebarItem .text, main h1',
      );
      expect(await unreadable(browser, page, parts)).toEqual([]);
    });
  }

  test(`what is left of a bar is as its page in forced ${colorScheme} colours`, async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    const words = new WordsPage(page, site);
    await words.open();
    await expect(words.answers.first()).toBeVisible();
    const colourOf = (part: Locator) =>
      part.evaluate((node) => getComputedStyle(node).backgroundColor);
    const bar = page.locator('.bar').first();
    expect(await colourOf(bar)).toBe(await colourOf(page.locator('body')));
    expect(await bar.evaluate((node) => getComputedStyle(node).outlineStyle)).toBe('solid');
  });
}

test('unlikely words have a line below them in forced colours', async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const chat = new ChatPage(page, site);
  await chat.open();
  await chat.expectDone();
  const widths = await chat.tokens.evaluateAll((tokens) =>
    tokens.map((token) => Number.parseFloat(getComputedStyle(token).borderBottomWidth)),
  );
  expect(Math.max(...widths)).toBeGreaterThan(2);
  expect(Math.min(...widths)).toBe(0);
});

test('a label of the colour behind it is found', async ({ browser, page }) => {
  await page.setContent(
    '<button id="seen">Write</button><button id="lost"><span style="background:#000;color:#000">Write</span></button>',
  );
  expect(await unreadable(browser, page, page.locator('#seen'))).toEqual([]);
  expect(await unreadable(browser, page, page.locator('#lost'))).toEqual(['Write']);
});
