// A model that answers questions, opened beside the documents of the search page.

import type { Page } from '@playwright/test';
import { createIndex, open } from 'ambry';
import { expect } from '../fixtures.ts';
import { type SearchPage, test } from '../pages/search-page.ts';
import { expectAccessible } from '../support/accessible.ts';
import { endWorkers } from '../support/end-workers.ts';
import { tinyReader, tinyReaderFiles } from '../support/tiny-reader.ts';

const builtIn = new URL('../../web/demo/public/models/english-static-336.weights', import.meta.url);
const question = 'where is the cat?';
const pasted = [
  'The cat sat on the mat near the stove, and nobody moved it.',
  'A dog ran home over the hills before the rain began.',
].join('\n\n');

async function give(search: SearchPage, answers: 'always' | 'never'): Promise<void> {
  await search.chooseModel({ name: 'reader.weights', buffer: await tinyReader(answers) });
  await expect(search.reader).toContainText('reader');
}

/** Asks and waits until the passages are read. */
async function read(search: SearchPage, query: string): Promise<void> {
  await search.ask(query);
  await expect(search.answerBox.locator('.answer-span, .answer-none').first()).toBeVisible();
}

test('the answer is shown with its passage, as the package gives it', async ({ search }) => {
  await search.open('?flavour=baseline');
  await search.paste(pasted);
  await give(search, 'always');
  await search.mayHaveNone.uncheck();
  await read(search, question);

  await using encoder = await open(builtIn, { kind: 'encoder', deterministic: true });
  await using reader = await open(await tinyReader('always'), {
    kind: 'questionAnswering',
    deterministic: true,
  });
  const texts = await search.results.locator('.result-text').allTextContents();
  const index = await createIndex(
    encoder,
    texts.map((text) => ({ text })),
  );
  const [best] = await index.answer(reader, question, { k: 3, passages: 10 });
  await expect(search.answer).toHaveText(best?.text ?? '');
  await expect(search.answerBox).toContainText(`(${best?.score.toFixed(3)})`);
  await expect(search.answerBox).toContainText(/The model is|no more than a guess/);
  const passage = search.answerBox.locator('.answer-passage').first();
  await expect(passage.locator('blockquote')).toHaveText(best?.passage ?? '');
  await expect(passage.locator('mark')).toHaveText(best?.text ?? '');
  await expect(passage.locator('figcaption')).toHaveText(/Pasted text/);
  // The model that searches stays, and so do its results.
  await expect(search.model).toContainText('english-static-336 (built in)');
  await expect(search.results.first()).toBeVisible();
});

test('no answer in the documents is said, unless the model cannot know', async ({ search }) => {
  await search.paste(pasted);
  await give(search, 'never');
  await read(search, question);
  await expect(search.answerBox).toContainText('There is no answer in these documents.');
  await search.mayHaveNone.uncheck();
  await expect(search.answer).not.toBeEmpty();
  await expect(search.answerBox).not.toContainText('no answer');
});

test('it is said to screen readers, and axe finds nothing', async ({ page, search }) => {
  await give(search, 'always');
  await search.mayHaveNone.uncheck();
  const said = search.answerBox.getByRole('status');
  await expect(said).toHaveText('Ask a question.');
  await read(search, 'how to bake bread');
  await expect(said).toContainText((await search.answer.textContent()) ?? '');
  await search.answerBox.getByText(/other answers?$/).click();
  await expectAccessible(page, 'an answer from the documents');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'an answer on a phone');
});

test('answers follow the ranking and the sources that are chosen', async ({ search }) => {
  await search.addDocuments({ name: 'cats.txt', buffer: Buffer.from('The cat sat on the mat.') });
  await search.addDocuments({ name: 'dogs.txt', buffer: Buffer.from('The dog ran home.') });
  await expect(search.documents).toContainText('2 passages');
  await give(search, 'always');
  await search.mayHaveNone.uncheck();
  await read(search, question);
  await search.pickSource('dogs.txt');
  await expect(search.answerBox.locator('figcaption').first()).toHaveText('dogs.txt');
});

test('a folder of Hugging Face is opened beside the search model, too', async ({ search }) => {
  const files = [...(await tinyReaderFiles('always'))];
  await search.drop(...files.map(([name, bytes]) => ({ name, buffer: Buffer.from(bytes) })));
  await expect(search.reader).toBeVisible();
  await expect(search.model).toContainText('english-static-336 (built in)');
});

test('closing it takes the answer away', async ({ search }) => {
  await give(search, 'always');
  await read(search, question);
  await search.reader.getByRole('button', { name: 'Close it' }).click();
  await expect(search.answerBox).toBeHidden();
  await expect(search.reader).toBeHidden();
  await search.ask('how to bake bread');
  await expect(search.answerBox).toBeHidden();
});

test('a question that is too long for it is an error, and the search goes on', async ({
  search,
}) => {
  await give(search, 'always');
  await search.query.fill('x '.repeat(200));
  await expect(search.alert).toContainText('The question was not answered');
  await expect(search.fact(search.alert, 'Code')).toHaveText('LimitExceeded');
  await expect(search.results.first()).toBeVisible();
  await read(search, question);
  await expect(search.alert).toBeEmpty();
});

/** Watches how high the box is, and what it says. */
function watchBox(): void {
  const seen = { heights: new Set<number>(), said: new Set<string>() };
  Object.assign(globalThis, { seen });
  const look = (): void => {
    seen.heights.add(document.querySelector<HTMLElement>('#answer-box')?.offsetHeight ?? 0);
    requestAnimationFrame(look);
  };
  new MutationObserver(() => {
    seen.said.add(document.querySelector('#answer-said')?.textContent ?? '');
  }).observe(document.body, { subtree: true, childList: true });
  look();
}

/** The heights and texts since then. */
const seenOf = (page: Page) =>
  page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: Record<'heights' | 'said', Set<unknown>> };
    return { heights: [...seen.heights], said: [...seen.said] };
  });

test('the box keeps its height while the next answer comes, so the results stay in their place', async ({
  page,
  search,
}) => {
  await give(search, 'always');
  await search.mayHaveNone.uncheck();
  await read(search, question);
  await page.evaluate(watchBox);
  await search.query.press('End');
  await search.query.press('Backspace');
  const reading = 'Reading the best passages…';
  await expect.poll(async () => (await seenOf(page)).said).toContain(reading);
  await expect(search.answerBox.getByRole('status')).not.toHaveText(reading);
  expect((await seenOf(page)).heights).toHaveLength(1);
});

test('the model is opened again after its worker has died', async ({ page, search }) => {
  await give(search, 'always');
  await search.mayHaveNone.uncheck();
  await read(search, question);
  await endWorkers(page);
  await search.query.fill('how to bake bread');
  await search.alert.getByRole('button', { name: 'Open the model for answers again' }).click();
  await expect(search.answer).not.toBeEmpty();
  await expect(search.alert).toBeEmpty();
});
