// Texts with labels from files of each type.
import type { readExamples as ReadExamples } from 'ambry/passages';
import { expect, test } from 'vitest';

const entry = new URL('../../../dist/passages/node-passages.js', import.meta.url).href;
const { readExamples }: { readExamples: typeof ReadExamples } = await import(entry);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const both = [
  { text: 'My, card', label: 'card' },
  { text: 'Überweisung', label: 'money' },
];

test.each([
  ['a.csv', 'text,label\n"My, card",card\nÜberweisung,money\n'],
  ['a.tsv', 'label\ttext\ncard\tMy, card\nmoney\tÜberweisung\n'],
  ['a.json', JSON.stringify(both)],
  ['a.jsonl', both.map((each) => JSON.stringify(each)).join('\r\n')],
  ['a.ndjson', both.map((each) => JSON.stringify(each)).join('\n')],
  ['a.txt', '__label__card My, card\n\n__label__money  Überweisung\n'],
  ['standard input', `\ufeff${JSON.stringify(both)}`],
  ['standard input', 'text,label\n"My, card",card\nÜberweisung,money\n'],
])('%s', async (name, text) => {
  const { examples, warnings } = await readExamples(name, bytesOf(text));
  expect(examples.map(({ text, label }) => ({ text, label }))).toEqual(both);
  expect(warnings).toEqual([]);
});

test('a line of fastText may have several labels, or none', async () => {
  const { examples } = await readExamples('a', bytesOf('__label__a __label__b both\nnone\n'));
  expect(examples).toEqual([
    { text: 'both', label: 'a' },
    { text: 'both', label: 'b' },
    { text: 'none' },
  ]);
});

test('another encoding is detected, and an ArrayBuffer is taken', async () => {
  const text = 'text,label\nFür die Überweisung fehlt mir Geld,größer\nÖl für den Käse,spät\n';
  const latin = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const { examples } = await readExamples('a.csv', latin.buffer);
  expect(examples.map(({ label }) => label)).toEqual(['größer', 'spät']);
});

test.each([
  ['a.jsonl', '{"text":"a"}\n{', 'BadValue', 'line 2'],
  ['a.csv', 'text,label\n"a', 'BadValue', 'record 1'],
  ['a.csv', 'PK\u0003\u0004', 'Unsupported', undefined],
])('%s: %j is refused', async (name, text, code, at) => {
  const refused = readExamples(name, bytesOf(text));
  await expect(refused).rejects.toMatchObject({ code, ...(at && { path: at }) });
});
