// The first link of every page leads to what one came for.
import { homePage, sitePages } from '../../web/demo/shell/pages.ts';
import { expect, test } from '../fixtures.ts';

for (const { path, skip } of [homePage, ...sitePages]) {
  test(`the first link of ${path} leads somewhere`, async ({ page, site }) => {
    await page.goto(site + path);
    const [target, text] = skip;
    await expect(page.locator(target)).toBeVisible();
    // A field without its model cannot be used yet.
    await expect(page.locator(target)).toBeEnabled();
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: text, exact: true });
    await expect(link).toBeFocused();
    await expect(link).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${target}$`));
    // A field takes the focus. What is no field has it next.
    const isIn = () =>
      page.evaluate(
        (selector) => document.querySelector(selector)?.contains(document.activeElement) ?? false,
        target,
      );
    const isFocused = expect.poll(isIn, { timeout: 3000 }).toBe(true);
    await isFocused.catch(() => page.keyboard.press('Tab'));
    expect(await isIn()).toBe(true);
  });
}

test('the first link of the documentation leads to the text', async ({ page, site }) => {
  await page.goto(`${site}docs/tutorial.html`);
  await expect(page.locator('main h1')).toBeVisible();
  await page.locator('body').press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#VPContent')).toBeFocused();
});
