import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { convert } from 'ambry';
import { networkFile } from '../../tests/web/support/files/network-file.ts';
import { expect } from '../fixtures.ts';
import { test } from '../pages/convert-page.ts';
import { tinyModel } from '../support/tiny-model.ts';
import { gloveText, tinyLlama, tinyNetwork } from '../support/tiny-sources.ts';

const digits = {
  network: new URL('../../web/demo/public/models/digits-vanilla.bin', import.meta.url),
  plan: new URL('../../web/demo/public/models/digits-plan.json', import.meta.url),
  picture: new URL('../../tests/fixtures/digits/sheet.png', import.meta.url),
};

const filesOf = (folder: ReadonlyMap<string, Buffer>) =>
  [...folder].filter(([path]) => !path.includes('/')).map(([name, buffer]) => ({ name, buffer }));

test.beforeEach(async ({ page }) => {
  // Without this function the page downloads the file, which the test can read.
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

  test('a llama from Hugging Face to AMB in 4-bit blocks, with the errors', async ({
    converter,
  }) => {
    await converter.choose(...filesOf(tinyLlama()));
    await converter.target('AMB').check();
    await converter.storeAs('4-bit blocks');
    await converter.convert();
    await expect(converter.verdict).toContainText('Checked: structure and checksums are correct');
    await expect(converter.table.getByRole('row').nth(1)).toContainText('int4_block');
    await expect(converter.table.getByRole('row').nth(1)).toContainText('%');
    await expect(converter.agreement).toContainText(/the next token is the same after \d+ of \d+/);
    const saved = await converter.save();
    expect(saved.subarray(0, 5).toString()).toBe('AMBEE');
  });

  test('a llama to AMB with a bit budget, calibrated by a text', async ({ converter }) => {
    await converter.choose(...filesOf(tinyLlama()));
    await converter.target('AMB').check();
    await expect(converter.calibration).toBeHidden();
    await converter.storeAs('Blocks with a bit budget');
    await converter.convert();
    const plain = await converter.save();
    await converter.calibration.fill('the cat sat on the mat, and the dog slept');
    await converter.convert();
    const calibrated = await converter.save();
    expect(calibrated.length).toBeGreaterThan(plain.length * 0.95);
    expect(calibrated.length).toBeLessThan(plain.length * 1.05);
    expect(calibrated.equals(plain)).toBe(false);
  });

  test('a GGUF file to EMBD without changed values', async ({ converter, tiny }) => {
    const gguf = await convert(new Blob([Uint8Array.from(tiny)]), { to: 'gguf' });
    const buffer = Buffer.from(await gguf.arrayBuffer());
    await converter.choose({ name: 'tiny.gguf', buffer });
    await expect(converter.source).toContainText('GGUF');
    await converter.convertTo('EMBD');
    await expect(converter.verdict).toContainText('Checked');
    await expect(converter.outcome).toContainText('No value changed.');
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

  test('a network of tinyRuntime to SQ8, calibrated by pictures', async ({ converter }) => {
    await converter.choose({ name: 'digits.bin', buffer: await readFile(digits.network) });
    await converter.target('tinyRuntime').check();
    await converter.storeAs('8-bit throughout (SQ8)');
    await expect(converter.convertButton).toBeDisabled();
    await converter.plan.setInputFiles(fileURLToPath(digits.plan));
    await converter.pictures.setInputFiles(fileURLToPath(digits.picture));
    await converter.convert();
    await expect(converter.verdict).toContainText('tinyRuntime SQ8');
    await expect(converter.verdict).toContainText('Checked');
    await expect(converter.agreement).toContainText('The answer is the same for 1 of 1 picture');
  });

  test('a sentence encoder to safetensors', async ({ converter, tiny }) => {
    await converter.choose({ name: 'tiny.weights', buffer: tiny });
    await converter.convertTo('safetensors');
    await expect(converter.verdict).toContainText('Checked');
  });
});

test('a calibration picture that cannot be read is reported', async ({ converter }) => {
  await converter.choose({ name: 'net.bin', buffer: Buffer.from(networkFile()) });
  await converter.target('tinyRuntime').check();
  await converter.storeAs('8-bit throughout (SQ8)');
  const buffer = Buffer.from('no picture');
  await converter.pictures.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer });
  await converter.convert();
  await expect(converter.alert).toContainText('The picture cannot be decoded');
});

test('the architecture can be chosen if the source does not state it', async ({ converter }) => {
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

test('a target that is not possible is disabled', async ({ converter }) => {
  await converter.choose(...filesOf(tinyModel()));
  await expect(converter.target('EMBD')).toBeEnabled();
  await expect(converter.target('AMB')).toBeDisabled();
});

test('a file that is not a model is refused, and the page still works', async ({
  converter,
  tiny,
}) => {
  await converter.choose({ name: 'page.html', buffer: Buffer.from('<!doctype html><p>hello') });
  await expect(converter.alert).toContainText('The format of this file is unknown');
  await expect(converter.alert).toContainText(/web page|HTML/i);
  await converter.choose({ name: 'tiny.weights', buffer: tiny });
  await expect(converter.source).toContainText('EMBD');
  await expect(converter.alert).toBeEmpty();
});

test('a source that is cut off is refused', async ({ page, converter, tiny }) => {
  await converter.choose({ name: 'cut.weights', buffer: tiny.subarray(0, 20_000) });
  await expect(converter.source).toContainText(/^Cut off: 20,000 of [\d,]+ bytes are here\./);
  await expect(converter.convertButton).toBeHidden();
  await page.getByRole('button', { name: 'See what is wrong' }).click();
  await expect(page.locator('#verdict-line')).toContainText('Cut off: 20,000 of');
});
