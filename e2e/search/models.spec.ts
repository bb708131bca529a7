import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';
import { tinyModel } from '../support/tiny-model.ts';

test('another .weights file replaces the model, and the notes are indexed again', async ({
  page,
  search,
  tiny,
}) => {
  await search.ask('water and wind');
  await search.chooseModel({ name: 'tiny.weights', buffer: tiny });
  await expect(search.model).toContainText('tiny');
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  await expect(search.fact(search.index, 'Dimensions')).toHaveText('32');
  await expect(search.results).toHaveCount(8);
  await page.getByRole('button', { name: 'Back to the built-in model' }).click();
  await expect(search.fact(search.index, 'Dimensions')).toHaveText('336');
  await search.ask('trouble falling asleep at night');
  await expect(search.results.first()).toContainText('Insomnia');
});

test('a .weights file can be dropped', async ({ search, tiny }) => {
  await search.drop({ name: 'tiny.weights', buffer: tiny });
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
});

test('a Hugging Face folder is converted, saved and opened again', async ({
  search,
  tiny,
}, info) => {
  const folder = info.outputPath('tiny-bert');
  for (const [path, content] of tinyModel()) {
    await mkdir(dirname(`${folder}/${path}`), { recursive: true });
    await writeFile(`${folder}/${path}`, content);
  }
  await search.chooseModelFolder(folder);
  await expect(search.model).toContainText('tiny-bert');
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  const saved = await search.saveModel();
  expect(saved.equals(tiny), 'the same bytes as converted in Node').toBe(true);
  await search.chooseModel({ name: 'again.weights', buffer: saved });
  await expect(search.model).toContainText('again');
});

test('the files of a Hugging Face folder can be dropped without the folder', async ({ search }) => {
  const loose = [...tinyModel()].filter(([path]) => !path.includes('/'));
  await search.drop(...loose.map(([name, buffer]) => ({ name, buffer })));
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  await expect(search.model.getByRole('button', { name: 'Save as .weights' })).toBeVisible();
});

test.describe('a bad file', () => {
  test('is refused with code, byte and field, and the page still works', async ({
    search,
    tiny,
  }) => {
    const damaged = Buffer.from(tiny);
    damaged.writeUInt32LE(99, 4);
    await search.chooseModel({ name: 'damaged.weights', buffer: damaged });
    await expect(search.alert).toContainText('The model was not opened');
    await expect(search.fact(search.alert, 'Code')).toHaveText('UnsupportedVersion');
    await expect(search.fact(search.alert, 'Byte')).toHaveText('4');
    await expect(search.fact(search.alert, 'Field')).toContainText('version');
    await expect(search.model).toContainText('english-static-336 (built in)');
    await search.ask('trouble falling asleep at night');
    await expect(search.results.first()).toContainText('Insomnia');
  });

  test('that is incomplete is refused as truncated', async ({ search, tiny }) => {
    const half = tiny.subarray(0, tiny.length >> 1);
    await search.chooseModel({ name: 'half.weights', buffer: Buffer.from(half) });
    await expect(search.fact(search.alert, 'Code')).toHaveText('Truncated');
    await expect(search.fact(search.alert, 'Byte')).toHaveText(/^[\d,]+$/);
    await expect(search.fact(search.alert, 'Field')).not.toBeEmpty();
  });

  test('of another kind is refused with its kind', async ({ search }) => {
    const zip = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(64)]);
    await search.drop({ name: 'photos.zip', buffer: zip });
    await expect(search.fact(search.alert, 'Code')).toHaveText('BadMagic');
    await expect(search.alert).toContainText(/zip/i);
  });

  test('together with documents is refused, and nothing is added', async ({ search, tiny }) => {
    await search.drop(
      { name: 'a.txt', buffer: Buffer.from('Some text.') },
      { name: 'b.weights', buffer: tiny },
    );
    await expect(search.alert).toContainText('b.weights is not a document');
    await expect(search.documents).toContainText('166 passages');
  });

  test('that is missing in a model folder is named', async ({ search }) => {
    const files = [...tinyModel()].filter(([path]) => !path.includes('/') && path !== 'vocab.txt');
    await search.drop(...files.map(([name, buffer]) => ({ name, buffer })));
    await expect(search.alert).toContainText(/vocab\.txt|tokenizer\.json/);
  });
});
