// axe on pages of the documentation, in their states.
import { expect, test } from '../fixtures.ts';
import { SearchElement } from '../pages/search-element.ts';
import { expectAccessible } from '../support/accessible.ts';

for (const path of [
  '',
  'tutorial.html',
  'glossary.html',
  'api/text-classifier.html',
  'formats.html',
]) {
  test(`the page docs/${path}`, async ({ page, site }) => {
    await page.goto(`${site}docs/${path}`);
    await expect(page.locator('main h1')).toBeVisible();
    await expectAccessible(page, 'as it opens');
  });
}

test('the search: found, filtered, and without a result', async ({ page, site }) => {
  await page.goto(`${site}docs/tutorial.html`);
  const box = new SearchElement(page);
  await box.ask('model');
  await expect(box.options.first()).toBeVisible();
  await box.waitForMeaning();
  await expectAccessible(page, 'results');
  await box.field.press('ArrowDown');
  await expectAccessible(page, 'a chosen result', { within: 'ambry-search' });
});

test('on a phone, with its menus', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site}docs/api/doctor.html`);
  await expectAccessible(page, 'as it opens');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Sidebar' })).toBeInViewport();
  await expectAccessible(page, 'the list of pages is open');
});

test('an address without a page', async ({ page, site, browserErrors }) => {
  browserErrors.expect(/404/);
  await page.goto(`${site}docs/no-such-page.html`);
  await expectAccessible(page, 'no page');
});
