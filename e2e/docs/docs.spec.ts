// The documentation site, as `ambry demo` serves it: under the strict policy of the demo pages.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { excessWidth } from '../support/layout.ts';

const folder = fileURLToPath(new URL('../../packages/demo/site/docs/', import.meta.url));
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html') && name !== '404.html')
  .map((name) => name.replaceAll('\\', '/'));

/** Pages with all that the site has: the first one, one of each kind, and the longest. */
const opened = [
  'index',
  'tutorial',
  'commands',
  'api/index',
  'api/generator',
  'core/formats/gguf/index',
];

test('pages of each kind open without errors', async ({ page, site }) => {
  for (const name of opened) {
    await page.goto(`${site}docs/${name}.html`);
    await expect(page.locator('main h1')).toBeVisible();
  }
});

test('the links of all pages lead somewhere', async () => {
  expect(pages.length).toBeGreaterThan(60);
  const read = pages.map(
    (name) => [name, parsed(readFileSync(join(folder, name), 'utf8'))] as const,
  );
  const ids = new Map(read.map(([name, page]) => [name, page.ids]));
  const dead = read.flatMap(([name, { hrefs }]) =>
    hrefs
      .filter((href) => !leadsSomewhere(href, name, ids))
      .map((href) => `${name} links to ${href}`),
  );
  expect(dead).toEqual([]);
});

function parsed(html: string): { ids: Set<string>; hrefs: string[] } {
  const values = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value = '']) => value);
  return {
    ids: new Set(values(/<[a-z][^<>]*? id="([^"]*)"/g)),
    hrefs: values(/<a [^<>]*?href="([^"]*)"/g).map((href) => href.replaceAll('&amp;', '&')),
  };
}

/** Whether a link of a page leads to a page of the site and its anchor, to the demo beside it, or to another host. */
function leadsSomewhere(
  href: string,
  from: string,
  ids: ReadonlyMap<string, Set<string>>,
): boolean {
  const { origin, pathname, hash } = new URL(href, `http://site/docs/${from}`);
  if (origin !== 'http://site') {
    return true;
  }
  const path = pathname.replace(/\/$/, '/index.html').slice(1);
  if (!path.startsWith('docs/')) {
    return existsSync(join(folder, '..', path));
  }
  const found = ids.get(path.slice('docs/'.length));
  return found !== undefined && (hash === '' || found.has(decodeURIComponent(hash.slice(1))));
}

test('no other host is asked', async ({ page, site }) => {
  const { origin } = new URL(site);
  const others: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) {
      others.push(request.url());
    }
  });
  await page.goto(`${site}docs/`);
  await searchFor(page, 'quantize');
  expect(others).toEqual([]);
});

/** Waits for the first results. */
async function searchFor(page: Page, query: string): Promise<Locator> {
  const box = page.locator('ambry-search');
  await box.getByRole('combobox').fill(query);
  const results = box.getByRole('option');
  await expect(results.first()).toBeVisible();
  return results;
}

test('the search finds words, and pages by their meaning', async ({ page, site }) => {
  await page.goto(`${site}docs/`);
  const byWords = await searchFor(page, 'COOP');
  await expect(byWords.filter({ hasText: 'Glossary' }).first()).toBeVisible();
  const byMeaning = await searchFor(page, 'shrink what users fetch');
  await expect(byMeaning.first()).toContainText('Sizes');
});

test('a result opens without loading the site again', async ({ page, site }) => {
  await page.goto(`${site}docs/`);
  await page.evaluate('globalThis.isSamePage = true');
  const results = await searchFor(page, 'quantize');
  const href = await results.first().getAttribute('href');
  await results.first().click();
  await expect(page).toHaveURL(String(href));
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
});

test('on a narrow phone a page is as wide as the screen, with its menu button', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  for (const path of ['', 'tutorial.html', 'api/doctor.html']) {
    await page.goto(`${site}docs/${path}`);
    await expect(page.locator('ambry-search').getByRole('combobox')).toBeVisible();
    expect(await excessWidth(page), path).toBeLessThanOrEqual(0);
    const button = page.getByRole('button', { name: 'mobile navigation' });
    const { x = 0, width = 0 } = (await button.boundingBox()) ?? {};
    expect(x + width, path).toBeLessThanOrEqual(360);
    expect(width, path).toBeGreaterThan(0);
  }
});
