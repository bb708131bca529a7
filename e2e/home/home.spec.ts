// The landing page.

import { readFileSync } from 'node:fs';
import { expect } from '../fixtures.ts';
import { test } from '../pages/home-page.ts';
import { excessWidth } from '../support/layout.ts';

const built = new URL('../../packages/demo/site/', import.meta.url);
const siteFile = (path: string): Buffer => readFileSync(new URL(path, built));
const loading = { timeout: 30_000 };

test('a link of the time when the search page was at the root still asks its question', async ({
  page,
  site,
}) => {
  await page.goto(`${site}?q=goldfish+in+a+bowl&mode=meaning&source=Pets`);
  await expect(page).toHaveURL(/\/search\/index\.html\?q=goldfish\+in\+a\+bowl&mode=meaning/);
  await expect(page.getByRole('searchbox', { name: 'Your question' })).toHaveValue(
    'goldfish in a bowl',
  );
  await expect(page.locator('#mode-meaning')).toBeChecked();
  await expect(page.locator('#results > li').first()).toContainText('Goldfish', loading);
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});

test('the address without a question stays on the landing page', async ({ page, home }) => {
  await home.open('?flavour=baseline');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Small models/);
  expect(new URL(page.url()).pathname).toBe('/');
});

test('before an action the page loads no model and no WebAssembly, and at most 120 kB', async ({
  page,
  home,
  site,
}) => {
  await expect(home.samples).toBeVisible();
  await page.waitForLoadState('networkidle');
  const loaded = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map(({ name, decodedBodySize }) => ({ path: name, bytes: decodedBodySize })),
  );
  const paths = loaded.map(({ path }) => path.replace(site, ''));
  expect(paths.filter((path) => /woff2|theme\.js|\.css/.test(path)).length).toBeGreaterThan(2);
  expect(paths.filter((path) => /wasm|models\/|samples\//.test(path))).toEqual([]);
  expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(120_000);
});

for (const [sample, what, memory, button, opened] of [
  [
    'A model for search',
    'A model for search (a sentence encoder)',
    /about [\d.]+ MB/,
    'Search with it',
    /english-192x1/,
  ],
  ['Word vectors', 'A file of word vectors', /about [\d.]+ MB/, 'Look up words', /books-96/],
  [
    'A language model (GGUF)',
    'A language model. GGUF v3',
    /about [\d.]+ MB/,
    'Write with it',
    /stories/,
  ],
  [
    'A network for digits',
    'A network that classifies pictures',
    /about [\d.]+ MB/,
    'Classify with it',
    /digits-dq8/,
  ],
] as const) {
  test(`${sample} is described, and its page opens with it`, async ({ page, home }) => {
    await home.trySample(sample);
    await expect(home.found).toContainText(`Sound. ${what}`, loading);
    await expect(home.found).toContainText(memory);
    await home.openWith(button);
    const name = page.locator('#model-name, #file-name, #network-name');
    await expect(name).toHaveText(opened, loading);
    expect(new URL(page.url()).hash).toBe('');
  });
}

for (const [file, what, button, part] of [
  ['languages-14.ftz', /gives labels to texts/, 'Label texts with it', '#text-labels li'],
  ['entities-96x1.weights', /finds names in texts/, 'Find names with it', '#entities li'],
] as const) {
  test(`${file} opens in its task of the classify page`, async ({ page, home }) => {
    await home.choose({ name: file, buffer: siteFile(`models/${file}`) });
    await expect(home.found).toContainText('Sound.', loading);
    await expect(home.found).toContainText(what);
    await home.openWith(button);
    await expect(page).toHaveURL(/classify/);
    await expect(page.locator('#text-model-name')).toHaveText(file, loading);
    await expect(page.locator(part).first()).toBeVisible();
  });
}

test('a damaged file is told in plain words, and Check has the details', async ({ page, home }) => {
  await home.trySample('A damaged file');
  await expect(home.found).toContainText('Damaged.', loading);
  await expect(home.found).toContainText('Some of its bytes are wrong. Get it again');
  await expect(home.found.getByText(/at byte [\d,]+: .*UTF-8/)).toBeHidden();
  await home.found.getByText('Details').click();
  await expect(home.found.getByText(/at byte [\d,]+: .*UTF-8/)).toBeVisible();
  await home.openWith('See what is wrong');
  await expect(page.locator('#verdict-line')).toContainText(/Damaged/, loading);
});

test('a download that was cut off is told so, and can be replaced by another file', async ({
  home,
}) => {
  await home.trySample('A download that was cut off');
  await expect(home.found).toContainText(/Cut off: [\d,]+ of [\d,]+ bytes are here\./, loading);
  await home.trySample('A network for digits');
  await expect(home.found).toContainText('Sound.', loading);
  await expect(home.found).toHaveCount(1);
});

test('a sample that does not come says so', async ({ page, home, browserErrors }) => {
  browserErrors.expect(/Failed to load resource/);
  await page.route(/\/samples\//, (route) => route.abort());
  await home.trySample('A language model (GGUF)');
  await expect(home.alert).toContainText('The sample stories.gguf did not come.');
});

test('documents go to the search page, which finds them', async ({ page, home }) => {
  await home.drop(
    { name: 'tides.txt', buffer: Buffer.from('The tides of the sea follow the moon.') },
    { name: 'notes.md', buffer: Buffer.from('# Bread\n\nKnead the dough and let it rest.') },
  );
  await expect(home.found).toContainText('2 documents');
  await home.openWith('Search in them');
  await expect(page.locator('#document-sources')).toContainText('tides.txt', loading);
  await expect(page.locator('#document-sources')).toContainText('notes.md');
});

test('models and documents that are given together are shown one by one', async ({
  home,
  tiny,
}) => {
  await home.choose(
    { name: 'tiny.weights', buffer: tiny },
    { name: 'tides.txt', buffer: Buffer.from('The tides follow the moon.') },
    { name: 'empty.gguf', buffer: Buffer.alloc(0) },
  );
  await expect(home.found).toHaveCount(3, loading);
  await expect(home.found.filter({ hasText: 'tiny.weights' })).toContainText('Sound.');
  await expect(home.found.filter({ hasText: 'empty.gguf' })).toContainText('An empty file');
});

test('a picture goes to the classify page', async ({ page, home }) => {
  const icon = await page.screenshot({ clip: { x: 0, y: 0, width: 60, height: 60 } });
  await home.choose({ name: 'photo.png', buffer: icon });
  await expect(home.found).toContainText('A PNG picture');
  await home.openWith('Classify it');
  await expect(page.locator('#picture-name')).toHaveText('photo.png', loading);
  await expect(page.locator('#answer')).toContainText('This looks like', loading);
});

test('a file that is no model says what it is and what to do', async ({ home }) => {
  await home.choose({ name: 'model.zip', buffer: Buffer.from('PK\x03\x04 and more bytes here') });
  await expect(home.found).toContainText('A ZIP archive');
  await expect(home.found).toContainText('no model that Ambry can read');
});

test('a model at an address is described and opened from there', async ({ page, home, site }) => {
  await home.lookAt(`${site}samples/stories.gguf`);
  await expect(home.found).toContainText('A language model. GGUF v3', loading);
  await home.openWith('Check it');
  await expect(page).toHaveURL(/check\/index\.html\?url=/);
});

test('an address that does not answer says so', async ({ home, site, browserErrors }) => {
  browserErrors.expect(/Failed to load resource/);
  await home.lookAt(`${site}samples/none.gguf`);
  await expect(home.found).toContainText('Not readable.', loading);
  await expect(home.found).toContainText('There is no file at this address.');
});

test('the question of the card is asked on the search page', async ({ page, home }) => {
  await home.card('Search').getByLabel('A question').fill('goldfish in a bowl');
  await home.card('Search').getByRole('button', { name: 'Search' }).click();
  await expect(page.locator('#results > li').first()).toContainText('Goldfish', loading);
});

test('a drawing is classified on the classify page', async ({ page, home }) => {
  const pad = page.getByRole('img', { name: 'Pad for a digit' });
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (box === null) {
    throw new Error('the pad is not shown');
  }
  const at = (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const;
  await page.mouse.move(...at(0.26, 0.16));
  await page.mouse.down();
  await page.mouse.move(...at(0.74, 0.16), { steps: 8 });
  await page.mouse.move(...at(0.44, 0.88), { steps: 8 });
  await page.mouse.up();
  await home.card('Classify').getByRole('button', { name: 'Classify' }).click();
  await expect(page.locator('#picture-name')).toHaveText('drawing.png', loading);
  await expect(page.locator('#answer')).toContainText('This looks like 7', loading);
});

test('the cards open samples on the check and convert pages', async ({ page, home }) => {
  await home.card('Check a file').getByRole('button', { name: 'Check a damaged file' }).click();
  await expect(page.locator('#verdict-line')).toContainText('Damaged', loading);
  await home.open();
  await home.card('Convert').getByRole('button', { name: 'Convert a GGUF model' }).click();
  await expect(page.locator('#source-line')).toContainText('GGUF', loading);
});

test('on a phone all targets are large, and what was found is in view', async ({ page, home }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await home.trySample('A network for digits');
  await expect(home.found).toContainText('Sound.', loading);
  await expect(home.found).toBeInViewport();
  for (const target of await page
    .locator('main :is(button, .button, input:not(.visually-hidden))')
    .all()) {
    const box = await target.boundingBox();
    if (box !== null) {
      expect(box.height, await target.innerText()).toBeGreaterThanOrEqual(44);
    }
  }
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
});

test('the licence and the documentation are there', async ({ page, home, site }) => {
  const { href } = await page
    .getByRole('link', { name: 'MIT licence' })
    .evaluate((link: HTMLAnchorElement) => ({ href: link.href }));
  expect(href).toBe(`${site}LICENSE.txt`);
  expect(siteFile('LICENSE.txt').toString()).toContain('MIT License');
  await expect(page.getByRole('link', { name: 'Documentation' })).toHaveAttribute(
    'href',
    './docs/',
  );
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm i ambry');
  await expect(home.found).toHaveCount(0);
});

test('pages that need a file have samples', async ({ page, site }) => {
  await page.goto(`${site}check/index.html`);
  await page.getByRole('button', { name: 'A download that was cut off' }).click();
  await expect(page.locator('#verdict-line')).toContainText('Cut off: ', loading);
  await page.goto(`${site}convert/index.html`);
  await page.getByRole('button', { name: '400 word vectors as text' }).click();
  await expect(page.locator('#source-line')).toContainText('word2vec', loading);
  await page.goto(`${site}words/index.html`);
  await page.getByRole('button', { name: '400 word vectors as text' }).click();
  await expect(page.locator('#file-line')).toContainText('400 words', loading);
});
