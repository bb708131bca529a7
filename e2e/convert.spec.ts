import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { convert } from 'ambry';
import { networkFile } from '../tests/web/support/network-file.ts';
import { expect, test } from './fixtures.ts';
import { tinyModel } from './support/tiny-model.ts';
import { gloveText, tinyLlama, tinyNetwork } from './support/tiny-sources.ts';

const kDigits = {
  network: new URL('../web/demo/public/models/digits-vanilla.bin', import.meta.url),
  plan: new URL('../web/demo/public/models/digits-plan.json', import.meta.url),
  picture: new URL('../tests/fixtures/digits/sheet.png', import.meta.url),
};

const filesOf = (folder: ReadonlyMap<string, Buffer>) =>
  [...folder].filter(([path]) => !path.includes('/')).map(([name, buffer]) => ({ name, buffer }));

test.beforeEach(async ({ page }) => {
  // Chromium would ask where to save; a download can be looked at.
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'));
});

test.describe('one conversion of each family', () => {
  test('a sentence encoder from Hugging Face to EMBD', async ({ converter }) => {
    await converter.choose(...filesOf(tinyModel()));
    await expect(converter.source).toContainText('safetensors');
    await converter.convertTo('EMBD');
    await expect(converter.verdict).toContainText('EMBD F0 1.0');
    const saved = await converter.save();
    expect(saved.subarray(0, 4).toString()).toBe('EMBD');
  });

  test('a llama from Hugging Face to AMB in 4-bit blocks, with what that loses', async ({
    converter,
  }) => {
    await converter.choose(...filesOf(tinyLlama()));
    await converter.target('AMB').check();
    await converter.storeAs('4-bit blocks');
    await converter.convert();
    await expect(converter.verdict).toContainText('Checked: structure and checksums are right');
    await expect(converter.table.getByRole('row').nth(1)).toContainText('int4_block');
    await expect(converter.table.getByRole('row').nth(1)).toContainText('%');
    await expect(converter.agreement).toContainText(/the same next token after \d+ of \d+/);
    const saved = await converter.save();
    expect(saved.subarray(0, 5).toString()).toBe('AMBEE');
  });

  test('a llama to AMB within a budget of bits, weighed by a text', async ({ converter }) => {
    await converter.choose(...filesOf(tinyLlama()));
    await converter.target('AMB').check();
    await expect(converter.calibration).toBeHidden();
    await converter.storeAs('Blocks within a budget of bits');
    await converter.convert();
    const plain = await converter.save();
    await converter.calibration.fill('the cat sat on the mat, and the dog slept');
    await converter.convert();
    const weighed = await converter.save();
    expect(weighed.length).toBeGreaterThan(plain.length * 0.95);
    expect(weighed.length).toBeLessThan(plain.length * 1.05);
    expect(weighed.equals(plain)).toBe(false);
  });

  test('a GGUF file to EMBD and the same numbers', async ({ converter, tiny }) => {
    const gguf = await convert(new Blob([Uint8Array.from(tiny)]), { to: 'gguf' });
    const buffer = Buffer.from(await gguf.arrayBuffer());
    await converter.choose({ name: 'tiny.gguf', buffer });
    await expect(converter.source).toContainText('GGUF');
    await converter.convertTo('EMBD');
    await expect(converter.verdict).toContainText('Checked');
    await expect(converter.outcome).toContainText('every number is what it was');
  });

  test('word vectors from text to finalfusion', async ({ converter }) => {
    await converter.choose({ name: 'vectors.txt', buffer: gloveText() });
    await converter.readAs('text');
    await converter.convertTo('finalfusion');
    const saved = await converter.save();
    expect(saved.subarray(0, 4).toString()).toBe('FiFu');
  });

  test('a network of tinyRuntime to DQ8', async ({ converter }) => {
    await converter.choose({ name: 'net.bin', buffer: tinyNetwork() });
    await converter.target('tinyRuntime').check();
    await converter.storeAs('8-bit groups (DQ8)');
    await converter.convert();
    await expect(converter.verdict).toContainText('tinyRuntime DQ8');
    await expect(converter.verdict).toContainText('Checked');
  });

  test('a network of tinyRuntime to SQ8, tried on pictures', async ({ converter }) => {
    await converter.choose({ name: 'digits.bin', buffer: await readFile(kDigits.network) });
    await converter.target('tinyRuntime').check();
    await converter.storeAs('8-bit throughout (SQ8)');
    await expect(converter.convertButton).toBeDisabled();
    await converter.plan.setInputFiles(fileURLToPath(kDigits.plan));
    await converter.pictures.setInputFiles(fileURLToPath(kDigits.picture));
    await converter.convert();
    await expect(converter.verdict).toContainText('tinyRuntime SQ8');
    await expect(converter.verdict).toContainText('Checked');
    await expect(converter.agreement).toContainText('Over 1 picture, the same answer to 1');
  });

  test('a sentence encoder to safetensors', async ({ converter, tiny }) => {
    await converter.choose({ name: 'tiny.weights', buffer: tiny });
    await converter.convertTo('safetensors');
    await expect(converter.verdict).toContainText('Checked');
  });
});

test('a picture that is none is told so', async ({ converter }) => {
  await converter.choose({ name: 'net.bin', buffer: Buffer.from(networkFile()) });
  await converter.target('tinyRuntime').check();
  await converter.storeAs('8-bit throughout (SQ8)');
  const buffer = Buffer.from('no picture');
  await converter.pictures.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer });
  await converter.convert();
  await expect(converter.alert).toContainText('The picture cannot be decoded');
});

test('an architecture that is not stated can be chosen', async ({ converter }) => {
  const files = tinyLlama();
  const config = JSON.parse(String(files.get('config.json')));
  delete config.model_type;
  delete config.architectures;
  files.set('config.json', Buffer.from(JSON.stringify(config)));
  await converter.choose(...filesOf(files));
  await expect(converter.target('AMB')).toBeDisabled();
  await converter.architecture.selectOption('llama');
  await converter.convertTo('AMB');
  await expect(converter.verdict).toContainText('Checked');
  await converter.choose(...filesOf(tinyModel()));
  await expect(converter.target('EMBD')).toBeEnabled();
});

test('a target that this source cannot become says why', async ({ converter }) => {
  await converter.choose(...filesOf(tinyModel()));
  await expect(converter.target('EMBD')).toBeEnabled();
  await expect(converter.target('AMB')).toBeDisabled();
});

test('a file that is no model is told so, and the page goes on', async ({ converter, tiny }) => {
  await converter.choose({ name: 'page.html', buffer: Buffer.from('<!doctype html><p>hello') });
  await expect(converter.alert).toContainText('What this is could not be told');
  await expect(converter.alert).toContainText(/web page|HTML/i);
  await converter.choose({ name: 'tiny.weights', buffer: tiny });
  await expect(converter.source).toContainText('EMBD');
  await expect(converter.alert).toBeEmpty();
});

test('a damaged source stops the conversion with its byte', async ({ converter, tiny }) => {
  await converter.choose({ name: 'cut.weights', buffer: tiny.subarray(0, 20_000) });
  await expect(converter.target('safetensors')).toBeDisabled();
  await expect(converter.page.locator('#target-list')).toContainText(
    /states \d+ bytes, the file has 20000/,
  );
});
