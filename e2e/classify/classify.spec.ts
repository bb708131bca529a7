import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { expect } from '../fixtures.ts';
import { test } from '../pages/classify-page.ts';
import { endWorkers } from '../support/end-workers.ts';
import { excessWidth } from '../support/layout.ts';

const models = new URL('../../web/demo/public/models/', import.meta.url);
const sheetFile = new URL('../../tests/fixtures/digits/sheet.png', import.meta.url);

async function modelFile(name: string): Promise<{ name: string; buffer: Buffer }> {
  return { name, buffer: await readFile(new URL(name, models)) };
}

/** A wide picture with a digit in its middle. The network was not trained on this digit. */
async function digitPicture(digit: number): Promise<Buffer> {
  const side = 28;
  const sheet = PNG.sync.read(await readFile(sheetFile));
  const picture = new PNG({ width: 3 * side, height: side });
  picture.data.fill(255);
  PNG.bitblt(sheet, picture, 0, digit * side, side, side, side, 0);
  return PNG.sync.write(picture);
}

/** Replaces the camera by a drawing of a digit. */
async function fakeCamera(page: Page, path: string): Promise<void> {
  await page.addInitScript((drawn) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 200;
    const draw = (): void => {
      const pen = canvas.getContext('2d');
      if (pen === null) {
        return;
      }
      pen.fillStyle = 'white';
      pen.fillRect(0, 0, 200, 200);
      pen.setTransform(2, 0, 0, 2, 0, 0);
      pen.lineWidth = 8;
      pen.stroke(new Path2D(drawn));
      pen.resetTransform();
    };
    setInterval(draw, 50);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20);
  }, path);
}

test('the page starts with a digit and the answers of all three variants', async ({ classify }) => {
  await expect(classify.variants).toHaveCount(3);
  for (const list of [classify.floats, classify.dq8, classify.sq8]) {
    await expect(list).toHaveCount(5);
    await expect(list.first()).toContainText(/^3\s*9\d\.\d %$/);
  }
  await expect(classify.answer).toContainText('All variants agree.');
  await expect(classify.variants.nth(1)).toContainText(/Probabilities differ by up to \d+\.\d\d/);
});

test('a digit drawn with the mouse is recognized, and the pad can be cleared', async ({
  classify,
}) => {
  await classify.clear();
  await expect(classify.answer).toBeEmpty();
  await expect(classify.variants).toHaveCount(0);
  await classify.stroke([0.26, 0.16], [0.74, 0.16], [0.44, 0.88]);
  await expect(classify.answer).toContainText('This looks like 7');
  await classify.clear();
  await classify.stroke([0.4, 0.14], [0.26, 0.58], [0.78, 0.58]);
  await classify.stroke([0.63, 0.34], [0.63, 0.9]);
  await expect(classify.answer).toContainText('This looks like 4');
});

test('the pad is dark in the dark, and the network gets the same pixels', async ({
  page,
  classify,
}) => {
  const greyOf = async (): Promise<number> => {
    const { data } = PNG.sync.read(await classify.pad.screenshot());
    // A pixel of the paper, away from the border.
    return data[4 * (8 * 280 + 8)] ?? -1;
  };
  const drawn = await classify.pixels(classify.pad);
  const shown = await classify.floats.allInnerTexts();
  expect(await greyOf()).toBeGreaterThan(200);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(greyOf).toBeLessThan(60);
  expect(await classify.pixels(classify.pad)).toBe(drawn);
  await page.getByRole('button', { name: 'Draw a 3' }).click();
  await expect(classify.answer).toContainText('This looks like 3');
  expect(await classify.floats.allInnerTexts()).toEqual(shown);
  await classify.drop({ name: 'two.png', buffer: await digitPicture(2) });
  await expect(classify.picture).toContainText('two.png');
  await expect(classify.pad, 'a picture is as it is').toHaveCSS('filter', 'none');
});

test('example digits can be chosen with the keyboard', async ({ page, classify }) => {
  for (const digit of [0, 8, 9]) {
    await page.getByRole('button', { name: `Draw a ${digit}` }).focus();
    await page.keyboard.press('Enter');
    await expect(classify.answer).toContainText(`This looks like ${digit}`);
  }
  await page.getByRole('button', { name: 'Clear' }).focus();
  await page.keyboard.press('Enter');
  await expect(classify.pad).toHaveAccessibleName('Pad: empty');
});

test('an image can be chosen or dropped, and the next stroke replaces it', async ({ classify }) => {
  await classify.choosePicture({ name: 'two.png', buffer: await digitPicture(2) });
  await expect(classify.answer).toContainText('This looks like 2');
  await expect(classify.picture).toContainText('two.png');
  await classify.drop({ name: 'six.png', buffer: await digitPicture(6) });
  await expect(classify.answer).toContainText('This looks like 6');
  await classify.stroke([0.5, 0.12], [0.5, 0.88]);
  await expect(classify.answer).toContainText('This looks like 1');
});

test('the time per layer is measured over more runs', async ({ classify }) => {
  const rows = classify.layers.getByRole('row');
  await expect(rows).toHaveCount(12);
  await expect(rows.nth(1)).toContainText(/^conv8 × 28 × 28(\d+\.\d+){3}$/);
  await expect(rows.last()).toContainText(/^Total(\d+\.\d+to \d+|\d|\.|to| )+$/);
  await expect(classify.layers).toContainText(/median of 5 samples, from \d+ warm runs/);
  await classify.layers.getByRole('button', { name: 'Measure longer' }).click();
  await expect(classify.layers).toContainText(/median of 15 samples/);
});

test('the picture as the network sees it, and the feature maps of each layer', async ({
  page,
  classify,
}) => {
  await expect(classify.seen).toBeVisible();
  await expect(classify.picture).toContainText('What the network sees: 28 × 28');
  const maps = classify.maps.getByRole('img');
  await expect(maps).toHaveCount(10);
  await expect(maps.first()).toHaveAccessibleName(/^conv 0: 8 maps of 28 × 28, from -?\d/);
  const size = await maps.first().evaluate((drawn) => {
    const { width, height } = drawn as HTMLCanvasElement;
    return [width, height];
  });
  expect(size).toEqual([8 * 29 - 1, 28]);
  const before = await classify.pixels(classify.seen);
  await page.getByRole('button', { name: 'Draw a 0' }).click();
  await expect(classify.answer).toContainText('This looks like 0');
  await expect.poll(() => classify.pixels(classify.seen)).not.toEqual(before);
  await classify.clear();
  await expect(classify.maps).toBeHidden();
  await expect(classify.seen).toBeHidden();
});

test('the camera starts only by its button, and a frame can be kept', async ({
  page,
  classify,
}) => {
  await fakeCamera(page, 'M26 16L74 16L44 88');
  await classify.open();
  await expect(page.getByLabel('Camera', { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Use the camera' }).click();
  await expect(page.getByLabel('Camera', { exact: true })).toBeVisible();
  await expect(classify.answer).toContainText('This looks like 7');
  await page.getByRole('button', { name: 'Keep this picture' }).click();
  await expect(page.getByLabel('Camera', { exact: true })).toBeHidden();
  await expect(classify.picture).toContainText('Camera picture');
  await expect(classify.answer).toContainText('This looks like 7');
  await page.getByRole('button', { name: 'Use the camera' }).click();
  await expect(page.getByLabel('Camera', { exact: true })).toBeVisible();
  await classify.drop({ name: 'two.png', buffer: await digitPicture(2) });
  await expect(page.getByLabel('Camera', { exact: true })).toBeHidden();
  await expect(classify.answer).toContainText('This looks like 2');
});

test('a refused camera is reported, and drawing still works', async ({ page, classify }) => {
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'Use the camera' }).click();
  await expect(classify.alert).toContainText('The camera cannot be used');
  await expect(classify.alert).toContainText('The browser did not allow it.');
  await page.getByRole('button', { name: 'Draw a 5' }).click();
  await expect(classify.answer).toContainText('This looks like 5');
  await expect(classify.alert).toBeEmpty();
});

test.describe('other files', () => {
  test('a network with its plan and class names', async ({ classify }) => {
    const labels = Array.from({ length: 10 }, (_, i) => `number ${i}`).join('\n');
    await classify.drop(await modelFile('digits-sq8.bin'), await modelFile('digits-plan.json'), {
      name: 'labels.txt',
      buffer: Buffer.from(`${labels}\n`),
    });
    await expect(classify.answer).toContainText('This looks like number 3');
    await expect(classify.variants).toHaveCount(1);
    await classify.network.getByRole('button', { name: 'Back to the built-in network' }).click();
    await expect(classify.variants).toHaveCount(3);
  });

  test('a float network is compared with its quantized variants', async ({ page, classify }) => {
    await classify.drop(await modelFile('digits-vanilla.bin'), await modelFile('digits-plan.json'));
    await expect(classify.variants).toHaveCount(1);
    const compare = page.getByRole('button', { name: 'Compare with DQ8 and SQ8' });
    await compare.click();
    await expect(classify.variants).toHaveCount(3);
    await expect(classify.answer).toContainText('This looks like 3');
    await expect(classify.answer).toContainText('All variants agree.');
    await expect(classify.variants.nth(2)).toContainText('digits-vanilla-sq8.bin');
    await expect(compare).toBeHidden();
    await page.getByRole('button', { name: 'Draw a 7' }).click();
    await expect(classify.answer).toContainText('This looks like 7');
  });

  test('a network with an unknown graph needs a plan', async ({ classify }) => {
    await classify.choose(await modelFile('digits-vanilla.bin'));
    await expect(classify.alert).toContainText('The network was not opened');
    await expect(classify.alert).toContainText(/a plan is needed/);
    await expect(classify.network).toContainText('built in');
  });

  test('a wrong plan is refused with its field', async ({ classify }) => {
    const { buffer } = await modelFile('digits-plan.json');
    const plan = JSON.parse(buffer.toString()) as { ops: string[] };
    const wrong = JSON.stringify({ ...plan, ops: plan.ops.slice(3) });
    await classify.drop({ name: 'plan.json', buffer: Buffer.from(wrong) });
    await expect(classify.alert).toContainText('The network was not opened');
    await expect(classify.alert.locator('dt:text-is("Field") + dd')).toContainText('plan');
    await expect(classify.answer).toContainText('This looks like 3');
  });

  test('a damaged file is refused with byte and field, and the page still works', async ({
    page,
    classify,
  }) => {
    const { buffer } = await modelFile('digits-vanilla.bin');
    await classify.choose({ name: 'cut.bin', buffer: buffer.subarray(0, 5000) });
    await expect(classify.alert).toContainText('The network was not opened');
    await expect(classify.alert.locator('dt:text-is("Byte") + dd')).toHaveText(/\d/);
    await expect(classify.alert.locator('dt:text-is("Field") + dd')).toHaveText(/\w/);
    await page.getByRole('button', { name: 'Draw a 6' }).click();
    await expect(classify.answer).toContainText('This looks like 6');
  });

  test('other kinds of files are refused', async ({ classify, tiny }) => {
    await classify.choose({ name: 'tiny.weights', buffer: tiny });
    await expect(classify.alert).toContainText('The model was not opened');
    await classify.choosePicture({ name: 'no.png', buffer: Buffer.from('no picture') });
    await expect(classify.alert).toContainText('no.png is not a picture');
    await expect(classify.variants).toHaveCount(3);
  });
});

test('workers that crashed are replaced, and the picture is classified', async ({
  page,
  classify,
}) => {
  await endWorkers(page);
  await page.getByRole('button', { name: 'Draw a 9' }).click();
  await expect(classify.answer).toContainText('This looks like 9');
  await expect(classify.alert).toBeEmpty();
});

test('the page fits on a narrow phone', async ({ page, classify }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await expect(classify.variants).toHaveCount(3);
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
  await expect(classify.layers).toContainText('Total');
  const table = await classify.layers.getByRole('table').evaluate((node) => {
    return node.getBoundingClientRect().right - innerWidth;
  });
  expect(table).toBeLessThanOrEqual(0);
});
