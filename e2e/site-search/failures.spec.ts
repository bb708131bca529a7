// What the element `<ambry-search>` does when files of the site are missing, or the network is.
import { expect } from '../fixtures.ts';
import { violationsOf } from '../support/accessible.ts';
import { modelFile, test } from './search-box.ts';

test('a missing file is a message with a way on', async ({ box, browserErrors, searched }) => {
  browserErrors.expect(/404/);
  const words = /\/words\//;
  searched.gone.add(words);
  await box.type('lamp');
  await expect(box.message).toContainText('The site has changed since this page was opened.');
  await expect(box.live).toContainText('The site has changed');
  expect(await violationsOf(box.page)).toEqual([]);
  await box.host.getByText('Details').click();
  await expect(box.message).toContainText(/no right words\/.* \(status 404\)/);
  searched.gone.delete(words);
  await box.button('Try again').click();
  await expect(box.options.first()).toContainText('Lamps');
  await expect(box.message).toBeHidden();
});

test('a page that is still open after a deploy finds what is new', async ({
  box,
  browserErrors,
  searched,
}) => {
  browserErrors.expect(/404/);
  await box.field.hover();
  await expect.poll(() => searched.count(/\/manifest\.json$/)).toBe(1);
  await searched.write(
    'guide/rust.html',
    '<title>Rust</title><main data-ambry-filter="kind:guide"><h1>Rust</h1><p>Scrape barnacles and rust from the hull.</p></main>',
  );
  await searched.index();
  await box.type('barnacles');
  await expect(box.options.first()).toContainText('Rust');
  await box.waitForMeaning();
});

test('a page from before a deploy that has lost its scripts offers to load again', async ({
  box,
  browserErrors,
  page,
  searched,
}) => {
  browserErrors.expect(/404/);
  const scripts = /\/element\/.*\.js$/;
  searched.gone.add(scripts);
  await box.type('lamp');
  await expect(box.message).toContainText('The site has changed since this page was opened.');
  searched.gone.delete(scripts);
  await box.button('Load the page again').click();
  await expect(box.field).toHaveValue('');
  await box.type('lamp');
  await expect(box.options.first()).toContainText('Lamps');
  await expect(page).toHaveURL(searched.url);
});

test('without the model words answer, and a line says so', async ({
  box,
  browserErrors,
  searched,
}) => {
  browserErrors.expect(/404/);
  searched.gone.add(modelFile);
  await box.type('lamp');
  await expect(box.options.first()).toContainText('Lamps');
  await expect(box.status).toContainText('By words only: search by meaning did not load.');
  await box.ask('vinegar');
  await expect(box.options.first()).toContainText('Lamps');
  await expect(box.status).toContainText('By words only');
  searched.gone.clear();
  await box.button('Try again').press('Enter');
  await box.waitForMeaning();
  await expect(box.field).toBeFocused();
});

test('a model that did not load is tried again when the network is back', async ({
  box,
  browserErrors,
  page,
  searched,
}) => {
  browserErrors.expect(/404|ERR_INTERNET_DISCONNECTED/);
  searched.gone.add(modelFile);
  await box.type('sick doctors');
  await expect(box.status).toContainText('By words only');
  await expect(box.options).toHaveCount(0);
  searched.gone.clear();
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await box.waitForMeaning();
  await expect(box.options).toHaveCount(1);
});

test('a site without an index says so', async ({ box, browserErrors, searched }) => {
  browserErrors.expect(/404/);
  searched.gone.add(/manifest\.json$/);
  await box.type('lamp');
  await expect(box.message).toContainText('This site has no search index here.');
  searched.gone.clear();
  await box.button('Try again').click();
  await expect(box.options.first()).toContainText('Lamps');
});

test('without the network it says so, and goes on when it is back', async ({
  box,
  browserErrors,
  page,
  searched,
}) => {
  browserErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await box.field.hover();
  await expect.poll(() => searched.count(/\/manifest\.json$/)).toBe(1);
  await page.context().setOffline(true);
  await box.type('lamp');
  await expect(box.message).toContainText('You are offline.');
  await page.context().setOffline(false);
  await expect(box.options.first()).toBeVisible();
  await expect(box.message).toBeHidden();
  await box.waitForMeaning();
  // What was fetched answers without the network too.
  await page.context().setOffline(true);
  await box.ask('lamps');
  await expect(box.live).toHaveText(/for lamps$/);
});
