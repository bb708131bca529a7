// Answers as Markdown on the chat page. A grammar has the model write the text.

import { expect } from '../fixtures.ts';
import { test } from '../pages/chat-page.ts';

test.beforeEach(async ({ chat }) => {
  await chat.chooseMode('Chat');
});

test('an answer is shown as Markdown', async ({ chat }) => {
  await chat.sayThatAnswers('Show', '# Fox\n\nA **red** fox:\n\n1. one\n2. two\n\n> said');
  const answer = chat.answers.last();
  await expect(answer.getByRole('heading', { level: 3, name: 'Fox' })).toBeVisible();
  await expect(answer.locator('strong')).toHaveText('red');
  await expect(answer.getByRole('listitem')).toHaveText(['one', 'two']);
  await expect(answer.locator('blockquote')).toHaveText('said');
});

test('a block of code has a button that copies it', async ({ chat, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.sayThatAnswers('Show', '```js\nlet a = "b";\n```');
  const answer = chat.answers.last();
  await expect(answer.locator('pre')).toHaveText('let a = "b";');
  await expect(answer).toContainText('js');
  await answer.getByRole('button', { name: 'Copy code' }).click();
  await expect(answer.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await chat.page.evaluate(() => navigator.clipboard.readText())).toBe('let a = "b";');
});

test('raw HTML is text, pictures are not loaded, and only safe links can be followed', async ({
  chat,
}) => {
  const asked: string[] = [];
  chat.page.on('request', (request) => asked.push(request.url()));
  const text =
    '<b>x</b> ![pic](https://a.test/p.png) [ok](https://b.test/) [bad](javascript:alert(1))';
  await chat.sayThatAnswers('Show', text);
  const answer = chat.answers.last();
  await expect(answer).toContainText('<b>x</b>');
  await expect(answer.locator('b, img, script, iframe')).toHaveCount(0);
  const links = answer.getByRole('link');
  await expect(links).toHaveText(['pic', 'ok']);
  await expect(links.last()).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(links.last()).toHaveAttribute('href', 'https://b.test/');
  expect(asked.filter((url) => url.includes('.test'))).toEqual([]);
});

test('the same answer is shown as tokens, with their probabilities', async ({ chat }) => {
  await chat.useForm('Free text');
  const answer = await chat.say('What does a dragon eat?');
  await expect(chat.tokens).toHaveCount(0);
  await expect(chat.token).toBeHidden();
  await chat.showAs('Tokens');
  await expect(chat.answers.last()).toHaveText(answer);
  await chat.tokens.nth(1).hover();
  await expect(chat.candidates.first()).toBeVisible();
  await chat.writing.getByRole('group', { name: 'Conversation: the arrow keys' }).focus();
  await chat.page.keyboard.press('Home');
  await expect(chat.tokens.first()).toHaveClass(/selected/);
  await chat.showAs('Markdown');
  await expect(chat.token).toBeHidden();
  await expect(chat.answers.last()).toHaveText(answer);
});
