// axe in the states that all pages share.
import type { Page } from '@playwright/test';
import { homePath, sitePages } from '../../web/demo/shell/pages.ts';
import { expect } from '../fixtures.ts';
import { test } from '../pages/words-page.ts';
import { expectAccessible, violationsOf } from '../support/accessible.ts';

/** The pages that explain their words. */
const explained = /^(search|words|classify|chat|check|convert)\//;

async function expectWordsExplained(page: Page): Promise<void> {
  const words = page.getByRole('complementary', { name: 'Words on this page' });
  await words.getByText('What the words on this page mean').click();
  await expect(words.getByRole('definition').first()).toContainText(/^A|^H/);
}

for (const path of [homePath, ...sitePages.map((one) => one.path)]) {
  test(`${path} with forced colours, and on a phone with its menu, its words and dragged files`, async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(site + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: /^Menu/ }).click();
    await expect(page.locator('#site-menu')).toBeVisible();
    await expectAccessible(page, 'the menu is open');
    await page.keyboard.press('Escape');
    if (explained.test(path)) {
      await expectWordsExplained(page);
    }
    await page.dispatchEvent('body', 'dragenter', {
      dataTransfer: await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['x'], 'x.bin'));
        return transfer;
      }),
    });
    await expectAccessible(page, 'words are explained, and files are over the page');
  });
}

test('a word on a button is part of its name, also on maps', async ({ page, words }) => {
  await words.openVocabulary();
  const rules = ['label-content-name-mismatch'];
  expect(await violationsOf(page, { within: 'button, a', rules })).toEqual([]);
});

test('an address without a page', async ({ page, site, browserErrors }) => {
  browserErrors.expect(/404/);
  await page.goto(`${site}no/such/page`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no page here');
  await expectAccessible(page, 'no page');
});
