// Where the parts of the chat page are: the field is at the bottom of the window, and nothing is empty.
import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { ChatPage, test } from '../pages/chat-page.ts';

/** The field for the message is within the window, and ends near its bottom. */
async function expectFieldAtBottom({ page, draft }: ChatPage): Promise<void> {
  const { y = 0, height = 0 } = (await draft.boundingBox()) ?? {};
  const windowHeight = page.viewportSize()?.height ?? 0;
  expect(y + height).toBeLessThanOrEqual(windowHeight);
  expect(y + height).toBeGreaterThan(windowHeight - 100);
}

for (const [width, height] of [
  [1280, 900],
  [1920, 1080],
  [390, 844],
] as const) {
  test(`the field is at the bottom of a window of ${width} × ${height} pixels`, async ({
    page,
    chat,
  }) => {
    await page.setViewportSize({ width, height });
    await chat.open();
    await expectFieldAtBottom(chat);
    await chat.chooseMode('Chat');
    await expectFieldAtBottom(chat);
    await chat.set('Maximum tokens', '60');
    await page.evaluate(() => scrollTo(0, 0));
    for (const message of ['Who are you?', 'What does a dragon eat?', 'Tell me a story.', 'Why?']) {
      await chat.say(message);
      await expectFieldAtBottom(chat);
    }
    // The page has followed the conversation to its end, which is above the field.
    const end = await page.locator('#outcome').boundingBox();
    const field = await chat.draft.boundingBox();
    expect(end?.y ?? 0).toBeGreaterThan(0);
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0);
  });
}

test('a long text scrolls in its field and leaves half of the window to the answer', async ({
  page,
  chat,
}) => {
  await chat.draft.fill('A line of a long text.\n'.repeat(60));
  await expectFieldAtBottom(chat);
  const dock = await page.locator('#dock').boundingBox();
  expect(dock?.height ?? 0).toBeLessThanOrEqual(450);
});

test('until a token is selected, the panel shows the most surprising one', async ({ chat }) => {
  await expect(chat.token).toContainText('the least likely here');
  await expect(chat.candidates.first()).toBeVisible();
  const shown = await chat.token.locator('.token-text code').textContent();
  const least = await chat.tokens.evaluateAll((tokens) => {
    const surprise = (token: Element): number =>
      Number((token as HTMLElement).style.getPropertyValue('--surprise'));
    return tokens.reduce((a, b) => (surprise(b) > surprise(a) ? b : a)).textContent;
  });
  expect(shown).toBe(least?.replaceAll(' ', '␣'));
  await chat.tokens.nth(4).hover();
  await expect(chat.token).not.toContainText('the least likely here');
});

test('without a text the panel has no empty room', async ({ page, chat }) => {
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const panel = await chat.token.boundingBox();
  expect(panel?.height ?? 0).toBeLessThan(160);
});

test('the label of Write has contrast from its first frame on', async ({ page, chat }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const submit = chat.page.locator('#submit');
  expect(await submit.evaluate((node) => getComputedStyle(node).transitionDuration)).toBe('0s');
});

/** A visual viewport that the test sets, as a phone does when its keyboard opens. */
async function replaceViewport(
  page: Page,
): Promise<(height: number, scale?: number) => Promise<void>> {
  await page.addInitScript(() => {
    const view = Object.assign(new EventTarget(), { height: 844, offsetTop: 0, scale: 1 });
    Object.defineProperty(window, 'visualViewport', { value: view });
  });
  return (height, scale = 1) =>
    page.evaluate(
      ([high, enlarged]) => {
        Object.assign(window.visualViewport ?? {}, { height: high, scale: enlarged });
        window.visualViewport?.dispatchEvent(new Event('resize'));
      },
      [height, scale] as const,
    );
}

test('the field is above the keyboard of a phone', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const show = await replaceViewport(page);
  const chat = new ChatPage(page, site);
  await chat.open();
  const bottomOf = async () => {
    const { y = 0, height = 0 } = (await page.locator('#dock').boundingBox()) ?? {};
    return y + height;
  };
  const before = await bottomOf();
  await show(460);
  await expect.poll(bottomOf).toBe(460);
  await chat.draft.fill('A line of a long text.\n'.repeat(60));
  await page.evaluate(() => scrollTo(0, 100));
  await expect.poll(bottomOf).toBe(460);
  expect((await chat.draft.boundingBox())?.y ?? 0).toBeGreaterThan(460 / 3);
  await chat.draft.fill('');
  await show(844);
  await expect.poll(bottomOf).toBe(before);
  // Two fingers enlarge the page. Nothing covers it.
  await show(422, 2);
  await expect.poll(bottomOf).toBe(before);
});
