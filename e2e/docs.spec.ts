// The documentation site, as `ambry demo` serves it: under the strict policy of the demo pages.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures.ts';

const folder = fileURLToPath(new URL('../dist/site/docs/', import.meta.url));
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html') && name !== '404.html')
  .map((name) => name.replaceAll('\\', '/'));

test('every page opens without errors, and its links lead somewhere', async ({ page, site }) => {
  test.setTimeout(300_000);
  expect(pages.length).toBeGreaterThan(30);
  const anchors = new Map<string, Set<string>>();
  const links: { from: string; to: URL }[] = [];
  for (const name of pages) {
    const address = `${site}docs/${name}`;
    await page.goto(address);
    await expect(page.locator('main h1')).toBeVisible();
    const found = await page.evaluate(() => ({
      ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
      hrefs: [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href),
    }));
    anchors.set(new URL(address).pathname, new Set(found.ids));
    for (const href of found.hrefs) links.push({ from: name, to: new URL(href) });
  }
  const { origin } = new URL(site);
  const dead = links
    .filter(({ to }) => to.origin === origin && to.pathname.startsWith('/docs/'))
    .filter(({ to }) => {
      const ids = anchors.get(to.pathname.replace(/\/$/, '/index.html'));
      return !ids || (to.hash !== '' && !ids.has(decodeURIComponent(to.hash.slice(1))));
    });
  expect(dead.map(({ from, to }) => `${from} links to ${to.pathname}${to.hash}`)).toEqual([]);
});

test('no other host is asked', async ({ page, site }) => {
  const { origin } = new URL(site);
  const others: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) others.push(request.url());
  });
  await page.goto(`${site}docs/`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('quantize');
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(others).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`pages are accessible in ${colorScheme} mode at ${width} pixels`, async ({
      page,
      site,
    }, info) => {
      test.setTimeout(300_000);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      for (const name of ['index', 'threads', 'commands']) {
        await page.goto(`${site}docs/${name}.html`);
        await expect(page.locator('main h1')).toBeVisible();
        await page.screenshot({ path: info.outputPath(`${name}.png`) });
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      }
    });
  }
}
