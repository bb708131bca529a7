// The search box of an index that is made without options: vectors of words give queries their meaning, and no model is there.
import { expect } from '../fixtures.ts';
import { SearchedSite } from '../support/searched-site.ts';
import { test as base, modelFile } from './search-box.ts';

const test = base.extend({
  searched: async ({ page }, use) => {
    const site = await SearchedSite.start(undefined, 'words');
    await use(site);
    await page.goto('about:blank');
    await site.close();
  },
});

test('words and meaning answer together, without a model and without WebAssembly', async ({
  box,
  searched,
}) => {
  await box.type('lamp');
  await box.waitForMeaning();
  await expect(box.options.first()).toContainText('Lamps');
  await expect(box.marks.first()).toHaveText(/^lamps?$/i);
  // No page has one of these words.
  await box.ask('sick doctors');
  await expect(box.options.first()).toContainText('the physician comes by boat');
  await box.waitForMeaning();
  await expect(box.status).not.toContainText('Loading');
  expect(searched.count(modelFile)).toBe(0);
  expect(searched.count(/\.wasm$|worker/)).toBe(0);
  expect(searched.count(/\/related\//)).toBeGreaterThan(0);
});

test('a query on another subject finds nothing', async ({ box }) => {
  await box.type('qwertyuiop zxcvb ');
  await expect(box.message).toContainText('Nothing');
  await expect(box.options).toHaveCount(0);
});

test('a new index answers a page that is still open', async ({ box, browserErrors, searched }) => {
  browserErrors.expect(/404/);
  await box.type('lamp');
  await box.waitForMeaning();
  await searched.write(
    'guide/boats.html',
    '<title>Boats</title><main><h1>Boats</h1><p>The cutter has a mainsail.</p></main>',
  );
  await searched.index();
  await box.ask('cutter');
  await expect(box.options.first()).toContainText('Boats');
  await box.waitForMeaning();
});
