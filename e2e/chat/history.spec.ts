// Conversations that the chat page keeps in the browser.

import { readFile } from 'node:fs/promises';
import { expect } from '../fixtures.ts';
import { test } from '../pages/chat-page.ts';
import { addConversations } from '../support/saved-conversations.ts';

const storiesFile = new URL('../../web/demo/public/models/stories.amb', import.meta.url);

test.beforeEach(async ({ chat }) => {
  await chat.chooseMode('Chat');
  await chat.keepSeed(7);
});

test('a conversation survives a reload, with its settings and the name of the model', async ({
  page,
  chat,
}) => {
  await chat.set('Temperature', '0.5');
  const answer = await chat.say('What does a dragon eat?');
  await expect(chat.conversations).toHaveText(['What does a dragon eat?']);
  await page.reload();
  await expect(chat.answers).toHaveText(answer, { timeout: 30_000 });
  await expect(chat.turns.last()).toContainText('stories ·');
  await expect(chat.sampling.getByLabel('Temperature')).toHaveValue('0.5');
  await expect(chat.sampling.getByLabel('Seed', { exact: true })).toHaveValue('7');
  await expect(chat.model).toContainText('built in');
  await chat.showAs('Tokens');
  await expect(chat.turns.last()).toContainText('probabilities are not kept');
  await expect(chat.answers).toHaveText(answer);
  await chat.showAs('Markdown');
  await chat.say('Who are you?');
  await expect(chat.turns).toHaveCount(4);
  await expect(chat.conversations).toHaveCount(1);
  await expect(
    chat.history.getByRole('button', { name: /Delete all \([\d.]+ k?B\)/ }),
  ).toBeVisible();
});

test('conversations are opened, renamed and deleted', async ({ page, chat }) => {
  page.on('dialog', (dialog) => void dialog.accept());
  const first = await chat.say('What does a dragon eat?');
  await chat.history.getByRole('button', { name: 'New conversation' }).click();
  await expect(chat.turns).toHaveCount(0);
  await chat.say('Who are you?');
  await expect(chat.conversations).toHaveText(['Who are you?', 'What does a dragon eat?']);
  await chat.conversations.nth(1).click();
  await expect(chat.answers).toHaveText([first]);
  await expect(chat.conversations.nth(1)).toHaveAttribute('aria-current', 'true');
  await chat.history.getByRole('button', { name: 'Rename “What does a dragon eat?”' }).click();
  await chat.history.getByLabel('New title').fill('Cats');
  await page.keyboard.press('Escape');
  await expect(chat.conversations).toHaveText(['Who are you?', 'What does a dragon eat?']);
  await chat.history.getByRole('button', { name: 'Rename “What does a dragon eat?”' }).click();
  await chat.history.getByLabel('New title').fill('Dragons');
  await page.keyboard.press('Enter');
  await expect(chat.conversations).toHaveText(['Who are you?', 'Dragons']);
  await chat.say('Who are you?');
  await expect(chat.conversations.first()).toHaveText('Dragons');
  await chat.history.getByRole('button', { name: 'Delete “Dragons”' }).click();
  await expect(chat.conversations).toHaveText(['Who are you?']);
  await expect(chat.turns).toHaveCount(0);
  await chat.say('How do I make soup?');
  await expect(chat.conversations).toHaveCount(2);
  await chat.history.getByRole('button', { name: /^Delete all/ }).click();
  await expect(chat.conversations).toHaveCount(0);
  await expect(chat.turns).toHaveCount(0);
  await page.reload();
  await chat.expectChat();
  await expect(chat.history).toContainText('kept in this browser only');
});

test('of many conversations the newest are listed, and always the open one', async ({
  page,
  chat,
}) => {
  const open = 'What does a dragon eat?';
  await chat.say(open);
  const titles = Array.from({ length: 30 }, (_, i) => `Talk ${i}`);
  const saved = titles.map((title) => ({ title, question: 'Hello', answer: 'Good day' }));
  await addConversations(page, saved);
  await page.reload();
  await chat.expectChat();
  const newest = titles.toReversed();
  await expect(chat.conversations).toHaveText([...newest.slice(0, 10), open]);
  await expect(chat.conversations.last()).toHaveAttribute('aria-current', 'true');
  await chat.history.getByRole('button', { name: 'Show all 31 conversations' }).press('Enter');
  await expect(chat.conversations).toHaveText([...newest, open]);
  await chat.history.getByRole('button', { name: 'Show the first 10 only' }).press('Enter');
  await expect(chat.conversations).toHaveText([...newest.slice(0, 10), open]);
});

test('an answer that is left for a new conversation is kept as far as it came', async ({
  page,
  chat,
}) => {
  await chat.choose({ name: 'slow.amb', buffer: await readFile(storiesFile) });
  await chat.limitWeights('0.3');
  await chat.set('Maximum tokens', '1000');
  await chat.useForm('Regular expression', '[a-z ]{2000}');
  await page.evaluate(() => {
    const begin = document.querySelector<HTMLButtonElement>('#new-conversation');
    const observer = new MutationObserver(() => {
      if (document.querySelector('.turn.model') !== null) {
        observer.disconnect();
        begin?.click();
      }
    });
    observer.observe(document.querySelector('#turns') as Element, { childList: true });
  });
  await chat.draft.fill('Tell me a story.');
  await chat.draft.press('Enter');
  await expect(chat.turns).toHaveCount(0);
  await chat.conversations.first().click();
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.answers).not.toBeEmpty();
});

test('two tabs do not overwrite each other', async ({ page, chat, site, context }) => {
  await chat.say('What does a dragon eat?');
  const other = await context.newPage();
  await other.goto(`${site}chat/index.html`);
  const answers = other.locator('.turn.model .turn-text');
  await expect(answers).toHaveCount(1, { timeout: 30_000 });
  await chat.say('Who are you?');
  const field = other.getByLabel('Your message');
  await expect(other.getByRole('button', { name: 'Send' })).toBeEnabled();
  await field.fill('How do I make soup?');
  await field.press('Enter');
  await expect(answers).toHaveCount(2);
  await expect(other.locator('#status')).toContainText('goes on with a copy');
  await expect(other.locator('.conversation-title')).toHaveCount(2);
  await page.reload();
  await expect(chat.conversations).toHaveCount(2, { timeout: 30_000 });
});

test('nothing is lost on the page where the browser keeps nothing', async ({ page, chat }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'indexedDB', {
      value: {
        open() {
          throw new DOMException('A mutation operation was attempted.', 'InvalidStateError');
        },
      },
    });
  });
  await page.reload();
  await chat.expectChat();
  await chat.keepSeed(7);
  const answer = await chat.say('What does a dragon eat?');
  await expect(chat.history).toContainText('does not let the page save conversations');
  await chat.history.getByRole('button', { name: 'New conversation' }).click();
  await chat.say('Who are you?');
  await chat.conversations.nth(1).click();
  await expect(chat.answers).toHaveText([answer]);
});

test('a full disk is told plainly, and a later save brings everything', async ({ page, chat }) => {
  await chat.say('What does a dragon eat?');
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    let isFull = true;
    Object.assign(globalThis, {
      freeSpace: () => {
        isFull = false;
      },
    });
    IDBObjectStore.prototype.put = function (...given: Parameters<typeof put>) {
      if (isFull) {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      }
      return put.apply(this, given);
    };
  });
  await chat.say('Who are you?');
  await expect(chat.history).toContainText('no space left');
  await expect(chat.turns).toHaveCount(4);
  await page.evaluate(() => (globalThis as unknown as { freeSpace(): void }).freeSpace());
  await chat.say('How do I make soup?');
  await expect(chat.history).not.toContainText('no space left');
  await page.reload();
  await expect(chat.turns).toHaveCount(6, { timeout: 30_000 });
});

for (const [name, answer] of [
  ['100,000 quotes', '>'.repeat(100_000)],
  ['100,000 brackets', '['.repeat(100_000)],
  [
    'a table of 64,000,000 cells',
    `${'|a'.repeat(8000)}\n${'|-'.repeat(8000)}\n${'|\n'.repeat(8000)}`,
  ],
] as const) {
  test(`a hostile answer of ${name} is shown as it is, and the page stays alive`, async ({
    page,
    chat,
  }) => {
    await addConversations(page, [{ title: name, question: 'Hello', answer }]);
    await page.reload();
    await chat.expectChat();
    await chat.conversations.first().click();
    const shown = chat.answers.first();
    await expect(shown).not.toHaveAttribute('aria-busy');
    expect((await shown.textContent())?.length).toBe(answer.length);
    await chat.history.getByRole('button', { name: 'New conversation' }).click();
    await chat.sayThatAnswers('Show', '**bold**');
    await expect(chat.answers.last().locator('strong')).toHaveText('bold');
  });
}

test('a damaged record is reported and the page stays as it was', async ({ page, chat }) => {
  const answer = await chat.say('What does a dragon eat?');
  const damaged = 5 as unknown as string;
  await addConversations(page, [{ title: 'damaged', question: 'Hello', answer: damaged }]);
  await chat.history.getByRole('button', { name: 'New conversation' }).click();
  await chat.say('Who are you?');
  await chat.conversations.filter({ hasText: 'damaged' }).click();
  await expect(chat.status).toContainText('its record is damaged');
  await chat.conversations.filter({ hasText: 'dragon' }).click();
  await expect(chat.answers).toHaveText([answer]);
});

test('nothing is sent anywhere', async ({ page, chat, site }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' || !request.url().startsWith(site)) {
      asked.push(request.url());
    }
  });
  await chat.say('What does a dragon eat?');
  await page.reload();
  await expect(chat.answers).toHaveCount(1, { timeout: 30_000 });
  expect(asked).toEqual([]);
});
