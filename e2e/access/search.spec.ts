// axe in every state of the search page, and its animations.
import { expect } from '../fixtures.ts';
import { FailureMessage } from '../pages/failure.ts';
import { SearchPage, test } from '../pages/search-page.ts';
import { unfold } from '../pages/unfold.ts';
import { expectAccessible } from '../support/accessible.ts';
import { HeldRequests } from '../support/held-requests.ts';
import { showPrograms } from '../support/share.ts';

const named = (name: string, text: string) => ({ name, buffer: Buffer.from(text) });

test('while its model comes, and when it is ready', async ({ page, site }) => {
  const held = await HeldRequests.on(page, /\/models\//);
  const search = new SearchPage(page, site);
  await page.goto(`${site}search/index.html`);
  await expect(search.progress).toBeVisible();
  await expectAccessible(page, 'the model is loading');
  await held.release();
  await search.expectReady();
  await expectAccessible(page, 'nothing is asked');
});

test('answers, with everything unfolded', async ({ page, search }) => {
  const goldfish = 'Goldfish do badly in a bowl: they need a tank.';
  const lines = `${JSON.stringify(goldfish.replace(':', ','))}\n"Bowls are for soup."\n`;
  await search.addDocuments(named('fish.txt', goldfish), named('more.jsonl', lines));
  await expect(search.documents).toContainText('3 passages');
  await search.ask('goldfish in a bowl');
  const first = search.results.first();
  await expect(first.locator('.closeness')).toBeVisible();
  await expectAccessible(page, 'answers');
  await search.pickSource('more.jsonl');
  await search.pickSource('fish.txt');
  await first.getByText('1 more like this').click();
  await first.getByText('Contribution of each word piece').click();
  await expect(first.locator('.piece').first()).toBeVisible();
  await showPrograms(page);
  await expect(page.locator('.share pre').first()).toBeVisible();
  await search.rankBy('Meaning and words');
  await expect(search.saved).toBeVisible();
  await expectAccessible(page, 'answers from two sources, unfolded');
});

test('each of its menus, open', async ({ page, search }) => {
  await search.ask('trouble falling asleep at night');
  await expect(search.results.first().locator('.closeness')).toBeVisible();
  for (const name of ['Ranking', 'Sources']) {
    await page.locator('summary').filter({ hasText: name }).click();
    await expectAccessible(page, `the menu ${name}`);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Share' })).toBeVisible();
  await expectAccessible(page, 'the menu Share');
});

test('nothing close', async ({ page, search }) => {
  await search.ask('zxqv wvkj');
  await expect(page.locator('#nothing-close')).toBeVisible();
  await expectAccessible(page, 'nothing is close');
});

test('a failure with its details, and the folds of the panels', async ({ page, search }) => {
  const failure = new FailureMessage(page);
  await search.ask('trouble falling asleep at night');
  await search.chooseModel(named('bad.weights', 'nonsense'));
  await failure.details.getByText('Details').click();
  await unfold(search.documents, 'Paste text');
  await expectAccessible(page, 'a model was refused');
});

test('the map, while it is made, and with a passage and its groups', async ({ page, search }) => {
  const held = await HeldRequests.on(page, /vectors-[^/]*\.wasm$/);
  await page.getByText('Map of all passages', { exact: true }).click();
  await expect(page.getByRole('progressbar', { name: 'Making the map' })).toBeVisible();
  await expectAccessible(page, 'the map is being made');
  await held.release();
  await expect(search.mapLine).toContainText('similar meaning', { timeout: 30_000 });
  await search.ask('trouble falling asleep at night');
  await page.getByText(/^Groups of the map/).click();
  await search.map.frame.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(search.mapPassage).toBeVisible();
  await expectAccessible(page, 'a passage of the map');
});

test('no documents, and documents that wait', async ({ page, search }) => {
  await page.getByRole('button', { name: 'Remove Everyday notes' }).click();
  await expect(search.documents).toContainText('None yet');
  await expectAccessible(page, 'no documents');
  const lines = Array.from(
    { length: 12_000 },
    (_, n) => `{"text":"Line ${n} about ${n % 97} ships."}`,
  );
  await search.addDocuments(named('book.jsonl', lines.join('\n')));
  await expect(search.documents).toContainText(/book\.jsonl[1-9][\d,]* of 12,000/, {
    timeout: 40_000,
  });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(search.documents.getByRole('button', { name: 'Continue indexing' })).toBeVisible();
  await expectAccessible(page, 'indexing was cancelled');
});

test('in a second tab', async ({ context, page, search, site }) => {
  await search.indexDocuments(named('wax.txt', 'Candles are made of wax.'));
  await expect(search.saved).toBeVisible();
  const other = new SearchPage(await context.newPage(), site);
  await other.open();
  await expect(other.page.locator('#tab-line')).toContainText('What you add here is lost');
  await expectAccessible(other.page, 'another tab saves');
  await expect(page.locator('#tab-line')).toBeEmpty();
});

test('where the browser keeps nothing', async ({ page, site }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator.storage, 'getDirectory', {
      value: () => Promise.reject(new DOMException('denied', 'SecurityError')),
    });
  });
  const search = new SearchPage(page, site);
  await search.open();
  await search.addDocuments(named('wax.txt', 'Candles are made of wax.'));
  await expect(search.saved).toContainText('does not let the page save data');
  await expectAccessible(page, 'nothing is kept');
});

test('animations are off if the user prefers reduced motion', async ({ page, search }) => {
  const durationWith = async (reducedMotion: 'reduce' | 'no-preference'): Promise<string> => {
    await page.emulateMedia({ reducedMotion });
    const button = search.index.getByRole('button', { name: 'Export' });
    return button.evaluate((node) => getComputedStyle(node).transitionDuration);
  };
  expect(await durationWith('no-preference')).not.toBe('0s');
  expect(await durationWith('reduce')).toBe('0s');
});
