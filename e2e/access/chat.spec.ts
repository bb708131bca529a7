// axe in every state of the chat page.
import { expect } from '../fixtures.ts';
import { ChatPage, test } from '../pages/chat-page.ts';
import { FailureMessage } from '../pages/failure.ts';
import { unfold } from '../pages/unfold.ts';
import { expectAccessible } from '../support/accessible.ts';
import { HeldRequests } from '../support/held-requests.ts';

test('while its model comes, with a story, and with one of its tokens', async ({ page, site }) => {
  const held = await HeldRequests.on(page, /\/models\//);
  const chat = new ChatPage(page, site);
  await page.goto(`${site}chat/index.html`);
  await expect.poll(() => held.count).toBeGreaterThan(0);
  await expectAccessible(page, 'the model is loading');
  await held.release();
  await expect(chat.model).toContainText('built in', { timeout: 30_000 });
  await chat.expectDone();
  await expectAccessible(page, 'a story');
  await chat.tokens.nth(4).hover();
  await expect(chat.candidates.first()).toBeVisible();
  await expectAccessible(page, 'the probabilities of a token');
});

test('a text that is being written, and one that was stopped', async ({ page, chat, site }) => {
  await chat.openAddress(`${site}models/stories.amb`);
  // Layers that are not in memory come from the address again for each token.
  await chat.limitWeights('0.3');
  const held = await HeldRequests.on(page, /\/models\/stories/);
  await chat.draft.fill('Once');
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await expect.poll(() => held.count).toBeGreaterThan(0);
  await expect(chat.stop).toBeVisible();
  await expectAccessible(page, 'the model is writing');
  await chat.stop.click();
  await held.release();
  await expect(chat.writing).toContainText(/Stopped/);
  await unfold(chat.sampling, 'More settings');
  await expectAccessible(page, 'the model was stopped');
});

test('a conversation: empty, answered, as tokens, edited and renamed', async ({ page, chat }) => {
  await chat.chooseMode('Chat');
  await expectAccessible(page, 'no message');
  const text =
    '# Fox\n\n- [x] a [link](https://a.test/)\n\n> said\n\n```js\nfox()\n```\n\n|a|b|\n|-|-|\n|c|d|';
  await chat.sayThatAnswers('Show', text);
  await chat.setSystem('Be brief.');
  await expectAccessible(page, 'an answer in Markdown');
  await chat.showAs('Tokens');
  await chat.turnButton(0, 'Edit').click();
  await chat.history.getByRole('button', { name: /^Rename/ }).click();
  await expectAccessible(page, 'tokens, a message and a title are edited');
});

test('the form of the answer, right and wrong', async ({ page, chat }) => {
  await chat.chooseMode('Chat');
  await chat.useForm('JSON Schema');
  await chat.say('What animal?');
  await expect(chat.answers.last().locator('pre')).toBeVisible();
  await expectAccessible(page, 'an answer in its form');
  await chat.useForm('Regular expression', '(a');
  await chat.draft.fill('What?');
  await chat.draft.press('Enter');
  await expect(chat.form).toContainText('is not closed');
  await expectAccessible(page, 'a wrong form');
});

test('a failure with its details, and facts of the model', async ({ page, chat }) => {
  await chat.model.getByText('About this file').click();
  await unfold(chat.model, 'Open an address');
  await unfold(chat.model, 'Which files it opens');
  await chat.choose({ name: 'bad.amb', buffer: Buffer.from('nonsense') });
  const failure = new FailureMessage(page);
  await failure.details.getByText('Details').click();
  await expectAccessible(page, 'a model was refused');
});

test('a chat template that fails', async ({ page, chat }) => {
  await chat.chooseMode('Chat');
  await chat.setSystem('You are a fox.');
  await chat.draft.fill('Who are you?');
  await chat.draft.press('Enter');
  await expect(chat.alert).toContainText('The chat template of the model failed');
  await expectAccessible(page, 'a remedy is offered');
});

test('in a second tab', async ({ context, chat, site }) => {
  await chat.chooseMode('Chat');
  await chat.say('What does a dragon eat?');
  const other = await context.newPage();
  await other.goto(`${site}chat/index.html`);
  await expect(other.locator('#tab-line')).toContainText('Another tab', { timeout: 30_000 });
  await expectAccessible(other, 'another tab has the conversation');
});
