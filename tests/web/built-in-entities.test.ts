// The token classifier that comes with the site: the file is sound, and through the product it reaches the scores that its card states.

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { forAllTests } from './support/for-all-tests.ts';
import { openTokenClassifier } from './support/open-kinds.ts';
import { ambry } from './support/package.ts';

const root = path.resolve(import.meta.dirname, '../..');
const models = path.join(root, 'web/demo/public/models');
const shipped = path.join(models, 'entities-96x1.weights');
const card = path.join(models, 'entities-96x1.md');
const aggregation = 'average';
const kinds = ['PER', 'LOC', 'ORG', 'DATE', 'EMAIL', 'PHONE'];

const model = await forAllTests(openTokenClassifier(shipped, { deterministic: true }));

test('the file is small, and valid in strict reading', async () => {
  expect((await stat(shipped)).size).toBeLessThanOrEqual(400_000);
  const { valid, warnings } = await ambry.validate(shipped, { strict: true, values: true });
  expect({ valid, warnings }).toEqual({ valid: true, warnings: [] });
});

test('its labels begin and go on with six kinds of entities', () => {
  expect(model.labels).toEqual(['O', ...kinds.flatMap((kind) => [`B-${kind}`, `I-${kind}`])]);
});

/** An entity as one text, so that sets can hold it. */
const keyOf = (line: number, start: number, end: number, label: string): string =>
  `${line} ${start} ${end} ${label}`;

/** The texts of a file, and their entities, which are written as in `[Ada](PER)`. */
async function markedTexts(name: string) {
  const lines = (await readFile(path.join(root, 'tests/fixtures/entities', name), 'utf8'))
    .trim()
    .split('\n');
  const wanted: string[] = [];
  const texts = lines.map((line, at) => {
    let text = '';
    let from = 0;
    for (const found of line.matchAll(/\[([^\]]+)\]\(([A-Z]+)\)/g)) {
      const [whole, entity = '', label = ''] = found;
      text += line.slice(from, found.index);
      wanted.push(keyOf(at, text.length, text.length + entity.length, label));
      text += entity;
      from = found.index + whole.length;
    }
    return text + line.slice(from);
  });
  return { texts, wanted };
}

/** Precision, recall and F1 of whole entities: the label, the begin and the end must all be right. */
function scoresOf(wanted: readonly string[], found: readonly string[], label: string) {
  const own = (all: readonly string[]) => all.filter((key) => label === '' || key.endsWith(label));
  const [there, said] = [new Set(own(wanted)), own(found)];
  const right = said.filter((key) => there.has(key)).length;
  return {
    precision: right / Math.max(said.length, 1),
    recall: right / there.size,
    f1: (2 * right) / (said.length + there.size),
    entities: there.size,
  };
}

/** The row of the card: `| test, PER | 0.9 | 0.8 | 0.85 | 29 |`. */
async function statedScores(row: string): Promise<number[]> {
  const line = (await readFile(card, 'utf8'))
    .split('\n')
    .find((each) => each.startsWith(`| ${row} |`));
  return (line ?? '').split('|').slice(2, 6).map(Number);
}

describe.each(['test', 'development'])('on the sentences of %s.txt', (name) => {
  test.each(['', ...kinds])('it reaches the scores of its card: %s', async (kind) => {
    const { texts, wanted } = await markedTexts(`${name}.txt`);
    const tagged = await model.tag(texts, { aggregation });
    const found = tagged.flatMap((entities, line) =>
      entities.map(({ start, end, label }) => keyOf(line, start, end, label)),
    );
    const { precision, recall, f1, entities } = scoresOf(wanted, found, kind);
    const stated = await statedScores(kind === '' ? name : `${name}, ${kind}`);
    const rounded = [precision, recall, f1].map((score) => Number(score.toFixed(2)));
    expect([...rounded, entities]).toEqual(stated);
  });
});

test('personal data is replaced, and all else stays', async () => {
  const text =
    'Ada Lovelace moved to London on 3 May 1835.\nWrite to ada.lovelace@example.org, or call +44 20 7946 0018.';
  expect(await model.redact(text, { aggregation })).toBe(
    '[PER] moved to [LOC] on [DATE].\nWrite to [EMAIL], or call [PHONE].',
  );
});
