// axe in every state of the convert page.
import { readFile } from 'node:fs/promises';
import { expect } from '../fixtures.ts';
import { test } from '../pages/convert-page.ts';
import { FailureMessage } from '../pages/failure.ts';
import { expectAccessible } from '../support/accessible.ts';
import { HeldRequests } from '../support/held-requests.ts';
import { showPrograms } from '../support/share.ts';
import { tinyLlama } from '../support/tiny-sources.ts';

const models = new URL('../../web/demo/public/models/', import.meta.url);

test('before a source, while it is read, planned, converted, and done', async ({
  page,
  converter,
  site,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'));
  await page.reload();
  const work = page.getByRole('region', { name: 'Work in progress' });
  await expectAccessible(page, 'no source');
  const reading = await HeldRequests.on(page, /\/models\/stories/);
  await page.getByLabel('Or open an address').fill(`${site}models/stories.amb`);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(work).toBeVisible();
  await expectAccessible(page, 'the source is being read');
  await reading.release();
  await expect(converter.source).toContainText('AMB');
  await converter.target('GGUF').check();
  await converter.storeAs('8-bit blocks (Q8_0)');
  await expectAccessible(page, 'a target is chosen');
  const converting = await HeldRequests.on(page, /\/models\/stories/);
  await converter.convert();
  await expect(work).toBeVisible();
  await expectAccessible(page, 'the model is being converted');
  await converting.release();
  await expect(converter.verdict).toContainText('Checked');
  await showPrograms(page);
  await expectAccessible(page, 'the converted file');
});

test('what a calibration needs, and what is left out', async ({ page, converter }) => {
  await converter.choose({
    name: 'digits.bin',
    buffer: await readFile(new URL('digits-vanilla.bin', models)),
  });
  await converter.target('tinyRuntime').check();
  await converter.storeAs('8-bit throughout (SQ8)');
  await expect(converter.pictures).toBeVisible();
  await expectAccessible(page, 'calibration pictures and a plan');
  await converter.choose(...[...tinyLlama()].map(([name, buffer]) => ({ name, buffer })));
  await converter.target('AMB').check();
  await converter.storeAs('Blocks with a bit budget');
  await expect(converter.calibration).toBeVisible();
  await expectAccessible(page, 'a bit budget and a calibration text');
});

test('a damaged source, and a file that is no model', async ({ page, converter, tiny }) => {
  await converter.choose({ name: 'cut.weights', buffer: tiny.subarray(0, 20_000) });
  await expect(converter.source).toContainText('Cut off: ');
  await expectAccessible(page, 'a source that is cut off');
  await converter.choose({ name: 'page.html', buffer: Buffer.from('<!doctype html><p>hello') });
  const failure = new FailureMessage(page);
  await failure.details.getByText('Details').click();
  await expectAccessible(page, 'a file was refused');
});
