// Texts in other languages and scripts: how they are found and how they are shown.

import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';

/** Whether the line of a text begins at the right side of its element. */
const startsAtTheRight = (element: HTMLElement | SVGElement): boolean => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const text = range.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  return Math.abs(box.right - text.right) < Math.abs(text.left - box.left);
};

const note = (name: string, text: string) => ({ name, buffer: Buffer.from(text) });

test('a search for words finds other forms and scripts without spaces', async ({ search }) => {
  await search.open();
  await search.indexDocuments(
    note('haus.txt', 'Die alten Häuser am Ufer wurden nach dem Sturm wieder aufgebaut.'),
    note('brot.txt', 'Das Brot geht auf, weil die Hefe im Teig Gase bildet.'),
    note('mond.txt', 'Die Gezeiten folgen dem Mond, und nicht den anderen Planeten.'),
    note('neko.txt', '黒猫が屋根の上で寝ている。デジタルカメラで写真を撮った。'),
  );
  await search.rankBy('Meaning and words');
  await search.ask('Haus');
  await expect(search.results.first()).toContainText('haus.txt');
  await search.ask('カメラ');
  await expect(search.results.first()).toContainText('neko.txt');
  await expect(search.marks.first()).toHaveText('カメラ');
});

test('texts from right to left begin at the right', async ({ search }) => {
  await search.open();
  const hebrew = 'האור נע מהר יותר מהקול, ולכן רואים את הברק לפני ששומעים את הרעם.';
  await search.indexDocuments(note('light.txt', hebrew));
  await search.rankBy('Meaning and words');
  await search.ask('הברק');
  const text = search.results.first().locator('.result-text');
  await expect(text).toHaveText(hebrew);
  // The answer by words makes room for that by both.
  await expect.poll(() => text.evaluate(startsAtTheRight)).toBe(true);
  const direction = await search.query.evaluate((field) => getComputedStyle(field).direction);
  expect(direction).toBe('rtl');
});
