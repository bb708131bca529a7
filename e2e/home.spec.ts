// The landing page.

import { expect, test } from './fixtures.ts';

test('a link of the time when the search page was at the root still asks its question', async ({
  page,
  site,
}) => {
  await page.goto(`${site}?q=goldfish+in+a+bowl&mode=words&source=Pets`);
  await expect(page).toHaveURL(/\/search\/index\.html\?q=goldfish\+in\+a\+bowl&mode=words/);
  await expect(page.getByRole('searchbox', { name: 'Your question' })).toHaveValue(
    'goldfish in a bowl',
  );
  await expect(page.getByRole('radio', { name: 'Meaning and words' })).toBeChecked();
  await expect(page.locator('#results > li').first()).toContainText('Goldfish', {
    timeout: 30_000,
  });
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});

test('the address without a question stays on the landing page', async ({ page, site }) => {
  await page.goto(`${site}?flavour=baseline`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Small models/);
  expect(new URL(page.url()).pathname).toBe('/');
});
