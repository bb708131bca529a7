import { readFile } from 'node:fs/promises';
import { convert } from 'ambry';
import { expect } from '../fixtures.ts';
import { openMenu } from '../pages/unfold.ts';
import { test } from '../pages/words-page.ts';
import { endWorkers } from '../support/end-workers.ts';
import { gloveText } from '../support/tiny-sources.ts';

const builtIn = new URL('../../web/demo/public/models/books-96.fifu', import.meta.url);

/** So many questions that the answers take a while. */
function manyQuestions(): Buffer {
  const question = 'man king woman queen\n';
  return Buffer.from(`: long\n${question.repeat(20_000)}`);
}

test('the page starts with a word list, a map and an analogy', async ({ words }) => {
  await expect(words.answer).toContainText('“winter” is in the list');
  expect(await words.nearest()).toContain('summer');
  await expect(words.map.getByRole('img')).toHaveAccessibleName('Map of the nearest words');
  expect(await words.labels()).toContain('winter');
  await expect(words.analogy.getByRole('status')).toContainText(
    'man is to king as woman is to queen',
  );
});

test('a word is looked up, and a click looks up a nearest word', async ({ words }) => {
  await words.lookUp('violin');
  await expect(words.neighbours).toHaveCount(20);
  expect(await words.nearest()).toContain('piano');
  await words.neighbours.getByRole('button', { name: 'piano', exact: true }).click();
  await expect(words.word).toHaveValue('piano');
  await expect(words.answer).toContainText('“piano” is in the list');
});

test('words of the file are suggested while typing', async ({ words }) => {
  await words.word.fill('wint');
  const suggestions = words.page.locator('#word-suggestions option');
  await expect(suggestions.first()).toHaveAttribute('value', 'winter');
});

test('the number of words and the similarity can be chosen', async ({ words }) => {
  await openMenu(words.page, 'Settings');
  await words.lookup.getByLabel('Number of words').selectOption('50');
  await expect(words.neighbours).toHaveCount(50);
  const byCosine = await words.neighbours.locator('.score').first().textContent();
  await words.lookup.getByLabel('Similarity').selectOption('angular');
  await expect(words.neighbours.locator('.score').first()).not.toHaveText(byCosine ?? '');
  const byAngle = Number(await words.neighbours.locator('.score').first().textContent());
  expect(byAngle).toBeCloseTo(1 - Math.acos(Number(byCosine)) / Math.PI, 2);
});

test('the map zooms, moves and shows all words, by button and by key', async ({ words }) => {
  const dot = words.map.locator('.map-word.asked circle');
  const position = async (): Promise<string> =>
    `${await dot.getAttribute('cx')}, ${await dot.getAttribute('cy')}`;
  const whole = await position();
  const map = words.lookup.locator('#neighbour-map');
  await map.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(position).not.toBe(whole);
  await map.getByRole('button', { name: 'Show all of the map' }).click();
  await expect.poll(position).toBe(whole);
  await words.map.focus();
  await words.page.keyboard.press('ArrowLeft');
  await expect.poll(position).not.toBe(whole);
  await words.page.keyboard.press('+');
  await words.page.keyboard.press('0');
  await expect.poll(position).toBe(whole);
  await words.map.dragTo(words.map, {
    sourcePosition: { x: 20, y: 20 },
    targetPosition: { x: 90, y: 60 },
  });
  await expect.poll(position).not.toBe(whole);
});

test('the map has a text description, and its words can be clicked', async ({ words }) => {
  await words.lookup.getByText('The map as text').click();
  const description = words.lookup.getByRole('definition').first();
  for (const word of await words.nearest()) {
    await expect(description).toContainText(word);
  }
  const found = words.map.locator('.map-word.found').last();
  const word = await found.textContent();
  await found.locator('circle').click();
  await expect(words.word).toHaveValue(word ?? '');
});

test('an unknown word is explained by its n-grams', async ({ words }) => {
  await words.lookUp('moonlike');
  await expect(words.answer).toContainText('“moonlike” is not in the list');
  await expect(words.ngrams.first()).toContainText('<moon');
  await expect(words.neighbours).toHaveCount(20);
});

test('a word without a vector is reported', async ({ words }) => {
  await words.choose({ name: 'plain.txt', buffer: gloveText() });
  await expect(words.file).toContainText('8 words, 16 dimensions');
  await words.lookUp('winter');
  await expect(words.answer).toContainText('“winter” has no vector.');
  await expect(words.neighbours).toHaveCount(0);
  await words.lookUp('water');
  await expect(words.neighbours).toHaveCount(7);
  await words.file.getByRole('button', { name: 'Back to the built-in vectors' }).click();
  await expect(words.file).toContainText('built in');
});

test('an analogy is solved, and a missing word is named', async ({ words }) => {
  await words.ask('walk', 'walked', 'climb');
  await expect(words.answers.first()).toContainText('climbed');
  await expect(words.analogy.locator('.arrow')).toHaveCount(2);
  await words.analogy.getByLabel('Allow the three words as answers').check();
  await expect(words.answers.filter({ hasText: /^climb\d/ })).toBeVisible();
  await words.choose({ name: 'plain.txt', buffer: gloveText() });
  await words.ask('water', 'fire', 'king');
  await expect(words.analogy.getByRole('status')).toHaveText('There is no vector for “king”.');
  await expect(words.analogy.getByLabel('as', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
});

test('a finalfusion file can be dropped', async ({ words }) => {
  const fifu = await convert(new Blob([Uint8Array.from(gloveText())]), {
    from: 'text',
    to: 'finalfusion',
  });
  await words.drop({ name: 'tiny.fifu', buffer: Buffer.from(await fifu.arrayBuffer()) });
  await expect(words.file).toContainText('8 words, 16 dimensions');
  await words.file.getByText('About this file').click();
  await expect(words.file.locator('dt:text-is("Storage") + dd')).toHaveText('float32');
});

test('a worker that crashed is replaced, and the word is looked up', async ({ words }) => {
  await endWorkers(words.page);
  await words.lookUp('violin');
  expect(await words.nearest()).toContain('piano');
  await expect(words.alert).toBeEmpty();
});

test('quantized vectors at an address are downloaded in parts', async ({ words, site }) => {
  const ranges: string[] = [];
  words.page.context().on('request', (request) => {
    const range = request.headers()['range'];
    if (range !== undefined && request.url().endsWith('.fifu')) {
      ranges.push(range);
    }
  });
  await words.openUrl(`${site}models/books-96.fifu`);
  await expect(
    words.file.getByRole('button', { name: 'Back to the built-in vectors' }),
  ).toBeVisible();
  await words.lookUp('violin');
  expect(await words.nearest()).toContain('piano');
  expect(ranges.length).toBeGreaterThan(1);
});

test.describe('bad files', () => {
  test('a damaged file is refused with its byte, and the page still works', async ({ words }) => {
    const whole = await readFile(builtIn);
    await words.choose({ name: 'cut.fifu', buffer: whole.subarray(0, 5000) });
    await expect(words.alert).toContainText('The word vectors were not opened');
    await expect(words.alert).toContainText('Truncated');
    await expect(words.alert.locator('dt:text-is("Byte") + dd')).toHaveText(/\d/);
    await words.lookUp('violin');
    expect(await words.nearest()).toContain('piano');
  });

  test('other kinds of files are refused', async ({ words, tiny }) => {
    await words.choose({ name: 'page.html', buffer: Buffer.from('<!doctype html><p>hello') });
    await expect(words.alert).toContainText('The word vectors were not opened');
    await words.choose({ name: 'tiny.weights', buffer: tiny });
    await expect(words.alert).toContainText('The word vectors were not opened');
    await words.lookUp('violin');
    await expect(words.neighbours).toHaveCount(20);
  });

  test('an address that answers with 404 is reported', async ({ words, faulty, browserErrors }) => {
    browserErrors.expect(/404/);
    await words.openUrl(`${faulty.origin}/missing.weights`);
    await expect(words.alert).toContainText('404');
    await expect(words.file).toContainText('built in');
  });
});

test.describe('accuracy', () => {
  test('is measured on the built-in questions by section', async ({ words }) => {
    await words.accuracy.getByRole('button', { name: 'Use the built-in questions' }).click();
    await expect(words.accuracy.getByRole('status')).toContainText('of 152 questions correct');
    await expect(words.sections.filter({ hasText: 'family' })).toContainText('%');
    await expect(words.sections.last()).toContainText('Total');
  });

  test('is measured on a dropped file, without unknown words', async ({ words }) => {
    const text = ': family\nman king woman queen\n: none\nman king woman qqxyzzy\n';
    await words.drop({ name: 'mine.txt', buffer: Buffer.from(text) });
    await expect(words.accuracy.getByRole('status')).toContainText(
      'mine.txt: 1 of 1 question correct, 100.0 %',
    );
    await expect(words.accuracy.getByRole('status')).toContainText('1 skipped');
    await expect(words.sections.filter({ hasText: 'none' })).toContainText('none asked');
  });

  test('measurement shows its progress and can be cancelled', async ({ words }) => {
    await words.measure({ name: 'long.txt', buffer: manyQuestions() });
    await expect(words.progress).toContainText(/of 20,000 questions/);
    await words.progress.getByRole('button', { name: 'Cancel' }).click();
    await expect(words.status).toContainText('Cancelled');
    await expect(words.progress).toBeHidden();
    await words.lookUp('violin');
    await expect(words.neighbours).toHaveCount(20);
  });

  test('invalid questions are refused', async ({ words }) => {
    await words.measure({ name: 'bad.txt', buffer: Buffer.from(': family\nman king woman\n') });
    await expect(words.alert).toContainText('The questions could not be answered');
  });
});
