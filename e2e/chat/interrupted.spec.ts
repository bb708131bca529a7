// An answer that a reload or a closed tab interrupts goes on in the next visit, with the same tokens.

import { languageFile } from '../../tests/web/support/files/language-file.ts';
import { expect } from '../fixtures.ts';
import { ChatPage, test } from '../pages/chat-page.ts';

/** Endless: the token that ends a text has the logit 0, and others more. */
const file = {
  name: 'endless.amb',
  buffer: Buffer.from(
    languageFile({ layers: 4, width: 256, context: 4096 }, (name, numbers) => {
      if (name === 'model.embed_tokens.weight') {
        numbers.fill(0, 257 * 256, 258 * 256);
      }
    }),
  ),
};
const length = 3500;

async function begin(chat: ChatPage): Promise<void> {
  await chat.choose(file);
  await expect(chat.model).toContainText('endless', { timeout: 20_000 });
  await chat.chooseMode('Chat');
  await chat.set('Temperature', '0');
  await chat.set('Maximum tokens', String(length));
  await chat.draft.fill('Go on!');
  await chat.draft.press('Enter');
}

/** The answer with all its tokens. */
async function wholeAnswer(chat: ChatPage): Promise<string> {
  const ended = `The token limit was reached: ${length.toLocaleString('en')} tokens`;
  await expect(chat.writing.getByText(ended)).toBeVisible({ timeout: 80_000 });
  await expect(chat.answers.last()).not.toHaveAttribute('aria-busy');
  return (await chat.answers.last().textContent()) ?? '';
}

/** Waits until the page has saved a part of the answer, which it does once a second. */
async function someText(chat: ChatPage): Promise<void> {
  await expect
    .poll(async () => ((await chat.answers.last().textContent()) ?? '').length, { timeout: 30_000 })
    .toBeGreaterThan(50);
  await chat.page.waitForTimeout(1500);
}

test('a reload interrupts an answer, and it goes on when its model is open', async ({
  page,
  chat,
}) => {
  test.slow();
  await begin(chat);
  await someText(chat);
  await page.reload();
  await expect(chat.answers).toHaveCount(1, { timeout: 30_000 });
  const partial = (await chat.answers.last().textContent()) ?? '';
  expect(partial.length).toBeGreaterThan(0);
  await expect(chat.model).toContainText('built in', { timeout: 30_000 });
  await expect(chat.status).toContainText('It goes on when you open endless');
  await chat.choose(file);
  const resumed = await wholeAnswer(chat);
  await chat.history.getByRole('button', { name: 'New conversation' }).click();
  await chat.draft.fill('Go on!');
  await chat.draft.press('Enter');
  expect(resumed).toBe(await wholeAnswer(chat));
});

test('a tab that is killed loses nothing', async ({ page, chat, context, site }) => {
  test.slow();
  await begin(chat);
  await someText(chat);
  // The browser ends the process of the tab, so the page hears nothing of it.
  await page.goto('chrome://crash').catch(() => undefined);
  const next = await context.newPage();
  const again = new ChatPage(next, site);
  await again.goto('');
  await expect(again.answers).toHaveCount(1, { timeout: 30_000 });
  await again.choose(file);
  const resumed = await wholeAnswer(again);
  expect(resumed.length).toBeGreaterThan(length / 2);
});
