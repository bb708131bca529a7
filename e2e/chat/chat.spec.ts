import { readFile } from 'node:fs/promises';
import { type ChatMessage, open, quantize } from 'ambry';
import { ambFile } from '../../tests/web/support/files/amb-file.ts';
import { expect } from '../fixtures.ts';
import { test } from '../pages/chat-page.ts';
import { endWorkers } from '../support/end-workers.ts';
import { excessWidth } from '../support/layout.ts';

const storiesFile = new URL('../../web/demo/public/models/stories.amb', import.meta.url);

const stories = (): Promise<Buffer> => readFile(storiesFile);

/** The text that Node writes with the page's settings. The deterministic build writes the same text on every machine. */
async function writtenInNode(
  prompt: string | { readonly messages: readonly ChatMessage[] },
  seed: number,
): Promise<string> {
  const model = await open(await stories(), { kind: 'generator', deterministic: true });
  const options = { seed, temperature: 0.8, topP: 0.9, maxTokens: 200 };
  const { text } = await model.generate(prompt, options).result;
  await model.dispose();
  return text;
}

test('the page starts with a story that is always the same', async ({ chat }) => {
  await expect(chat.tokens.nth(10)).toBeVisible();
  const first = await chat.answers.textContent();
  expect(first).toBe(await writtenInNode('Once upon a time', 1));
  expect(first).toMatch(/^ there was /);
});

for (const flavour of ['baseline', 'relaxed'] as const) {
  test(`the ${flavour} build writes the same text as Node`, async ({ chat }) => {
    await chat.open(`?flavour=${flavour}`);
    await chat.keepSeed(42);
    const text = await chat.write('The old robot');
    expect(text.length).toBeGreaterThan(50);
    expect(text).toBe(await writtenInNode('The old robot', 42));
    expect(await chat.write('The old robot')).toBe(text);
    await chat.set('Seed', '43');
    expect(await chat.write('The old robot')).not.toBe(text);
  });
}

test('temperature 0 ignores the seed', async ({ chat }) => {
  await chat.set('Temperature', '0');
  const text = await chat.write('It was raining');
  await chat.set('Seed', '5');
  expect(await chat.write('It was raining')).toBe(text);
});

test('the model stops at the token limit and continues from there', async ({ chat }) => {
  await chat.keepSeed(3);
  await chat.set('Temperature', '0');
  const whole = await chat.write('My friend');
  await chat.set('Maximum tokens', '5');
  const begun = await chat.write('My friend');
  await expect(chat.tokens).toHaveCount(5);
  await expect(chat.writing).toContainText('The token limit was reached: 5 tokens');
  await chat.set('Maximum tokens', '200');
  await chat.continueButton.click();
  await chat.expectDone();
  const both = await chat.answers.allTextContents();
  expect(both).toEqual([begun, whole.slice(begun.length)]);
});

test('a stop text ends the story and is left out', async ({ chat }) => {
  await chat.keepSeed(11);
  const whole = await chat.write('Once upon a time');
  await chat.set('Stop texts, one per line', '. ');
  const text = await chat.write('Once upon a time');
  expect(text).toBe(whole.slice(0, whole.indexOf('. ')));
  await expect(chat.writing).toContainText('A stop text was reached');
});

test('Stop ends the run and keeps the text', async ({ chat }) => {
  // With this build and seed the model fills the context. With few weights in memory that takes seconds.
  await chat.open('?flavour=baseline');
  await chat.keepSeed(1);
  await chat.choose({ name: 'stories.amb', buffer: await stories() });
  await chat.limitWeights('0.3');
  await chat.set('Temperature', '5');
  await chat.set('Top p', '1');
  await chat.set('Maximum tokens', '100000');
  await chat.page.evaluate(() => {
    const button = document.querySelector<HTMLButtonElement>('#stop');
    new MutationObserver(() => {
      if (document.querySelectorAll('.token').length > 0) {
        button?.click();
      }
    }).observe(document.querySelector('#turns') as Element, { childList: true, subtree: true });
  });
  await chat.write('Once');
  await expect(chat.writing).toContainText(/Stopped: \d+ tokens?/);
  expect(await chat.tokens.count()).toBeGreaterThan(0);
  await expect(chat.stop).toBeHidden();
  await expect(chat.continueButton).toBeVisible();
});

test('the page shows the probability of a token under the pointer or selected by key', async ({
  chat,
}) => {
  await expect(chat.token).toContainText('Point at a word');
  await chat.tokens.nth(4).hover();
  const share = chat.candidates.filter({
    has: chat.page.locator('xpath=self::li[@class="sampled"]'),
  });
  await expect(share).toHaveText(/\d+\.\d %$/);
  expect(await chat.candidates.count()).toBeGreaterThanOrEqual(6);
  const shares = (await chat.candidates.allTextContents()).map((text) =>
    Number(/([\d.]+) %$/.exec(text)?.[1]),
  );
  expect(shares.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(100.5);
  await chat.writing.getByRole('group', { name: 'Written text' }).focus();
  await chat.page.keyboard.press('Home');
  await expect(chat.tokens.first()).toHaveClass(/selected/);
  await chat.page.keyboard.press('ArrowRight');
  await expect(chat.tokens.nth(1)).toHaveClass(/selected/);
  await expect(chat.token.locator('[aria-live]')).toHaveText(/^“.*” \d+\.\d %\. Alternatives: /);
  await chat.page.keyboard.press('Escape');
  await expect(chat.token).toContainText('Point at a word');
});

test('the meter shows how full the context is', async ({ chat }) => {
  const now = () => chat.context.evaluate((meter: HTMLMeterElement) => meter.value);
  const written = await now();
  // One token begins the text, and the prompt has seven.
  expect(written).toBe(1 + 7 + (await chat.tokens.count()));
  await chat.draft.fill('Once upon a time there was a small fox');
  await expect.poll(now).toBe(1 + 7 + 5);
  await expect(chat.writing).toContainText('13 of 320 tokens of context');
});

test('the model answers chat messages as in Node', async ({ chat }) => {
  await chat.chooseMode('Chat');
  await chat.keepSeed(7);
  const ask = 'What does a dragon eat?';
  const answer = await chat.say(ask);
  const messages = [{ role: 'user', content: ask }];
  expect(answer).toBe(await writtenInNode({ messages }, 7));
  expect(answer).toContain('hot porridge');
  const next = 'Tell me a story about a fox.';
  const story = await chat.say(next);
  messages.push({ role: 'assistant', content: answer }, { role: 'user', content: next });
  expect(story).toBe(await writtenInNode({ messages }, 7));
});

test.describe('other files', () => {
  test('can be dropped, and the built-in model opened again', async ({ chat }) => {
    const { blob } = await quantize(await stories(), { type: 'int4' });
    const buffer = Buffer.from(new Uint8Array((await blob?.arrayBuffer()) ?? []));
    await chat.drop({ name: 'stories-int4.amb', buffer });
    await expect(chat.model).toContainText('stories-int4');
    await expect(chat.model).not.toContainText('built in');
    expect((await chat.write('Once upon a time')).length).toBeGreaterThan(20);
    await chat.model.getByRole('button', { name: 'Back to the built-in model' }).click();
    await expect(chat.model).toContainText('built in');
  });

  test('that are damaged are refused with the byte, and the page still works', async ({ chat }) => {
    const buffer = Buffer.from(await stories());
    buffer[5] = 9;
    await chat.choose({ name: 'damaged.amb', buffer });
    await expect(chat.alert).toContainText('The model was not opened');
    await expect(chat.alert.locator('dt:text-is("Byte") + dd')).toHaveText('5');
    await expect(chat.alert.locator('dt:text-is("Field") + dd')).toContainText('version');
    await chat.choose({ name: 'cut.amb', buffer: buffer.fill(1, 5, 6).subarray(0, 200_000) });
    await expect(chat.alert.locator('dt:text-is("Code") + dd')).toHaveText('Truncated');
    expect(await chat.write('The old robot')).not.toBe('');
    await expect(chat.alert).toBeEmpty();
  });

  test('without tokenizer or template are reported', async ({ chat }) => {
    await chat.choose({ name: 'bare.amb', buffer: Buffer.from(ambFile()) });
    await expect(chat.model).toContainText('bare');
    await expect(chat.writing.getByRole('radio', { name: 'Chat' })).toBeDisabled();
    await chat.draft.fill('Once');
    await chat.page.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(chat.alert).toContainText('The model could not write the text');
    await expect(chat.alert).toContainText(/tokenizer/i);
  });

  test('of another kind are refused', async ({ chat, tiny }) => {
    await chat.choose({ name: 'tiny.weights', buffer: tiny });
    await expect(chat.alert).toContainText('The model was not opened');
    await expect(chat.model).toContainText('built in');
  });

  test('write the same text with fewer weights in memory', async ({ chat }) => {
    await chat.keepSeed(11);
    const text = await chat.write('Once upon a time');
    await chat.choose({ name: 'stories.amb', buffer: await stories() });
    await chat.limitWeights('0.3');
    await expect(chat.model).toContainText(
      /At most 300 kB of weights are in memory\. .* about \d[\d.]* tokens\/s/,
    );
    expect(await chat.write('Once upon a time')).toBe(text);
  });
});

test('a worker that crashed is replaced, and the text is written', async ({ page, chat }) => {
  await endWorkers(page);
  expect(await chat.write('The old robot')).not.toBe('');
  await expect(chat.alert).toBeEmpty();
});

test('the page fits on a narrow phone, and a tap selects a word', async ({
  browser,
  site,
}, info) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 780 },
    hasTouch: true,
  });
  const page = await context.newPage();
  await page.goto(`${site}chat/index.html`);
  const token = page.locator('.token').nth(4);
  await expect(token).toBeVisible({ timeout: 30_000 });
  await token.tap();
  await expect(page.getByRole('list', { name: 'Likely tokens at this position' })).toBeInViewport();
  await page.screenshot({ path: info.outputPath('phone.png') });
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
  await token.tap();
  await expect(page.getByText('Point at a word that the model wrote')).toBeVisible();
  await page.getByRole('radio', { name: 'Chat' }).check();
  await page.getByLabel('Your message').fill('Who are you?');
  await page.getByRole('button', { name: 'Send' }).tap();
  await expect(page.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await page.screenshot({ path: info.outputPath('phone-chat.png') });
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
  await context.close();
});

test('a chat can be had with the keyboard alone', async ({ page, chat }) => {
  await chat.writing.getByRole('radio', { name: 'Continue a text' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(chat.writing.getByRole('radio', { name: 'Chat' })).toBeChecked();
  await chat.draft.focus();
  await page.keyboard.type('Who are you?');
  await page.keyboard.press('Enter');
  await chat.expectDone();
  await expect(chat.draft).toBeFocused();
  await chat.writing.getByRole('group', { name: 'Conversation' }).focus();
  const reached: string[] = [];
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate(() => document.activeElement?.textContent ?? ''));
  }
  expect(reached.slice(0, 4)).toEqual(['Copy', 'Edit', 'Copy', 'Regenerate']);
  await chat.turnButton(0, 'Edit').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(chat.turnButton(0, 'Edit')).toBeFocused();
});
