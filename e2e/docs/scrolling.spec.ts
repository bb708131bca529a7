// Pages of the documentation: only the page scrolls, and what is pressed is large enough.
import { expect, test } from '../fixtures.ts';
import { excessWidth, nestedScrollers, smallTargets } from '../support/layout.ts';

/** Pages with many tables, the widest table, a long outline and much code, and one without any of them. */
const names = [
  'index',
  'what-opens',
  'node',
  'performance',
  'api/generator',
  'api/tables',
  'core/formats/amb/index',
  'csp',
];

for (const { width, height, least } of [
  { width: 1280, height: 900, least: 32 },
  { width: 390, height: 844, least: 44 },
]) {
  test(`only the page scrolls at ${width} pixels`, async ({ page, site }) => {
    await page.setViewportSize({ width, height });
    for (const name of names) {
      await page.goto(`${site}docs/${name}.html`);
      await expect(page.locator('ambry-search').getByRole('combobox')).toBeVisible();
      // On a phone the sidebar is a menu that lies over the page when it is opened.
      const parts = (await nestedScrollers(page)).filter(
        (part) => width >= 960 || !part.startsWith('<aside class="VPSidebar'),
      );
      expect(parts, name).toEqual([]);
      expect(await excessWidth(page), name).toBeLessThanOrEqual(0);
      expect(await smallTargets(page, least), name).toEqual([]);
    }
  });
}

test('the sidebar and the outline stay beside a long page', async ({ page, site }) => {
  await page.goto(`${site}docs/api/generator.html`);
  const link = page.getByRole('complementary').getByRole('link', { name: 'Encoders', exact: true });
  const last = page.getByRole('navigation', { name: 'On this page' }).getByRole('link').last();
  await expect(link).toBeInViewport();
  await expect(last).not.toBeInViewport();
  await page.locator('main h3').last().scrollIntoViewIfNeeded();
  await expect(link).toBeInViewport();
  await expect(last).toBeInViewport();
});

test('on a phone each row of a wide table is a block with labels', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site}docs/performance.html`);
  const table = page.locator('table.records').first();
  const title = await table.locator('th').nth(1).textContent();
  await expect(table.locator('thead')).toBeHidden();
  await expect(table.locator('td').nth(1)).toHaveAttribute('data-label', title ?? '');
});
