// What the element `<ambry-search>` does on a site with all its files.
import { readFileSync } from 'node:fs';
import { blocksOf } from '../../tests/docs/support/code-blocks.ts';
import { expect } from '../fixtures.ts';
import { SearchElement } from '../pages/search-element.ts';
import { violationsOf } from '../support/accessible.ts';
import { excessWidth } from '../support/layout.ts';
import { securityPolicy, usualBox } from '../support/searched-site.ts';
import { modelFile, test } from './search-box.ts';

const readme = readFileSync(
  new URL('../../packages/site-search/README.md', import.meta.url),
  'utf8',
);
const [lines = '', policy = '', strings = ''] = blocksOf('README.md', readme)
  .filter(({ mark }) => mark?.text === 'e2e/site-search/site-search.spec.ts')
  .map(({ code }) => code.trim());

test('words answer first, and meaning joins when the model is there', async ({ box, searched }) => {
  const release = searched.hold(modelFile);
  await box.type('lamp');
  await expect(box.options.first()).toContainText('Lamps');
  await expect(box.marks.first()).toHaveText(/^lamps?$/i);
  await expect(box.status).toContainText(/Loading search by meaning: \d+% of 2\.5 MB/);
  await expect(box.live).toHaveText('3 pages for lamp');
  await box.ask('sick doctors');
  await expect(box.message).toContainText('The search by meaning is still loading.');
  release();
  await expect(box.options).toContainText(['the physician comes by boat']);
  await box.waitForMeaning();
  await expect(box.message).toBeHidden();
  await expect(box.live).toHaveText('1 page for sick doctors');
});

test('results under the pointer stay when meaning joins', async ({ box, searched }) => {
  const release = searched.hold(modelFile);
  await box.type('lamp');
  const last = box.options.last();
  await last.hover();
  const before = await box.titles();
  release();
  await box.waitForMeaning();
  const after = await box.titles();
  expect(after.slice(0, before.length)).toEqual(before);
});

test('nothing of the search loads before the reader comes to the field', async ({
  box,
  page,
  searched,
}) => {
  await expect(box.field).toBeVisible();
  expect(searched.requests.filter((path) => path.startsWith('/search/'))).toEqual([
    '/search/ambry-search.js',
  ]);
  await box.field.hover();
  await expect.poll(() => searched.count(/manifest\.json$/)).toBe(1);
  expect(searched.count(modelFile)).toBe(0);
  await page.keyboard.press('/');
  await expect(box.field).toBeFocused();
  await expect.poll(() => searched.count(modelFile)).toBe(1);
});

test('a result leads to its section', async ({ box, page, searched }) => {
  await box.type('vinegar');
  await box.host.getByRole('option', { name: /^Cleaning the lens/ }).click();
  await expect(page).toHaveURL(`${searched.url}guide/lamps.html#clean`);
});

test('Escape closes the results from every control', async ({ box, page }) => {
  const controls = [box.field, box.button('Clear the search'), box.filter(/^guide/)];
  for (const control of controls) {
    await box.ask('lamp');
    await box.field.click();
    await expect(box.filter(/^guide/)).toBeVisible();
    await control.focus();
    await page.keyboard.press('Escape');
    await expect(box.list).toBeHidden();
    await expect(box.field).toBeFocused();
    await expect(box.field).toHaveValue('lamp');
  }
  await page.evaluate(() => {
    const element = document.querySelector<HTMLElement & { open(): void }>('ambry-search');
    (document.activeElement as HTMLElement | null)?.blur();
    element?.open();
  });
  await expect(box.list).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box.list).toBeHidden();
});

test('filters narrow the answer and keep their counts', async ({ box }) => {
  await box.type('lamp');
  await box.waitForMeaning();
  await expect(box.filter(/^guide, 2 pages$/)).toHaveAttribute('aria-pressed', 'false');
  const history = box.filter(/^history, 1 page$/);
  await history.click();
  await expect(history).toHaveAttribute('aria-pressed', 'true');
  await expect(box.options).toHaveCount(1);
  await expect(box.options).toContainText('Keepers');
  await expect(box.filter(/^guide, 2 pages$/)).toBeVisible();
  await expect(box.field).toBeFocused();
  await box.filter(/^guide/).focus();
  await box.page.keyboard.press('Enter');
  await expect(box.live).toHaveText('3 pages for lamp');
  await expect(box.filter(/^guide/)).toBeFocused();
  await box.button('Clear filters').click();
  await expect(history).toHaveAttribute('aria-pressed', 'false');
  await expect(box.filter(/^English, 3 pages$/)).toBeVisible();
});

test('the keyboard alone finds and opens a result', async ({ box, page, searched }) => {
  await page.keyboard.press('Control+k');
  await expect(box.field).toBeFocused();
  await expect(box.field).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.type('lamp');
  await box.waitForMeaning();
  await expect(box.field).toHaveAttribute('aria-expanded', 'true');
  const titles = await box.titles();
  expect(await box.active()).toBeUndefined();
  await page.keyboard.press('Enter');
  expect(await box.active()).toBe(titles[0]);
  await page.keyboard.press('ArrowDown');
  expect(await box.active()).toBe(titles[1]);
  await page.keyboard.press('End');
  expect(await box.active()).toBe(titles.at(-1));
  await page.keyboard.press('ArrowDown');
  expect(await box.active()).toBeUndefined();
  await page.keyboard.press('ArrowUp');
  expect(await box.active()).toBe(titles.at(-1));
  await page.keyboard.press('Home');
  expect(await box.active()).toBe(titles[0]);
  await page.keyboard.press('Escape');
  await expect(box.list).toBeHidden();
  await expect(box.field).toHaveValue('lamp');
  await page.keyboard.press('ArrowDown');
  await expect(box.list).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(box.button('Clear the search')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(box.filters.getByRole('button').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box.field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box.field).toHaveValue('');
  await page.keyboard.type('vinegar');
  await expect(box.options.first()).toContainText('Lamps');
  await page.keyboard.press('ArrowDown');
  const first = (await box.options.first().getAttribute('href')) ?? '';
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(first);
  expect(first).toContain(searched.url);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`results and messages are accessible in ${colorScheme} mode`, async ({
    box,
    page,
  }, info) => {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page)).toEqual([]);
    await box.type('lamp');
    await box.waitForMeaning();
    await page.keyboard.press('ArrowDown');
    await box.filter(/^guide/).click();
    await expect(box.live).toHaveText('2 pages for lamp');
    expect(await violationsOf(page)).toEqual([]);
    await page.screenshot({ path: info.outputPath(`${colorScheme}.png`) });
    await box.ask('zzxxqq');
    await expect(box.message).toContainText('Nothing close to “zzxxqq”');
    expect(await violationsOf(page)).toEqual([]);
  });
}

test('what is near to nothing says so', async ({ box }) => {
  await box.type('zzxxqq');
  await expect(box.message).toContainText('Nothing close to “zzxxqq”');
  await expect(box.live).toContainText('Nothing close to “zzxxqq”');
  await expect(box.options).toHaveCount(0);
});

test('it reads from right to left on such a page', async ({ page, searched }, info) => {
  await page.goto(`${searched.url}ar/fog.html`);
  const box = new SearchElement(page);
  await box.type('الضباب');
  await expect(box.options.first()).toContainText('الضباب');
  await expect(box.options.first()).toHaveCSS('direction', 'rtl');
  const field = await box.host.locator('[part=box]').boundingBox();
  const panel = await box.host.locator('[part=panel]').boundingBox();
  const edge = ({ x, width }: { x: number; width: number }) => x + width;
  expect(field && panel).toBeTruthy();
  if (field && panel) {
    expect(edge(panel)).toBeGreaterThanOrEqual(edge(field) - 1);
  }
  await page.screenshot({ path: info.outputPath('rtl.png') });
});

test('it fits on a phone', async ({ box, page }, info) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await box.type('lamp');
  await box.waitForMeaning();
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
  const panel = await box.host.locator('[part=panel]').boundingBox();
  expect(panel).toMatchObject({ x: 8, width: 344 });
  const size = await box.field.evaluate((node) =>
    Number.parseFloat(getComputedStyle(node).fontSize),
  );
  expect(size, 'phones zoom in on fields with smaller text').toBeGreaterThanOrEqual(16);
  await page.screenshot({ path: info.outputPath('phone.png') });
});

test('the place around it does not change how its texts flow', async ({ box, page }) => {
  await page.locator('body').evaluate((body) => {
    body.style.whiteSpace = 'nowrap';
    body.style.textTransform = 'uppercase';
    body.style.letterSpacing = '1em';
  });
  await box.type('vinegar');
  const excerpt = box.host.locator('.excerpt').first();
  await expect(excerpt).toHaveCSS('white-space', 'normal');
  await expect(excerpt).toHaveCSS('text-transform', 'none');
  await expect(excerpt).toHaveCSS('letter-spacing', 'normal');
});

test('more results come by the keyboard, and the first of them is chosen', async ({
  page,
  searched,
}) => {
  await searched.write(
    'few.html',
    `<!doctype html><html lang="en"><title>Few</title><script type="module" src="/search/ambry-search.js"></script><ambry-search k="2"></ambry-search></html>`,
  );
  await page.goto(`${searched.url}few.html`);
  const box = new SearchElement(page);
  await box.type('lamp');
  await box.waitForMeaning();
  const before = await box.titles();
  expect(before).not.toContain('Keepers');
  await box.button('Show more results').press('Enter');
  await expect.poll(() => box.active()).toBe('Keepers');
  await expect(box.button('Show more results')).toBeHidden();
  await expect(box.field).toBeFocused();
  await expect(box.list).toBeVisible();
});

test('signs that are no words are answered too', async ({ box }) => {
  await box.type('?!');
  await expect(box.message).toContainText('No page has “?!”');
});

test('nothing moves if the reader prefers that', async ({ box, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await box.type('lamp');
  await expect(box.options.first()).toBeVisible();
  await expect(box.host.locator('[part=panel]')).toHaveCSS('animation-duration', '0s');
});

test('two elements of a page have one search', async ({ page, searched }) => {
  await searched.write(
    'two.html',
    `<!doctype html><html lang="en"><title>Two</title><script type="module" src="/search/ambry-search.js"></script>${usualBox}<ambry-search label="Second"></ambry-search></html>`,
  );
  await page.goto(`${searched.url}two.html`);
  const [first, second] = [0, 1].map(
    (place) => new SearchElement(page, page.locator('ambry-search').nth(place)),
  ) as [SearchElement, SearchElement];
  await first.type('lamp');
  await first.waitForMeaning();
  await page.keyboard.press('Escape');
  await second.type('vinegar');
  await second.waitForMeaning();
  await expect(first.list).toBeHidden();
  await expect(second.field).toHaveAccessibleName('Second');
  expect(searched.count(/manifest\.json$/)).toBe(1);
  expect(searched.count(modelFile)).toBe(1);
});

test('a page may route, name and count in its own way', async ({ box, page, searched }) => {
  await page.evaluate(() => {
    const element = document.querySelector('ambry-search') as HTMLElement & { strings: unknown };
    element.strings = {
      placeholder: 'Suchen',
      pages: { one: '{count} Seite', other: '{count} Seiten' },
    };
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    for (const name of ['open', 'close', 'answer', 'select']) {
      document.addEventListener(`ambry-search-${name}`, (event) => {
        const { detail } = event as CustomEvent<{ by?: string; url?: string } | undefined>;
        heard.push([name, detail?.by ?? detail?.url].filter(Boolean).join(' '));
        if (name === 'select') {
          event.preventDefault();
        }
      });
    }
  });
  await expect(box.field).toHaveAttribute('placeholder', 'Suchen');
  const release = searched.hold(modelFile);
  await box.type('vinegar');
  await expect(box.options.first()).toBeVisible();
  release();
  await box.waitForMeaning();
  await expect(box.status).toContainText('1 Seite');
  await box.options.first().click();
  const heard = await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
  expect([...new Set(heard)]).toEqual([
    'open',
    'answer words',
    'answer hybrid',
    `select ${searched.url}guide/lamps.html`,
    'close',
  ]);
  await expect(page).toHaveURL(searched.url);
});

test('wrong attributes are told with their names', async ({ page, searched }) => {
  const wrong = { k: 'many', mode: 'magic', facets: 'colour', strings: '{' };
  for (const [name, value] of Object.entries(wrong)) {
    await searched.write(
      'wrong.html',
      `<!doctype html><html lang="en"><title>Wrong</title><script type="module" src="/search/ambry-search.js"></script><ambry-search ${name}="${value}"></ambry-search></html>`,
    );
    await page.goto(`${searched.url}wrong.html`);
    const box = new SearchElement(page);
    await box.type('lamp');
    await expect(box.message).toContainText('The search box is not set up correctly.');
    await expect(box.message).toContainText(name === 'facets' ? value : name);
  }
});

test('an element that is taken away stops, and works where it is put again', async ({
  box,
  page,
}) => {
  await box.type('lamp');
  await expect(box.options.first()).toBeVisible();
  await page.evaluate(() => {
    const element = document.querySelector('ambry-search') as HTMLElement;
    element.remove();
    document.querySelector('main')?.prepend(element);
  });
  await expect(box.list).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('vinegar');
  await expect(box.options.first()).toContainText('Lamps');
});

test('an element that a script makes has its text and attributes from there', async ({
  page,
  searched,
}) => {
  await page.goto(searched.url);
  await expect(page.getByRole('combobox')).toBeVisible();
  await page.evaluate(() => {
    document.querySelector('ambry-search')?.remove();
    const element = document.createElement('ambry-search') as HTMLElement & { value: string };
    element.value = 'vinegar';
    element.setAttribute('mode', 'words');
    element.setAttribute('src', '/nothing/');
    document.querySelector('main')?.prepend(element);
    element.setAttribute('src', 'search/manifest.json');
  });
  const box = new SearchElement(page);
  await box.field.click();
  await expect(box.options.first()).toContainText('Lamps');
  await expect(box.status).toHaveText('1 page');
  expect(searched.count(modelFile)).toBe(0);
});

test('a browser without sheets of scripts fetches the style', async ({ page, searched }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(ShadowRoot.prototype, 'adoptedStyleSheets');
  });
  await page.goto(searched.url);
  const box = new SearchElement(page);
  await expect(box.host.locator('[part=box]')).toHaveCSS('display', 'flex');
  expect(searched.count(/\/element\/.*\.css$/)).toBe(1);
});

test('the lines, the policy and the strings of the README work', async ({ page, searched }) => {
  expect(securityPolicy).toBe(policy);
  const head = '<!doctype html><html lang="pl"><meta charset="utf-8"><title>Two lines</title>';
  await searched.write('lines.html', head + lines);
  await page.goto(`${searched.url}lines.html`);
  await page.evaluate(strings);
  const box = new SearchElement(page);
  await expect(box.field).toHaveAttribute('placeholder', 'Szukaj');
  await box.type('lamp');
  await box.waitForMeaning();
  await expect(box.status).toContainText('3 strony');
});
