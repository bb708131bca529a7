import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';

// Chromium writes failed requests to the console.
const failedRequest = /Failed to load resource|net::ERR_|CORS policy/;

test('a model is loaded from another address', async ({ search, faulty }) => {
  await search.loadModelFrom(`${faulty.origin}/good.weights`);
  await expect(search.model).toContainText('good');
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
});

const badAddresses = [
  ['html', /HTML/],
  ['missing', /404/],
  ['failing', /503/],
  ['dropped', /broke|cut|dropped|connection/i],
  ['closed', /other origin|CORS|not allow|reach/i],
] as const;

for (const [name, words] of badAddresses) {
  test(`an address with the fault "${name}" is reported, and the page still works`, async ({
    search,
    faulty,
    browserErrors,
  }) => {
    browserErrors.expect(failedRequest);
    await search.loadModelFrom(`${faulty.origin}/${name}.weights`);
    await expect(search.alert).toContainText('The model was not opened');
    await expect(search.fact(search.alert, 'Code')).toHaveText('Http');
    await expect(search.alert).toContainText(words);
    await search.ask('trouble falling asleep at night');
    await expect(search.results.first()).toContainText('Insomnia');
  });
}

test('an incomplete file at an address is reported as truncated', async ({ search, faulty }) => {
  await search.loadModelFrom(`${faulty.origin}/short.weights`);
  await expect(search.fact(search.alert, 'Code')).toHaveText('Truncated');
});

test('the page sends requests only to its own site', async ({ page, site, search }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.reload();
  await search.expectReady();
  await search.ask('trouble falling asleep at night');
  expect(requested.length).toBeGreaterThan(3);
  expect(requested.filter((url) => !url.startsWith(site) && !url.startsWith('blob:'))).toEqual([]);
});
