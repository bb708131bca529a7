// Answers with a form that the user gives on the chat page.

import { expect } from '../fixtures.ts';
import { type ChatPage, test } from '../pages/chat-page.ts';

test.beforeEach(async ({ chat }) => {
  await chat.chooseMode('Chat');
});

test('a schema gives JSON, and it is shown on several lines', async ({ chat }) => {
  await chat.useForm('JSON Schema');
  await chat.say('What animal?');
  const text = await chat.answers.last().locator('pre').textContent();
  expect(text).toMatch(/^\{\n {2}"animal": "(fox|bear|owl)",\n {2}"age": \d\d?\n\}$/);
  await expect(chat.writing).toContainText('The answer has its whole form');
  await expect(chat.continueButton).toBeHidden();
});

test('choices, a regular expression and a grammar are kept to', async ({ chat }) => {
  await chat.useForm('Choices', 'a red fox\nan old owl');
  expect(await chat.say('Which?')).toMatch(/^(a red fox|an old owl)$/);
  await chat.useForm('Regular expression', '[0-9]{2}-[a-c]');
  expect(await chat.say('Which?')).toMatch(/^\d\d-[abc]$/);
  await chat.useForm('GBNF grammar', 'root ::= "no " ("fox" | "owl")');
  expect(await chat.say('Which?')).toMatch(/^no (fox|owl)$/);
  await chat.useForm('Free text');
  expect(await chat.say('Who are you?')).not.toMatch(/^no (fox|owl)$/);
});

test('the text of each kind is kept when another is chosen', async ({ chat }) => {
  await chat.useForm('Choices', 'a fox');
  await chat.useForm('Regular expression', 'b+');
  await chat.useForm('Choices');
  await expect(chat.form.getByRole('textbox')).toHaveValue('a fox');
});

const wrongForms = [
  ['JSON Schema', '{"type": ', 'This is not JSON'],
  ['JSON Schema', '7', 'A JSON Schema is an object'],
  [
    'JSON Schema',
    '{"properties":{"a":{"$vocabulary":{}}}}',
    'The keyword $vocabulary is not supported (Unsupported at schema.properties.a.$vocabulary)',
  ],
  [
    'JSON Schema',
    '{"type":"string","minLength":5,"maxLength":2}',
    'No text has this form (BadValue at schema)',
  ],
  ['Choices', ' ', 'Write the form of the answer here'],
  ['Regular expression', '(a', 'This ( is not closed (BadValue at regex, byte 0)'],
  [
    'GBNF grammar',
    'root ::= fox',
    'The rule fox is used, but not defined (NotFound at grammar, byte 9)',
  ],
] as const;
type WrongForm = (typeof wrongForms)[number];

async function expectToldAtItsField(chat: ChatPage, [kind, text, problem]: WrongForm) {
  await chat.useForm(kind, text);
  await chat.draft.fill('What animal?');
  await chat.draft.press('Enter');
  const field = chat.form.getByRole('textbox');
  await expect(chat.form).toContainText(problem);
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(
    new RegExp(problem.slice(0, 12).replace('(', '\\(')),
  );
  await expect(chat.answers).toHaveCount(0);
  // The message is on the page or still in its field, and can be sent again.
  await chat.useForm('Choices', 'a fox');
  await expect(field).toHaveAttribute('aria-invalid', 'false');
  if ((await chat.draft.inputValue()) === '') {
    await chat.turnButton(0, 'Try again').click();
  } else {
    await chat.draft.press('Enter');
  }
  await expect(chat.answers).toHaveText('a fox');
  await expect(chat.alert).toBeEmpty();
}

test('each wrong form is told at its field', async ({ chat }) => {
  for (const wrong of wrongForms) {
    await test.step(wrong.join(' '), () => expectToldAtItsField(chat, wrong));
    await chat.history.getByRole('button', { name: 'New conversation' }).click();
    await expect(chat.turns).toHaveCount(0);
  }
});

test('a continued text has the form, too', async ({ chat }) => {
  await chat.chooseMode('Continue a text');
  await chat.useForm('Choices', ' a fox\n an owl');
  expect(await chat.write('There was')).toMatch(/^ (a fox|an owl)$/);
});
