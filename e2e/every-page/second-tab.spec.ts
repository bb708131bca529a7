// Two tabs with the same saved data: the second says what it cannot keep, and takes over from the first.

import { mergeTests } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { ChatPage, test as chatTest } from '../pages/chat-page.ts';
import { SearchPage, test as searchTest } from '../pages/search-page.ts';

const test = mergeTests(chatTest, searchTest);

const text = (name: string, content: string) => ({ name, buffer: Buffer.from(content) });
const harbour = text('harbour.txt', 'The ferry leaves the harbour at six in the evening.');
const wax = text('wax.txt', 'Candles are made of wax from bees.');
const soup = text('soup.txt', 'Onion soup needs an hour on the stove.');

test('a second tab of the search page says what it cannot keep, before anything is added', async ({
  context,
  page,
  search,
  site,
}) => {
  await search.indexDocuments(harbour);
  await expect(search.saved).toBeVisible();
  const other = new SearchPage(await context.newPage(), site);
  await other.open();
  const line = other.page.locator('#tab-line');
  await expect(line).toContainText('What you add here is lost');
  await expect(page.locator('#tab-line')).toBeEmpty();
});

test('when the first tab is closed, the second saves the documents of both', async ({
  context,
  page,
  search,
  site,
}) => {
  await search.indexDocuments(harbour);
  const other = new SearchPage(await context.newPage(), site);
  await other.open();
  const line = other.page.locator('#tab-line');
  await expect(line).not.toBeEmpty();
  await other.addDocuments(wax);
  await expect(other.documents).toContainText('wax.txt');
  await search.indexDocuments(soup);
  await page.close();
  await expect(line).toBeEmpty();
  await expect(other.status).toContainText('The other tab is closed.');
  await other.reload();
  for (const { name } of [harbour, wax, soup]) {
    await expect(other.documents).toContainText(name, { timeout: 30_000 });
  }
  await expect(line).toBeEmpty();
});

test('a second tab of a conversation says so, and shows what the first has said', async ({
  context,
  page,
  chat,
  site,
}) => {
  await chat.chooseMode('Chat');
  await chat.say('What does a dragon eat?');
  const other = new ChatPage(await context.newPage(), site);
  await other.page.goto(`${site}chat/index.html`);
  const line = other.page.locator('#tab-line');
  await expect(other.answers).toHaveCount(1, { timeout: 30_000 });
  await expect(line).toContainText('Another tab has this conversation open.');
  await chat.say('Who are you?');
  await page.close();
  await expect(line).toBeEmpty();
  await expect(other.answers).toHaveCount(2);
});

test('two tabs with two conversations say nothing', async ({ context, chat, site }) => {
  await chat.chooseMode('Chat');
  await chat.say('What does a dragon eat?');
  const other = new ChatPage(await context.newPage(), site);
  await other.page.goto(`${site}chat/index.html`);
  const line = other.page.locator('#tab-line');
  await expect(line).not.toBeEmpty({ timeout: 30_000 });
  await other.history.getByRole('button', { name: 'New conversation' }).click();
  await expect(line).toBeEmpty();
});
