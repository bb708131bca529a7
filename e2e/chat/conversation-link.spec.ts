// Links to conversations: what is said is in the part behind the #. Opening one shows it and runs nothing.
import type { Page } from '@playwright/test';
import { packText } from '../../web/demo/shared/base/pack-text.ts';
import { expect } from '../fixtures.ts';
import { ChatPage, test } from '../pages/chat-page.ts';
import { chooseShare } from '../support/share.ts';

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const copy = (page: Page, what: string): Promise<void> => chooseShare(page, `Copy ${what}`);
const linkTo = async (site: string, ...texts: readonly string[]): Promise<string> => {
  const messages = texts.map((content, i) => ({ role: i % 2 ? 'assistant' : 'user', content }));
  const packed = await packText(JSON.stringify({ version: 1, messages }));
  return `${site}chat/index.html?mode=chat#conversation=${packed}`;
};

test('a conversation is copied as a link, and shown by it', async ({
  page,
  chat,
  browser,
  site,
}) => {
  await chat.chooseMode('Chat');
  const answer = await chat.say('Who are you?');
  await copy(page, 'link');
  await expect(chat.status).toContainText('The messages of a chat are not in the link.');
  expect(await copied(page)).not.toContain('#');
  await copy(page, 'link to this conversation');
  await expect(chat.status).toContainText('All of its messages are in the link');
  const link = await copied(page);
  expect(link).toMatch(/\?mode=chat#conversation=[\w-]+$/);

  const other = await browser.newContext();
  const opened = new ChatPage(await other.newPage(), site);
  await opened.page.goto(link);
  await expect(opened.status).toContainText('This conversation came with the link.');
  await expect(opened.answers).toHaveText([answer]);
  await expect(opened.conversations).toHaveCount(0);
  await opened.page.reload();
  await expect(opened.answers).toHaveText([answer]);
  await opened.expectChat();
  await opened.say('What does a dragon eat?');
  await expect(opened.answers).toHaveCount(2);
  await expect(opened.conversations).toHaveCount(1);
  expect(new URL(opened.page.url()).hash).toBe('');
  await other.close();
});

test('what a link brings is text, and the model does not answer it', async ({
  page,
  chat,
  site,
}) => {
  const hostile = '<img src=x onerror="document.title=\'run\'"> [x](javascript:alert(1))';
  await page.goto(await linkTo(site, hostile, hostile, 'And now?'));
  await expect(chat.status).toContainText('This conversation came with the link.');
  await expect(chat.answers).toHaveCount(1);
  await expect(page.locator('main img, main a[href^="javascript"]')).toHaveCount(0);
  await expect(page).not.toHaveTitle('run');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeHidden();
});

test('a conversation that is too long for a link is copied as a text', async ({
  page,
  chat,
  site,
}) => {
  await page.goto(await linkTo(site, 'Hi'));
  await expect(chat.status).toContainText('came with the link');
  const noise = Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 65_537).toString(36));
  await chat.setSystem(noise.join(' '));
  await copy(page, 'link to this conversation');
  await expect(chat.status).toContainText('too long for a link');
  await copy(page, 'as Markdown');
  await expect(chat.status).toHaveText('Copied 1 message as Markdown.');
  expect(await copied(page)).toBe('**You**\n\nHi\n');
});

test('a damaged conversation is refused, and the page works', async ({ page, chat, site }) => {
  await page.goto(`${site}chat/index.html?mode=chat#conversation=AAAA`);
  await expect(chat.alert).toContainText('The conversation in this link is damaged');
  await chat.chooseMode('Chat');
  await chat.expectChat();
  await chat.say('Who are you?');
});
