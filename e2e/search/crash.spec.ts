import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';
import { endWorkers } from '../support/end-workers.ts';

test('a worker that crashed is replaced, and the question is answered', async ({
  page,
  search,
}) => {
  await search.ask('goldfish in a bowl');
  await expect(search.results.first()).toContainText('Goldfish');
  await endWorkers(page);
  await search.query.fill('trouble falling asleep at night');
  await expect(search.results.first()).toContainText('Insomnia');
  await expect(search.alert).toBeEmpty();
});

test('if the built-in model cannot be loaded, another can be opened', async ({
  page,
  site,
  tiny,
  browserErrors,
  search,
}) => {
  browserErrors.expect(/Failed to load resource/);
  await page.route(/english-static-336\.weights$/, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${site}search/index.html`);
  await expect(search.alert).toContainText('The model was not opened');
  await expect(search.fact(search.alert, 'Code')).toHaveText('Http');
  await search.chooseModel({ name: 'tiny.weights', buffer: tiny });
  await expect(search.fact(search.index, 'Vectors')).toHaveText('166');
});
