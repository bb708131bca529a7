// A conversation on the chat page: the system prompt, other answers, edited messages, and what can go wrong.

import { readFile } from 'node:fs/promises';
import { open } from 'ambry';
import { ambFile } from '../../tests/web/support/files/amb-file.ts';
import { chainFile } from '../../tests/web/support/files/chain-file.ts';
import { expect } from '../fixtures.ts';
import { test } from '../pages/chat-page.ts';
import { expectAccessible } from '../support/accessible.ts';
import { endWorkers } from '../support/end-workers.ts';
import { excessWidth, smallTargets } from '../support/layout.ts';

const storiesFile = new URL('../../web/demo/public/models/stories.amb', import.meta.url);

/** The built-in model with another check in its chat template, of the same length. */
async function storiesWith(check: string): Promise<Buffer> {
  const bytes = await readFile(storiesFile);
  const old = "message['role'] not in ['user', 'assistant']";
  const at = bytes.indexOf(old);
  expect(at).toBeGreaterThan(0);
  bytes.write(check.padEnd(old.length), at);
  return bytes;
}

/** A model whose template takes system prompts. */
const withSystem = () => storiesWith("message['role'] == 'nobody'");

test.beforeEach(async ({ chat }) => {
  await chat.chooseMode('Chat');
  await chat.keepSeed(7);
});

test('the system prompt comes first, and changing it keeps the messages', async ({ chat }) => {
  await chat.choose({ name: 'with-system.amb', buffer: await withSystem() });
  await expect(chat.model).toContainText('with-system');
  await chat.setSystem('You are a dragon.');
  const question = 'What does a dragon eat?';
  const answer = await chat.say(question);
  await chat.setSystem('You are a fox.');
  await expect(chat.turns).toHaveCount(2);
  const next = await chat.say('Who are you?');
  const model = await open(await withSystem(), { kind: 'generator', deterministic: true });
  const messages = [
    { role: 'system', content: 'You are a fox.' },
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
    { role: 'user', content: 'Who are you?' },
  ];
  const options = { seed: 7, temperature: 0.8, topP: 0.9, maxTokens: 200 };
  expect(next).toBe((await model.generate({ messages }, options).result).text);
  await model.dispose();
  await expect(chat.writing).toContainText(/system prompt \d+, conversation \d+/);
});

test('a template that raises is reported, and the message can be sent without the system prompt', async ({
  chat,
}) => {
  await chat.setSystem('You are a fox.');
  await chat.draft.fill('Who are you?');
  await chat.draft.press('Enter');
  await expect(chat.alert).toContainText('The chat template of the model failed');
  await expect(chat.alert).toContainText('This model knows user and assistant only');
  await expect(chat.alert).toContainText('chatTemplate');
  await chat.alert.getByRole('button', { name: 'Send without the system prompt' }).click();
  await chat.expectDone();
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.alert).toBeEmpty();
});

test('Regenerate answers the last message again', async ({ chat }) => {
  const first = await chat.say('Tell me a story about a fox.');
  await chat.set('Seed', '8');
  await chat.turnButton(1, 'Regenerate').click();
  await chat.expectDone();
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.answers).not.toHaveText(first);
  await chat.set('Seed', '7');
  await chat.turnButton(1, 'Regenerate').click();
  await expect(chat.answers).toHaveText(first);
});

test('an edited message replaces what followed it', async ({ chat }) => {
  await chat.say('What does a dragon eat?');
  const second = await chat.say('Who are you?');
  await expect(chat.turns).toHaveCount(4);
  await chat.turnButton(0, 'Edit').click();
  const field = chat.turns.first().getByRole('textbox');
  await expect(field).toHaveValue('What does a dragon eat?');
  await field.press('Escape');
  await expect(chat.turns).toHaveCount(4);
  await chat.turnButton(0, 'Edit').click();
  await field.fill('How do I make soup?');
  await field.press('Enter');
  await chat.expectDone();
  await expect(chat.turns).toHaveCount(2);
  await expect(chat.turns.first()).toContainText('How do I make soup?');
  await expect(chat.answers).not.toHaveText(second);
});

test('an answer is copied', async ({ chat, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const answer = await chat.say('What does a dragon eat?');
  await chat.turnButton(1, 'Copy').click();
  await expect(chat.turns.nth(1).getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await chat.page.evaluate(() => navigator.clipboard.readText())).toBe(answer);
});

test('an answer that was cut continues in the same turn', async ({ chat }) => {
  await chat.set('Temperature', '0');
  const whole = await chat.say('Tell me a story about a fox.');
  await chat.set('Maximum tokens', '5');
  await chat.turnButton(1, 'Regenerate').click();
  await expect(chat.writing).toContainText('The token limit was reached: 5 tokens');
  await chat.set('Maximum tokens', '200');
  await chat.continueButton.click();
  await chat.expectDone();
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.answers).toHaveText(whole);
  // The next message finds the whole answer.
  await chat.say('Who are you?');
  await expect(chat.answers).toHaveCount(2);
});

test('each answer tells its model, its speed and the time to its first token', async ({ chat }) => {
  await chat.say('What does a dragon eat?');
  await expect(chat.turns.nth(1)).toContainText(
    /stories · \d+ tokens · [\d,.]+ tokens\/s · first token after [\d.]+ s/,
  );
});

test('a conversation that outgrows the context goes on without its oldest turns', async ({
  chat,
}) => {
  const sentence = 'The fox and the bear went home. ';
  await chat.say(sentence.repeat(15));
  await chat.draft.fill(sentence.repeat(26));
  await chat.draft.press('Enter');
  await expect(chat.alert).toContainText('The context has no room for this');
  await expect(chat.alert).toContainText('LimitExceeded');
  await chat.alert.getByRole('button', { name: 'Leave out the oldest turns' }).click();
  await chat.expectDone();
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.turns.first()).toContainText('The context has no room for this any more');
  await expect(chat.turns.last()).not.toContainText('no room');
  await expect(chat.writing.getByLabel('Leave out the oldest turns')).toBeChecked();
  await chat.say('Who are you?');
  await expect(chat.alert).toBeEmpty();
});

test('an answer that fills the context can be written again without the oldest turns', async ({
  chat,
}) => {
  await chat.say('The fox and the bear went home. '.repeat(18));
  await chat.set('Maximum tokens', '1000');
  await chat.useForm('Regular expression', '[a-z ]{2000}');
  await chat.say('Count.');
  await expect(chat.writing).toContainText('The context is full');
  await expect(chat.continueButton).toBeHidden();
  await chat.writing.getByRole('button', { name: 'Leave out the oldest turns' }).click();
  await expect(chat.turns.first()).toContainText('The context has no room for this any more');
  await chat.expectDone();
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.turns.nth(2)).not.toContainText('no room');
});

test('a message that is too long alone is reported and stays', async ({ chat }) => {
  await chat.draft.fill('The fox and the bear went home. '.repeat(60));
  await chat.draft.press('Enter');
  await expect(chat.alert).toContainText('leave no room for an answer in a context of 320');
  await expect(chat.turns).toHaveCount(1);
  await chat.turnButton(0, 'Edit').click();
  await chat.turns.getByRole('textbox').fill('Who are you?');
  await chat.turns.getByRole('textbox').press('Enter');
  await chat.expectDone();
  await expect(chat.answers).toHaveCount(1);
});

test('a model that replaces another in the middle of an answer goes on with the conversation', async ({
  chat,
}) => {
  const buffer = await withSystem();
  await chat.choose({ name: 'slow.amb', buffer });
  await chat.limitWeights('0.3');
  await chat.set('Temperature', '5');
  await chat.set('Top p', '1');
  await chat.set('Maximum tokens', '1000');
  await chat.useForm('Regular expression', '[a-z ]{2000}');
  await chat.draft.fill('Tell me a story about a fox.');
  await chat.draft.press('Enter');
  await expect(chat.stop).toBeVisible();
  await chat.choose({ name: 'other.amb', buffer });
  await expect(chat.status).toContainText('The answer ends here, because another model was opened');
  await expect(chat.model).toContainText('other');
  await expect(chat.stop).toBeHidden();
  await chat.useForm('Free text');
  await expect(chat.turns.first()).toContainText('Tell me a story about a fox.');
  await chat.set('Temperature', '0');
  const before = await chat.answers.count();
  await chat.say('Who are you?');
  await expect(chat.answers).toHaveCount(before + 1);
  await expect(chat.turns.last()).toContainText('other ·');
  await expect(chat.alert).toBeEmpty();
});

test('a model without a chat template continues texts, and the conversation waits', async ({
  chat,
}) => {
  await chat.say('What does a dragon eat?');
  await chat.choose({ name: 'bare.amb', buffer: Buffer.from(ambFile()) });
  await expect(chat.model).toContainText('bare');
  await expect(chat.writing.getByRole('radio', { name: 'Chat' })).toBeDisabled();
  await expect(chat.turns).toHaveCount(0);
  await chat.model.getByRole('button', { name: 'Back to the built-in model' }).click();
  await expect(chat.model).toContainText('built in');
  await chat.chooseMode('Chat');
  await expect(chat.turns).toHaveCount(2);
  await chat.say('Who are you?');
  await expect(chat.answers).toHaveCount(2);
});

test('the reasoning of a model is apart from its answer', async ({ page, chat }) => {
  const tokens = ['<think>', 'So it is.', '</think>', 'Yes.'];
  const buffer = Buffer.from(chainFile({ tokens, answers: { ':': [0, 1, 2, 3] } }));
  await chat.choose({ name: 'thinker.amb', buffer });
  await expect(chat.model).toContainText('thinker');
  await chat.set('Temperature', '0');
  expect(await chat.say('Is it?')).toBe('Yes.');
  const reasoning = chat.turns.last().locator('details');
  await expect(reasoning).not.toHaveAttribute('open');
  await reasoning.getByText('Reasoning').click();
  await expect(reasoning.getByText('So it is.')).toBeVisible();
  await expectAccessible(page, 'an answer with its reasoning');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await smallTargets(page, 44)).toEqual([]);
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
  expect(await chat.say('Sure?')).toBe('Yes.');
});

test('an answer that is stopped stays, and the conversation goes on', async ({ chat }) => {
  await chat.choose({ name: 'slow.amb', buffer: await withSystem() });
  await chat.limitWeights('0.3');
  await chat.set('Temperature', '5');
  await chat.set('Top p', '1');
  await chat.page.evaluate(() => {
    const button = document.querySelector<HTMLButtonElement>('#stop');
    new MutationObserver(() => {
      if (document.querySelector('.turn.model') !== null) {
        button?.click();
      }
    }).observe(document.querySelector('#turns') as Element, { childList: true, subtree: true });
  });
  const answer = await chat.say('Tell me a story about a fox.');
  await expect(chat.writing).toContainText(/Stopped: \d+ tokens?/);
  expect(answer).not.toBe('');
  await expect(chat.continueButton).toBeVisible();
  await expect(chat.turnButton(1, 'Regenerate')).toBeVisible();
});

test('a worker that crashed is replaced, and the conversation goes on', async ({ page, chat }) => {
  await chat.say('What does a dragon eat?');
  await endWorkers(page);
  await chat.say('Who are you?');
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.alert).toBeEmpty();
});
