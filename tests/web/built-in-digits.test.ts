// The networks that the classify page has built in: the three files are sound, and they read the digits of a
// sheet that they were not trained on, as their README states.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import type { LabelScore, Pixels } from '../../web/src/entries/types.ts';
import { openImageClassifier } from './support/open-kinds.ts';
import { ambry } from './support/package.ts';

const root = path.resolve(import.meta.dirname, '../..');
const models = path.join(root, 'web/demo/public/models');
const side = 28;
const rows = 10;

/** One digit of the sheet, whose row says which it is. */
function cellOf(sheet: PNG, row: number, column: number): Pixels {
  const cell = new PNG({ width: side, height: side });
  PNG.bitblt(sheet, cell, column * side, row * side, side, side, 0, 0);
  return cell;
}

async function readSheet(variant: string): Promise<LabelScore[][]> {
  const plan = await readFile(path.join(models, 'digits-plan.json'), 'utf8');
  const sheet = PNG.sync.read(await readFile(path.join(root, 'tests/fixtures/digits/sheet.png')));
  const model = await openImageClassifier(path.join(models, `digits-${variant}.bin`));
  try {
    const answers: LabelScore[][] = [];
    for (let i = 0; i < rows * rows; i++) {
      const cell = cellOf(sheet, Math.floor(i / rows), i % rows);
      answers.push(await model.classify(cell, { plan, k: rows }));
    }
    return answers;
  } finally {
    await model.dispose();
  }
}

describe.each(['vanilla', 'dq8', 'sq8'])('%s', (variant) => {
  test('the file is valid in strict reading', async () => {
    const file = path.join(models, `digits-${variant}.bin`);
    const { valid, warnings } = await ambry.validate(file, { strict: true, values: true });
    expect({ valid, warnings }).toEqual({ valid: true, warnings: [] });
  });

  test('all hundred digits of the sheet are recognized', async () => {
    const answers = await readSheet(variant);
    const wrong = answers.flatMap(([best], i) => {
      const digit = String(Math.floor(i / rows));
      return best?.label === digit ? [] : [`${i}: ${digit} read as ${best?.label}`];
    });
    expect(wrong).toEqual([]);
  });
});

test('the scores of int8 and float weights are close', async () => {
  const [floats, ...quantized] = await Promise.all(['vanilla', 'dq8', 'sq8'].map(readSheet));
  for (const answers of quantized) {
    for (const [i, labels] of answers.entries()) {
      for (const { index, score } of labels) {
        const exact = floats?.[i]?.find((other) => other.index === index)?.score ?? -1;
        expect(Math.abs(score - exact), `digit ${i}, class ${index}`).toBeLessThan(0.1);
      }
    }
  }
});
