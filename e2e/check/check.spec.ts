import { open, readFile, rm } from 'node:fs/promises';
import { expect } from '../fixtures.ts';
import { test } from '../pages/check-page.ts';
import { withReservedWord } from '../support/edit-embd.ts';
import { tinyModel } from '../support/tiny-model.ts';

const books = new URL('../../web/demo/public/models/books-96.fifu', import.meta.url);
const stories = new URL('../../web/demo/public/models/stories.amb', import.meta.url);

test('a valid file: verdict, map, facts, tensors and tokenizer', async ({ check, tiny }) => {
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  await expect(check.verdict).toContainText('Valid EMBD F0 1.0');
  await expect(check.verdict).toContainText('Structure and checksums were checked.');
  await expect(check.problems).toHaveCount(0);
  await expect(check.map.getByRole('img')).toHaveAccessibleName(/regions over/);
  await expect(check.report).toContainText('As int8');

  const names = await check.tensorNames();
  expect(names).toContain('embeddings.word_embeddings.weight');
  await check.table.getByRole('button', { name: 'Name' }).click();
  expect(await check.tensorNames()).toEqual([...names].sort(new Intl.Collator('en').compare));
  await check.page.getByLabel('Filter').fill('layernorm bias');
  for (const name of await check.tensorNames()) {
    expect(name).toMatch(/LayerNorm.*bias/);
  }

  await check.tokenizer.getByLabel('Try it').fill('water');
  await expect(check.tokenizer.locator('.token').first()).toContainText('[CLS]');
});

test('a click on the map shows a region', async ({ check, tiny }) => {
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  await check.map.getByRole('button', { name: /^header/ }).click();
  await expect(check.map).toContainText('0 to 63');
  await expect(check.map.locator('.hex')).toContainText('45 4D 42 44');
  await check.map.locator('.block.tensor').first().click({ force: true });
  await expect(check.map.locator('.block.chosen').first()).toBeVisible();
  await expect(check.table.locator('tr.chosen')).toHaveCount(1);
  await check.map.getByRole('button', { name: 'Show it in the table' }).click();
  await expect(check.table.locator('tr.chosen')).toBeFocused();
});

test('the map has labels and offsets at every width', async ({ check, page, tiny }) => {
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  const label = check.map.locator('.map-label').filter({ hasText: 'word_embeddings' });
  await expect(label.first()).toBeVisible();
  await expect(check.map.locator('.map-offset')).toHaveCount(10);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(() => check.map.locator('svg').evaluate((drawn) => drawn.getBoundingClientRect().right))
    .toBeLessThanOrEqual(390);
  // The map is drawn anew after the window has changed.
  const lowest = () =>
    check.map
      .locator('.block')
      .evaluateAll((blocks) =>
        Math.min(...blocks.map((one) => one.getBoundingClientRect().height)),
      );
  await expect.poll(lowest, { message: 'a finger hits a line' }).toBeGreaterThanOrEqual(44);
});

test('a tensor opens: its place, first values and histogram', async ({ check, tiny }) => {
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  const row = check.table.getByRole('row').nth(1);
  await row.getByRole('button').click();
  await expect(row.getByRole('button')).toHaveAttribute('aria-expanded', 'true');
  const detail = check.table.locator('.tensor-detail');
  await expect(detail).toContainText(/First values(-?[\d.e-]+, )+/);
  await detail.getByRole('button', { name: 'Check all values to see a histogram' }).click();
  await expect(check.verdict).toContainText('all values');
  await row.getByRole('button').click();
  await expect(detail.getByRole('img', { name: /^Histogram/ })).toBeVisible();
  await expect(detail).toContainText('Lengths of rows');
  await detail.getByRole('button', { name: 'Show it in the map' }).click();
  await expect(check.map.locator('.block.chosen').first()).toBeInViewport();
  await row.getByRole('button').click();
  await expect(detail).toHaveCount(0);
});

test('every column sorts in both directions', async ({ check, tiny }) => {
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  await check.report.getByRole('button', { name: 'Check all values' }).click();
  await expect(check.verdict).toContainText('all values');
  const names = await check.tensorNames();
  const titles = ['Type', 'Shape', 'Offset', 'Size', 'Min', 'Max', 'Mean', 'Std. dev.', 'Unusual'];
  for (const title of titles) {
    const head = check.table.getByRole('columnheader', { name: title });
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await expect(head.getByRole('button')).toBeFocused();
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    expect((await check.tensorNames()).sort()).toEqual([...names].sort());
  }
});

test('a part of the architecture shows its tensors in the table and in the map', async ({
  check,
  tiny,
}) => {
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  await expect(check.part('Embeddings')).toHaveAccessibleName(/\d+ tensors, .* kB/);
  const all = await check.tensorNames();
  await check.part('Attention').click();
  await expect(check.part('Attention')).toHaveAttribute('aria-selected', 'true');
  const shown = await check.tensorNames();
  expect(shown.length).toBeGreaterThan(0);
  for (const name of shown) {
    expect(name).toContain('.attention.');
  }
  await expect(check.map.locator('.block.chosen').first()).toBeVisible();
  await expect(check.chosenPart).toContainText('Parameters');
  await check.chosenPart.getByRole('button', { name: shown[1] ?? '', exact: true }).click();
  await expect(check.table.locator('tr.chosen')).toHaveCount(1);
  await expect(check.table.locator('tr.chosen')).toBeFocused();
  await check.page.getByRole('button', { name: 'Only Attention. Show all' }).click();
  expect(await check.tensorNames()).toEqual(all);
  await expect(check.part('Attention')).toHaveAttribute('aria-selected', 'false');
});

test('the architecture can be used with the keyboard alone', async ({ check, page }) => {
  await check.choose({ name: 'stories.amb', buffer: await readFile(stories) });
  await check.part('Embeddings').focus();
  await page.keyboard.press('ArrowDown');
  await expect(check.part('Layers 0 to 3, × 4')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(check.part('Attention')).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(check.part('Attention')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(check.part('Attention')).toBeFocused();
  await expect(check.chosenPart).toContainText('Attention');
  await check.part('Layers 0 to 3').click();
  await expect(check.chosenPart).toContainText('Layers 0 to 3');
  await check.part('Each layer').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(check.part('Layer 0')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(check.part('Embeddings')).toBeFocused();
});

test('a network lists its layers', async ({ check }) => {
  // A vanilla tinyRuntime file with one fully connected layer: 3 inputs, 2 outputs, no bias.
  const words = Buffer.from(new Int32Array([2, 0, 1, 0, 3, 2, 0, 0]).buffer);
  const weights = Buffer.from(new Float32Array([1, 2, 3, -1, -2, -3]).buffer);
  await check.choose({ name: 'net.bin', buffer: Buffer.concat([words, weights]) });
  await expect(check.verdict).toContainText('Valid tinyRuntime vanilla');
  const layers = check.page.getByRole('region', { name: 'Configuration' }).getByRole('table');
  await expect(layers.getByRole('row').nth(1)).toContainText('linear.0');
  expect(await check.tensorNames()).toEqual(['linear.0.weight']);
});

test('a damaged file: the byte of every problem is marked', async ({ check, tiny }) => {
  const damaged = Buffer.from(tiny);
  damaged.writeUInt32LE(damaged.readUInt32LE(8) | 0x8000, 8);
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 4) ^ 1, damaged.length - 4);
  await check.drop({ name: 'damaged.weights', buffer: damaged });
  await expect(check.verdict).toContainText('Damaged EMBD');
  const header = check.problems.filter({ hasText: 'header.header_checksum' });
  await expect(header).toContainText('Mismatch at byte 56');
  await expect(header.locator('mark')).toHaveCount(2);
  await expect(check.map.locator('.map-problem')).not.toHaveCount(0);
  await expect(check.map.getByRole('img')).toHaveAccessibleName(/\d problems?$/);
  await expect(check.problems.filter({ hasText: 'header.flags' })).toBeVisible();
  await expect(check.report.getByRole('button', { name: 'Repair and save' })).toBeHidden();
});

test('a truncated file is reported, and the page still works', async ({ check, tiny }) => {
  await check.choose({ name: 'cut.weights', buffer: tiny.subarray(0, 1000) });
  await expect(check.verdict).toContainText(/^Cut off: 1,000 of [\d,]+ bytes are here\./);
  await expect(check.problems.first()).toContainText('Truncated');
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  await expect(check.verdict).toContainText('Valid EMBD');
});

test('a file that is cut off never has a tick', async ({ check, tiny }) => {
  // Nine files of up to 2.4 MB go to the browser, which takes long on a busy machine.
  test.slow();
  const whole = { tiny, amb: await readFile(stories), fifu: await readFile(books) };
  for (const [name, bytes] of Object.entries(whole)) {
    for (const share of [0.5, 0.9, 1]) {
      const file = `${name}-${share}.bin`;
      const length = Math.floor((bytes.length - 1) * share);
      // One file after the other: each has its own time.
      await check.choose({ name: file, buffer: bytes.subarray(0, length) });
      await expect(check.report.getByRole('heading', { level: 2 })).toHaveText(file);
      await expect(check.verdict).toContainText('Cut off: ');
      await expect(check.mark).toHaveText('✕');
    }
  }
});

test('a large file has no tick until all of its bytes were read', async ({ check }, info) => {
  // A file of safetensors with one tensor of 300 MB, which is more than the page reads at once.
  const bytes = 300_000_000;
  const header = JSON.stringify({
    weight: { dtype: 'U8', shape: [bytes], data_offsets: [0, bytes] },
  }).padEnd(128);
  const path = info.outputPath('large.safetensors');
  const file = await open(path, 'w');
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  await file.write(size);
  await file.write(header);
  await file.truncate(8 + header.length + bytes);
  await file.close();
  await check.choosePath(path);
  await expect(check.verdict).toContainText('No error so far in safetensors');
  await expect(check.verdict).toContainText('The weights were not read');
  await expect(check.mark).toHaveText('–');
  await check.report.getByRole('button', { name: 'Check every byte' }).click();
  await expect(check.verdict).toContainText('Valid safetensors', { timeout: 30_000 });
  await expect(check.mark).toHaveText('✓');
  await rm(path);
});

test('several files are checked and listed', async ({ check, tiny }) => {
  await check.drop(
    { name: 'a.weights', buffer: tiny },
    { name: 'b.weights', buffer: tiny.subarray(0, 700) },
    { name: 'page.html', buffer: Buffer.from('<!doctype html><title>x</title>') },
  );
  await expect(check.files).toHaveCount(3);
  await expect(check.files.nth(0)).toContainText('Valid');
  await expect(check.files.nth(1)).toContainText('Cut off');
  await expect(check.files.nth(2)).toContainText('Not a known model file');
  await check.files.nth(2).getByRole('button').first().click();
  await expect(check.verdict).toContainText('HTML');
  await check.page.getByRole('button', { name: 'Remove page.html' }).click();
  await expect(check.files).toHaveCount(2);
});

test('all values: statistics and a histogram for each tensor', async ({ check, tiny }) => {
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  await check.report.getByRole('button', { name: 'Check all values' }).click();
  await expect(check.verdict).toContainText('all values');
  await expect(check.table.getByRole('columnheader', { name: 'Mean' })).toBeVisible();
  const histograms = check.table.getByRole('img', { name: /^Histogram of the values/ });
  await expect(histograms.first()).toBeVisible();
  const report = JSON.parse((await check.save('Save report')).toString());
  expect(report).toMatchObject({
    file: 'tiny.weights',
    valid: true,
    format: 'embd',
    depth: 'values',
  });
  expect(report.statistics).toHaveLength(report.inspection.tensors.length);
});

test('a file that is not strictly valid is repaired and saved', async ({ check, tiny }) => {
  await check.choose({ name: 'odd.weights', buffer: withReservedWord(tiny) });
  await expect(check.problems.filter({ hasText: 'header.reserved' })).toContainText('Warning');
  const repaired = await check.save('Repair and save');
  expect(repaired.equals(tiny), 'the strictly valid file').toBe(true);
});

test('a file of 5 GB opens quickly', async ({ check, tiny }, info) => {
  // The tiny model with 5 GB of zeros after it. The header states a smaller size.
  const path = info.outputPath('huge.weights');
  const file = await open(path, 'w');
  await file.write(tiny);
  await file.truncate(5_000_000_000);
  await file.close();
  await check.choosePath(path);
  await expect(check.verdict).toContainText('Damaged EMBD');
  await expect(check.problems.first()).toContainText('header.total_file_size');
  await rm(path);
});

test.describe('a folder', () => {
  /** A tiny model, with other content of some files. */
  const folder = (changed: Readonly<Record<string, Buffer>> = {}) =>
    Object.entries({ ...Object.fromEntries(tinyModel()), ...changed })
      .filter(([path]) => !path.includes('/'))
      .map(([name, buffer]) => ({ name, buffer }));
  const weights = tinyModel().get('model.safetensors') as Buffer;

  test('has the report of a file, and says how it runs', async ({ check }) => {
    await check.drop(...folder());
    await expect(check.verdict).toContainText('Valid safetensors');
    await expect(check.mark).toHaveText('!');
    await expect(check.verdict).toContainText('2 warnings. Structure and checksums were checked.');
    await expect(check.run).toContainText('Runs as a sentence encoder after conversion to EMBD');
    await expect(check.problems).toHaveCount(2);
    await expect(check.problems.last()).toContainText('NotFound, modules.json');
    await expect(check.run).not.toContainText('modules.json');
    await check.report.getByRole('button', { name: 'Check all values' }).click();
    await expect(check.verdict).toContainText('all values');
    const report = JSON.parse((await check.save('Save report')).toString());
    expect(report).toMatchObject({ valid: true, format: 'safetensors', depth: 'values' });
    expect(report.run.files.map(({ name }: { name: string }) => name)).toContain('vocab.txt');
  });

  test('names the file, the byte and the path of what is damaged', async ({ check }) => {
    const damaged = Buffer.from(weights);
    damaged.write('"F33"', damaged.indexOf('"F32"'));
    await check.drop(...folder({ 'model.safetensors': damaged }));
    await expect(check.verdict).toContainText('Damaged');
    const first = check.problems.first();
    await expect(first).toContainText(/at byte \d+ \(0x[0-9A-F]+\), model\.safetensors: /);
    await expect(first.locator('mark')).not.toHaveCount(0);
    await expect(check.map, 'of several files').toBeHidden();
    await check.drop(...folder({ 'model.safetensors': weights.subarray(0, weights.length - 99) }));
    await expect(check.problems.filter({ hasText: 'Truncated' })).toContainText(
      'model.safetensors',
    );
  });

  test('of a kind that does not run is not damaged', async ({ check }) => {
    const config = Buffer.from('{"model_type": "longformer"}');
    await check.drop(...folder({ 'config.json': config }));
    await expect(check.verdict).toContainText('Does not run');
    await expect(check.problems.first()).toContainText('Unsupported at byte');
    await expect(check.problems.first()).toContainText('config.json.model_type');
    await expect(check.run).toContainText('Stands in the way');
  });
});

test.describe('how a model runs', () => {
  test('a file that runs as it is', async ({ check, tiny }) => {
    await check.choose({ name: 'tiny.weights', buffer: tiny });
    await expect(check.run).toContainText(/Runs as a sentence encoder, in about .* of memory/);
    await expect(check.run).not.toContainText('Stands in the way');
  });

  test('a folder is one model', async ({ check }) => {
    const files = [...tinyModel()].filter(([path]) => !path.includes('/'));
    await check.choose(...files.map(([name, buffer]) => ({ name, buffer })));
    await expect(check.verdict).toContainText('Valid safetensors');
    await expect(check.files).toHaveCount(0);
    await expect(check.run).toContainText('Runs as a sentence encoder after conversion to EMBD');
    await check.run.getByText(`${files.length} files`).click();
    await expect(check.run.getByRole('listitem').first()).toContainText('model.safetensors');
  });

  test('weights alone, and what stands in the way', async ({ check }) => {
    const buffer = tinyModel().get('model.safetensors') as Buffer;
    await check.choose({ name: 'model.safetensors', buffer });
    await expect(check.verdict).toContainText('Valid safetensors');
    await expect(check.run).toContainText('Stands in the way');
    await expect(check.run).toContainText('NotFound, config.json');
    await expect(check.run).toContainText('Open their directory');
  });

  test('word vectors in text', async ({ check }) => {
    await check.choose({ name: 'compass.vec', buffer: Buffer.from('2 2\neast 1 0\nnorth 0 1\n') });
    await expect(check.run).toContainText('Runs as word vectors after conversion to finalfusion');
    await expect(check.verdict).toContainText('Valid word2vec text');
  });
});

test.describe('an address', () => {
  test('is checked', async ({ check, faulty }) => {
    await check.openUrl(`${faulty.origin}/good.weights`);
    await expect(check.verdict).toContainText('Valid EMBD F0 1.0');
  });

  test('that answers with a web page is reported', async ({ check, faulty }) => {
    await check.openUrl(`${faulty.origin}/html.weights`);
    await expect(check.verdict).toContainText(/web page/i);
  });

  test('that answers with 404 is reported', async ({ check, faulty, browserErrors }) => {
    browserErrors.expect(/404/);
    await check.openUrl(`${faulty.origin}/missing.weights`);
    await expect(check.verdict).toContainText('There is no file at this address.');
    await expect(check.report).toContainText('answered 404');
  });
});
