// The entities that are made of the numbers of tokens, against tests/reference/models/token_classification.py.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { entitiesOf, spansOfTexts } from '../../../web/src/token-classifier/entities.ts';
import { type Aggregation, aggregations } from '../../../web/src/token-classifier/types.ts';
import { type MadeText, rowsOf } from '../support/token-rows.ts';

type Expected = readonly [
  label: string,
  start: number,
  end: number,
  score: number,
  startInCodePoints: number,
  endInCodePoints: number,
];

interface Case {
  readonly name: string;
  readonly labels: readonly string[];
  readonly ignore: readonly string[];
  readonly texts: readonly (MadeText & {
    readonly entities: Readonly<Record<Aggregation, readonly Expected[]>>;
  })[];
}

const file = new URL('../../fixtures/token_classification/pipeline.json', import.meta.url);
const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly Case[];

describe.each(cases)('$name', ({ labels, ignore, texts }) => {
  test.each(aggregations)('%s', (aggregation) => {
    const options = { aggregation, ignore };
    const all = spansOfTexts(rowsOf(texts), texts.length, labels, options);
    texts.forEach(({ text, entities }, i) => {
      const expected = entities[aggregation];
      const [utf16, codePoints] = (['utf16', 'codePoints'] as const).map((offsets) =>
        entitiesOf(text, all[i] ?? [], { offsets }),
      );
      expect(utf16).toEqual(
        expected.map(([label, start, end, score]) => ({
          label,
          start,
          end,
          text: text.slice(start, end),
          score: expect.closeTo(score, 6) as number,
        })),
      );
      expect(codePoints?.map(({ start, end }) => [start, end])).toEqual(
        expected.map(([, , , , start, end]) => [start, end]),
      );
      const characters = [...text];
      for (const { start, end, text: part } of codePoints ?? []) {
        expect(characters.slice(start, end).join('')).toBe(part);
      }
    });
  });
});

test('the cases have several windows, labels of every form and overlapping places', () => {
  const labels = cases.flatMap((one) => one.labels);
  expect(labels).toEqual(expect.arrayContaining(['O', 'B-', 'X-Y', 'PER', 'B-A-B']));
  const windows = cases.flatMap(({ texts }) => texts.map((text) => text.windows.length));
  expect(Math.max(...windows)).toBeGreaterThan(3);
});

test('a threshold and wanted labels leave out what the windows gave', () => {
  const [{ labels, texts } = { labels: [], texts: [] }] = cases;
  const rows = rowsOf(texts);
  const all = spansOfTexts(rows, texts.length, labels, {}).flat();
  const sure = spansOfTexts(rows, texts.length, labels, { threshold: 0.7 }).flat();
  expect(sure).toEqual(all.filter(({ score }) => score >= 0.7));
  const places = spansOfTexts(rows, texts.length, labels, { labels: ['LOC'] }).flat();
  expect(places).toEqual(all.filter(({ label }) => label === 'LOC'));
  expect(places.length).toBeGreaterThan(0);
  expect(sure.length).toBeLessThan(all.length);
});
