// The second built-in model of the chat page, which follows a conversation.
import { expect } from '../fixtures.ts';
import { test } from '../pages/chat-page.ts';
import { expectAccessible } from '../support/accessible.ts';

const file = /\/models\/chat\.amb$/;

test('the chat model comes when it is asked for, and obeys the system prompt', async ({ chat }) => {
  const asked: string[] = [];
  chat.page.on('request', (request) => asked.push(request.url()));
  await chat.open();
  expect(asked.filter((url) => file.test(url))).toEqual([]);
  await chat.openChatModel();
  expect(asked.filter((url) => file.test(url))).not.toEqual([]);
  await chat.set('Temperature', '0');
  await chat.setSystem('You are Nora, a pirate.');
  expect(await chat.say('Who are you?')).toContain('I am Nora, a pirate.');
  await expect(chat.page).toHaveURL(/\burl=models%2Fchat\.amb/);
});

test('it has examples of its own, and the way back', async ({ chat }) => {
  await chat.openChatModel();
  await expectAccessible(chat.page, 'the chat model is open');
  await chat.writing.getByRole('button', { name: /^Text: The museum in Kiel/ }).click();
  await expect(chat.answers).toHaveCount(1);
  await chat.expectDone();
  await chat.model.getByRole('button', { name: 'Back to the built-in model' }).click();
  await expect(chat.model).toContainText('stories');
  await expect(chat.model.getByRole('button', { name: /^Try the chat model/ })).toBeVisible();
});
