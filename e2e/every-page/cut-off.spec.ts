// All pages say the same of a file that is cut off, and none gives it a tick.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '../fixtures.ts';
import { ChatPage } from '../pages/chat-page.ts';
import { CheckPage } from '../pages/check-page.ts';
import { ConvertPage } from '../pages/convert-page.ts';
import { HomePage } from '../pages/home-page.ts';
import { WordsPage } from '../pages/words-page.ts';

const publicFile = (path: string): Promise<Buffer> =>
  readFile(fileURLToPath(new URL(`../../web/demo/public/${path}`, import.meta.url)));

const grouped = (value: number): string => value.toLocaleString('en');

const cutOff = (present: number, whole: number): string =>
  `Cut off: ${grouped(present)} of ${grouped(whole)} bytes are here.`;

const sentence = (present: number, whole: number): string =>
  `${cutOff(present, whole)} Get it again.`;

/** A file that lost its last byte, and one that lost its second half. */
const lengths = (whole: Buffer): number[] => [whole.length - 1, whole.length >> 1];

const models = ['samples/stories.gguf', 'models/stories.amb', 'models/books-96.fifu'];

for (const path of models) {
  test(`${path} that is cut off is told so when it is checked and converted`, async ({
    page,
    site,
  }) => {
    const whole = await publicFile(path);
    for (const length of lengths(whole)) {
      const file = { name: `cut-${path.split('/').pop()}`, buffer: whole.subarray(0, length) };
      const check = new CheckPage(page, site);
      await check.open();
      await check.choose(file);
      await expect(check.verdict).toHaveText(sentence(length, whole.length));
      await expect(check.mark).toHaveText('✕');
      await expect(check.progress).toBeHidden();
      await expect(check.problems.filter({ hasText: 'Error' })).toHaveCount(1);
      await expect(page.getByRole('button', { name: 'Share' })).toBeHidden();

      const converter = new ConvertPage(page, site);
      await converter.open();
      await converter.choose(file);
      await expect(converter.source).toContainText(sentence(length, whole.length));
      await expect(page.locator('#source-mark')).toHaveText('✕');
      await expect(converter.convertButton).toBeHidden();
      await expect(page.getByRole('button', { name: 'See what is wrong' })).toBeVisible();
    }
  });
}

test('a cut download is told in the same words by the pages that open models', async ({
  page,
  site,
}) => {
  const whole = await publicFile('samples/stories.gguf');
  const buffer = whole.subarray(0, 200_000);
  const home = new HomePage(page, site);
  await home.open();
  await home.choose({ name: 'cut.gguf', buffer });
  await expect(home.found).toContainText(sentence(buffer.length, whole.length));
  await expect(home.found).not.toContainText('Convert it');
  await expect(home.found.getByText('tensors', { exact: false })).toBeHidden();
  const chat = new ChatPage(page, site);
  await chat.open();
  await chat.choose({ name: 'cut.gguf', buffer });
  await expect(chat.alert).toContainText(cutOff(buffer.length, whole.length));
  const vectors = await publicFile('models/books-96.fifu');
  const words = new WordsPage(page, site);
  await words.open();
  await words.choose({ name: 'cut.fifu', buffer: vectors.subarray(0, 1_000_000) });
  await expect(words.alert).toContainText(cutOff(1_000_000, vectors.length));
});

test('word vectors that open without their last byte are told to be cut off', async ({
  page,
  site,
}) => {
  const vectors = await publicFile('models/books-96.fifu');
  const words = new WordsPage(page, site);
  await words.open();
  const buffer = vectors.subarray(0, vectors.length - 1);
  await words.choose({ name: 'cut.fifu', buffer });
  await expect(words.file).toContainText(sentence(buffer.length, vectors.length));
  await expect(words.answer).toContainText('winter');
  await words.choose({ name: 'whole.fifu', buffer: vectors });
  await expect(words.file).toContainText('whole');
  await expect(words.file).not.toContainText('Cut off');
});

test('zeros behind a sound file are told as what they are', async ({ page, site }) => {
  const whole = await publicFile('samples/stories.gguf');
  const buffer = Buffer.concat([whole, Buffer.alloc(100_000)]);
  const said = `The model ends at byte ${grouped(whole.length)}. Behind it are 100,000 zeros`;
  const check = new CheckPage(page, site);
  await check.open();
  await check.choose({ name: 'zeros.gguf', buffer });
  await expect(page.locator('#verdict-reason')).toContainText(said);
  const home = new HomePage(page, site);
  await home.open();
  await home.choose({ name: 'zeros.gguf', buffer });
  await expect(home.found).toContainText(said);
});
