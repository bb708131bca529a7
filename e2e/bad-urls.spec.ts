import { expect, test } from './fixtures.ts';

// Chromium itself writes failed requests to the console.
const kFailedRequest = /Failed to load resource|net::ERR_|CORS policy/;

test('a model is loaded from another address', async ({ search, mean }) => {
  await search.loadModelFrom(`${mean.origin}/good.weights`);
  await expect(search.model).toContainText('good');
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
});

const kBadAddresses = [
  ['html', /HTML/],
  ['missing', /404/],
  ['failing', /503/],
  ['dropped', /broke|cut|dropped|connection/i],
  ['closed', /other origin|CORS|not allow|reach/i],
] as const;

for (const [name, words] of kBadAddresses) {
  test(`an address that is ${name} is reported, and the page lives on`, async ({
    search,
    mean,
    complaints,
  }) => {
    complaints.expect(kFailedRequest);
    await search.loadModelFrom(`${mean.origin}/${name}.weights`);
    await expect(search.alert).toContainText('The model was not opened');
    await expect(search.fact(search.alert, 'Code')).toHaveText('Http');
    await expect(search.alert).toContainText(words);
    await search.ask('trouble falling asleep at night');
    await expect(search.results.first()).toContainText('Insomnia');
  });
}

test('a file that is too short at its address is reported as truncated', async ({
  search,
  mean,
}) => {
  await search.loadModelFrom(`${mean.origin}/short.weights`);
  await expect(search.fact(search.alert, 'Code')).toHaveText('Truncated');
});

test('nothing is asked for but the site itself', async ({ page, site, search }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.reload();
  await search.expectReady();
  await search.ask('trouble falling asleep at night');
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.filter((url) => !url.startsWith(site) && !url.startsWith('blob:'))).toEqual([]);
});
