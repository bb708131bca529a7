import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { type ChatMessage, open, quantize } from 'ambry';
import { ambFile } from '../tests/web/support/amb-file.ts';
import { expect, test } from './fixtures.ts';

const storiesFile = new URL('../web/demo/public/models/stories.amb', import.meta.url);

const stories = (): Promise<Buffer> => readFile(storiesFile);

/** What Node writes in the build that computes the same everywhere, with the page's settings. */
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

test('a story is there at once, the same for everyone', async ({ chat }) => {
  await expect(chat.tokens.nth(10)).toBeVisible();
  const first = await chat.answers.textContent();
  expect(first).toBe(await writtenInNode('Once upon a time', 1));
  expect(first).toMatch(/^ there was /);
});

for (const flavour of ['baseline', 'relaxed'] as const) {
  test(`the ${flavour} build writes what Node writes`, async ({ chat }) => {
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

test('greedy writing needs no seed', async ({ chat }) => {
  await chat.set('Temperature', '0');
  const text = await chat.write('It was raining');
  await chat.set('Seed', '5');
  expect(await chat.write('It was raining')).toBe(text);
});

test('it stops after so many tokens and goes on from there', async ({ chat }) => {
  await chat.keepSeed(3);
  await chat.set('Temperature', '0');
  const whole = await chat.write('My friend');
  await chat.set('Tokens at most', '5');
  const begun = await chat.write('My friend');
  await expect(chat.tokens).toHaveCount(5);
  await expect(chat.writing).toContainText('It is as long as was asked for: 5 tokens');
  await chat.set('Tokens at most', '200');
  await chat.goOn.click();
  await chat.expectDone();
  const both = await chat.answers.allTextContents();
  expect(both).toEqual([begun, whole.slice(begun.length)]);
});

test('a stop text ends the story and is no part of it', async ({ chat }) => {
  await chat.keepSeed(11);
  const whole = await chat.write('Once upon a time');
  await chat.set('Stop texts', '. ');
  const text = await chat.write('Once upon a time');
  expect(text).toBe(whole.slice(0, whole.indexOf('. ')));
  await expect(chat.writing).toContainText('A stop text ended it');
});

test('Stop stops it, and what was written stays', async ({ chat }) => {
  // In this build, with this seed, it would fill the context, and held in part it needs seconds for that.
  await chat.open('?flavour=baseline');
  await chat.keepSeed(1);
  await chat.choose({ name: 'stories.amb', buffer: await stories() });
  await chat.hold('0.3');
  await chat.set('Temperature', '5');
  await chat.set('Top p', '1');
  await chat.set('Tokens at most', '100000');
  await chat.page.evaluate(() => {
    const button = document.querySelector<HTMLButtonElement>('#stop');
    new MutationObserver(() => {
      if (document.querySelectorAll('.token').length > 0) button?.click();
    }).observe(document.querySelector('#parts') as Element, { childList: true, subtree: true });
  });
  await chat.write('Once');
  await expect(chat.writing).toContainText(/Stopped: \d+ tokens?/);
  expect(await chat.tokens.count()).toBeGreaterThan(0);
  await expect(chat.stop).toBeHidden();
  await expect(chat.goOn).toBeVisible();
});

test('the chance of a token is shown when it is pointed at, or walked to', async ({ chat }) => {
  await expect(chat.token).toContainText('Point at a word');
  await chat.tokens.nth(4).hover();
  const share = chat.chances.filter({ has: chat.page.locator('xpath=self::li[@class="drawn"]') });
  await expect(share).toHaveText(/\d+\.\d %$/);
  expect(await chat.chances.count()).toBeGreaterThanOrEqual(6);
  const shares = (await chat.chances.allTextContents()).map((text) =>
    Number(/([\d.]+) %$/.exec(text)?.[1]),
  );
  expect(shares.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(100.5);
  await chat.writing.getByRole('group', { name: 'Written text' }).focus();
  await chat.page.keyboard.press('Home');
  await expect(chat.tokens.first()).toHaveClass(/looked/);
  await chat.page.keyboard.press('ArrowRight');
  await expect(chat.tokens.nth(1)).toHaveClass(/looked/);
  await expect(chat.token.locator('[aria-live]')).toHaveText(/^“.*” \d+\.\d %\. Instead: /);
  await chat.page.keyboard.press('Escape');
  await expect(chat.token).toContainText('Point at a word');
});

test('the meter shows how full the context is, before and after', async ({ chat }) => {
  const now = () => chat.context.evaluate((meter: HTMLMeterElement) => meter.value);
  const written = await now();
  // Before the text stands the token that begins one, and a word at its very beginning is several.
  expect(written).toBe(1 + 7 + (await chat.tokens.count()));
  await chat.draft.fill('Once upon a time there was a small fox');
  await expect.poll(now).toBe(1 + 7 + 5);
  await expect(chat.writing).toContainText('13 of 320 tokens of context');
});

test('it answers in a conversation, as Node does', async ({ chat }) => {
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
  test('are dropped, and the built-in model comes back', async ({ chat }) => {
    const { blob } = await quantize(await stories(), { type: 'int4' });
    const buffer = Buffer.from(new Uint8Array((await blob?.arrayBuffer()) ?? []));
    await chat.drop({ name: 'stories-int4.amb', buffer });
    await expect(chat.model).toContainText('stories-int4');
    await expect(chat.model).not.toContainText('built in');
    expect((await chat.write('Once upon a time')).length).toBeGreaterThan(20);
    await chat.model.getByRole('button', { name: 'Back to the built-in model' }).click();
    await expect(chat.model).toContainText('built in');
  });

  test('that are damaged name the byte, and the page lives on', async ({ chat }) => {
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

  test('without tokenizer or template say so', async ({ chat }) => {
    await chat.choose({ name: 'bare.amb', buffer: Buffer.from(ambFile()) });
    await expect(chat.model).toContainText('bare');
    await expect(chat.writing.getByRole('radio', { name: 'Chat' })).toBeDisabled();
    await chat.draft.fill('Once');
    await chat.page.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(chat.alert).toContainText('The model could not write');
    await expect(chat.alert).toContainText(/tokenizer/i);
  });

  test('of another kind are told so', async ({ chat, tiny }) => {
    await chat.choose({ name: 'tiny.weights', buffer: tiny });
    await expect(chat.alert).toContainText('The model was not opened');
    await expect(chat.model).toContainText('built in');
  });

  test('can be held in part, with the speed that makes, and write the same', async ({ chat }) => {
    await chat.keepSeed(11);
    const text = await chat.write('Once upon a time');
    await chat.choose({ name: 'stories.amb', buffer: await stories() });
    await chat.hold('0.3');
    await expect(chat.model).toContainText(
      /At most 300 kB of weights are in memory; .* about \d[\d.]* tokens\/s/,
    );
    expect(await chat.write('Once upon a time')).toBe(text);
  });
});

test('a worker that dies is replaced, and the text is written after all', async ({
  page,
  chat,
}) => {
  for (const worker of page.workers()) {
    await worker.evaluate(() => {
      setTimeout(() => {
        throw new Error('The test ends this worker.');
      });
    });
  }
  expect(await chat.write('The old robot')).not.toBe('');
  await expect(chat.alert).toBeEmpty();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no barrier is found in the ${colorScheme} page`, async ({ page, chat }, info) => {
    await page.emulateMedia({ colorScheme });
    const barriers = async () => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
    };
    await chat.tokens.nth(4).hover();
    expect(await barriers()).toEqual([]);
    await page.screenshot({ path: info.outputPath(`${colorScheme}.png`), fullPage: true });
    await chat.chooseMode('Chat');
    await chat.say('Who are you?');
    await chat.model.getByText('About this file').click();
    await chat.choose({ name: 'bad.amb', buffer: Buffer.from('nonsense') });
    await expect(chat.alert).not.toBeEmpty();
    expect(await barriers()).toEqual([]);
  });
}

test('nothing is cut off on a narrow phone, and a tapped word is explained', async ({
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
  await expect(page.getByRole('list', { name: 'What could have stood here' })).toBeInViewport();
  await page.screenshot({ path: info.outputPath('phone.png') });
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
  await token.tap();
  await expect(page.getByText('Point at a word of the model')).toBeVisible();
  await context.close();
});
