// On a phone, the first result is on the first screen once something is asked, and the search page says when nothing is close.
import type { Locator, Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { ChatPage } from '../pages/chat-page.ts';
import { ClassifyPage } from '../pages/classify-page.ts';
import { SearchPage, test } from '../pages/search-page.ts';
import { WordsPage } from '../pages/words-page.ts';

const phone = { width: 390, height: 844 };

/** Where the element is on the screen. */
async function placeOf(element: Locator): Promise<{ top: number; bottom: number }> {
  await expect(element).toBeVisible();
  return element.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return { top, bottom };
  });
}

async function expectOnScreen(element: Locator): Promise<void> {
  const { top, bottom } = await placeOf(element);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(bottom).toBeLessThanOrEqual(phone.height);
}

/** Whether an element beside the page itself can be scrolled up and down. */
const scrollers = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((node) => {
        const { overflowY } = getComputedStyle(node);
        const scrolls = overflowY === 'auto' || overflowY === 'scroll';
        return scrolls && node.tagName !== 'TEXTAREA' && node.scrollHeight > node.clientHeight + 1;
      })
      .map((node) => `${node.tagName}.${node.className}`),
  );

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true });

  test('a question shows its first result', async ({ page, site }) => {
    const search = new SearchPage(page, site);
    await search.open();
    await search.ask('goldfish in a bowl');
    await expect(search.results.first().locator('.closeness')).toBeVisible();
    await expectOnScreen(search.results.first());
    await expect(search.query).toBeFocused();
    expect(await scrollers(page)).toEqual([]);
  });

  test('a word shows its nearest words', async ({ page, site }) => {
    const words = new WordsPage(page, site);
    await words.open();
    await words.lookUp('violin');
    await expectOnScreen(words.answer);
    await expectOnScreen(words.neighbours.first());
    expect(await scrollers(page)).toEqual([]);
  });

  test('a text shows what the model writes', async ({ page, site }) => {
    const chat = new ChatPage(page, site);
    await chat.open();
    await chat.draft.fill('The old robot');
    const button = page.getByRole('button', { name: 'Write', exact: true });
    await button.click();
    await expect(chat.tokens.nth(3)).toBeVisible();
    await expectOnScreen(chat.tokens.first());
    await chat.expectDone();
    await expectOnScreen(chat.tokens.first());
    expect(await scrollers(page)).toEqual([]);
  });

  test('a message shows its answer', async ({ page, site }) => {
    const chat = new ChatPage(page, site);
    await chat.open();
    await chat.chooseMode('Chat');
    for (const message of ['Who are you?', 'What does a dragon eat?', 'How do I make soup?']) {
      await chat.say(message);
      await expectOnScreen(chat.answers.last());
      await expect(chat.draft).toBeFocused();
    }
  });

  test('a drawing shows its answer', async ({ page, site }) => {
    const classify = new ClassifyPage(page, site);
    await classify.open();
    await expectOnScreen(classify.answer);
    await classify.clear();
    await classify.stroke([0.5, 0.15], [0.5, 0.85]);
    await expect(classify.answer).toContainText('This looks like 1');
    await expectOnScreen(classify.answer);
  });
});

test('words answer while the model is not there yet', async ({ page, site }) => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.context().route('**/english-static-336.weights', async (route) => {
    await held;
    await route.continue();
  });
  const search = new SearchPage(page, site);
  await page.goto(`${site}search/index.html?q=stop+hicups`);
  await expect(search.status).toHaveText(/^Best \d by words\. Meaning follows/);
  await expect(search.results.first()).toContainText('Hiccups usually end by themselves');
  release();
  await expect(search.status).toHaveText(/^Best \d of 166 passages/);
  await expect(search.results.first()).toContainText('Hiccups usually end by themselves');
  await page.getByRole('button', { name: 'stop hiccups' }).click();
  await expect(search.query).toHaveValue('stop hiccups');
});

test.describe('closeness', () => {
  test('nonsense has nothing close, and says so', async ({ page, search }) => {
    const line = page.locator('#nothing-close');
    for (const nonsense of ['zzxxqq', 'asdf qwer']) {
      await search.ask(nonsense);
      await expect(line).toContainText(`Nothing close to “${nonsense}”`);
      await expect(search.status).toContainText('Nothing is close.');
    }
    await search.ask('goldfish in a bowl');
    await expect(line).toBeHidden();
    await expect(search.status).not.toContainText('Nothing is close');
    await expect(search.results.first().locator('.closeness')).toHaveText('very close');
    await expect(search.results.first().locator('.result-score')).toContainText(/0\.[56]/);
  });

  test('the examples of the page have close answers', async ({ page, search }) => {
    const examples = page.getByRole('group', { name: 'Example questions' }).getByRole('button');
    for (const example of await examples.all()) {
      await example.click();
      await expect(search.results.first().locator('.closeness')).toHaveText(/^(very )?close$/);
    }
  });

  test('is told by the words of word vectors', async ({ page, site }) => {
    const search = new SearchPage(page, site);
    await search.open('?url=models%2Fbooks-96.fifu');
    await search.ask('blorf gnarp snizzle');
    await expect(page.locator('#nothing-close')).toBeVisible();
    await search.ask('soup is too salty');
    await expect(search.results.first()).toContainText('When a soup tastes too salty');
    await expect(search.results.first().locator('.closeness')).toHaveText(/^(very )?close$/);
    await expect(page.locator('#nothing-close')).toBeHidden();
  });

  test('is measured again for other documents', async ({ page, search }) => {
    await search.ask('zzxxqq');
    await expect(page.locator('#nothing-close')).toBeVisible();
    await search.indexDocuments({
      name: 'odd.txt',
      buffer: Buffer.from('The zzxxqq is a beetle.'),
    });
    await search.ask('zzxxqq');
    await expect(search.results.first()).toContainText('beetle');
    await expect(search.results.first().locator('.closeness')).toHaveText(/close|weak/);
    await expect(page.locator('#nothing-close')).toBeHidden();
  });
});
