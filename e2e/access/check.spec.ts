// axe in every state of the check page.
import { readFile } from 'node:fs/promises';
import { layersOnnx } from '../../tests/web/support/files/onnx-file.ts';
import { expect } from '../fixtures.ts';
import type { CheckPage } from '../pages/check-page.ts';
import { test } from '../pages/check-page.ts';
import { expectAccessible } from '../support/accessible.ts';
import { withReservedWord } from '../support/edit-embd.ts';
import { HeldRequests } from '../support/held-requests.ts';
import { showPrograms } from '../support/share.ts';
import { showTheme, themes } from '../support/theme.ts';
import { tinyModel } from '../support/tiny-model.ts';

const stories = new URL('../../web/demo/public/models/stories.amb', import.meta.url);

/** Opens what can be opened in the report. */
async function openPanels(check: CheckPage): Promise<void> {
  await check.part('Attention').click();
  await expect(check.chosenPart).toContainText('Attention');
  await check.table.getByRole('row').nth(1).getByRole('button').first().click();
  await expect(check.table.getByText('First values')).toBeVisible();
  await check.map.getByRole('button', { name: /^header/ }).click();
  await expect(check.map.locator('.hex')).toBeVisible();
}

test('before a file, and while one is read', async ({ page, check, site }) => {
  await expectAccessible(page, 'no file');
  const held = await HeldRequests.on(page, /\/models\/stories/);
  await check.openUrl(`${site}models/stories.amb`);
  await expect(page.getByRole('region', { name: 'Work in progress' })).toBeVisible();
  await expectAccessible(page, 'a file is being read');
  await held.release();
  await expect(check.verdict).toContainText('AMB');
});

test('a sound file, with every panel open', async ({ page, check, tiny }) => {
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  await expect(check.verdict).toContainText('Valid EMBD');
  await check.tokenizer.getByLabel('Try it').fill('water');
  await expect(check.tokenizer.locator('.token').first()).toBeVisible();
  await openPanels(check);
  await showPrograms(page);
  await expectAccessible(page, 'a sound file');
  await check.report.getByRole('button', { name: 'Check all values', exact: true }).click();
  await expect(check.verdict).toContainText('all values');
  await check.table.getByRole('row').nth(1).getByRole('button').first().click();
  await expect(check.table.getByRole('img', { name: /^Histogram/ }).first()).toBeVisible();
  await expectAccessible(page, 'a file with its values');
});

test('a language model, with its layers folded and unfolded', async ({ page, check }) => {
  await check.choose({ name: 'stories.amb', buffer: await readFile(stories) });
  await check.part('Layers 0 to 3').click();
  await check.part('Each layer').focus();
  await page.keyboard.press('ArrowRight');
  await expect(check.part('Layer 0')).toBeVisible();
  await expectAccessible(page, 'layers unfolded');
});

test('the graph of an ONNX file, with a node chosen', async ({ page, check }) => {
  await check.choose({ name: 'layers.onnx', buffer: Buffer.from(layersOnnx(3)) });
  await check.openOutline();
  await check.node('layer.0').click();
  await check.node('query').click();
  await check.node('MatMul').click();
  await expect(check.chosenNode).toContainText('MatMul');
  for (const theme of themes) {
    await showTheme(page, theme);
    await expectAccessible(page, `a graph, ${theme}`);
  }
});

test('a damaged file, and a file that is cut off', async ({ page, check, tiny }) => {
  const damaged = Buffer.from(tiny);
  damaged.writeUInt32LE(damaged.readUInt32LE(8) | 0x8000, 8);
  await check.choose({ name: 'damaged.weights', buffer: damaged });
  await expect(check.problems.first()).toBeVisible();
  await openPanels(check);
  await expectAccessible(page, 'a damaged file');
  await check.choose({ name: 'cut.weights', buffer: tiny.subarray(0, 1000) });
  await expect(check.problems.first()).toContainText('Truncated');
  await expectAccessible(page, 'a file that is cut off');
});

test('several files: with a warning, and of an unknown kind', async ({ page, check, tiny }) => {
  await check.choose(
    { name: 'odd.weights', buffer: withReservedWord(tiny) },
    { name: 'cut.weights', buffer: tiny.subarray(0, 1000) },
    { name: 'archive.zip', buffer: Buffer.from('PK\x03\x04 and more bytes here') },
  );
  await expect(check.files).toHaveCount(3);
  const file = (name: string) => check.files.filter({ hasText: name }).getByRole('button').first();
  await expect(check.files.filter({ hasText: 'Reading' })).toHaveCount(0);
  await file('odd.weights').click();
  await expect(check.verdict).toContainText('Valid EMBD');
  await expectAccessible(page, 'a list of files, and one with a warning');
  await file('archive.zip').click();
  await check.report.getByText('Details').click();
  await expectAccessible(page, 'a file of an unknown kind');
});

test('a folder, and weights that cannot run', async ({ page, check }) => {
  const files = [...tinyModel()].filter(([path]) => !path.includes('/'));
  await check.choose(...files.map(([name, buffer]) => ({ name, buffer })));
  await expect(check.verdict).toContainText('Valid safetensors');
  await check.run.getByText(`${files.length} files`).click();
  await expectAccessible(page, 'a folder');
  const [weights] = files.filter(([name]) => name === 'model.safetensors');
  await check.choose({ name: 'model.safetensors', buffer: weights?.[1] ?? Buffer.alloc(0) });
  await expect(check.run).toContainText('Stands in the way');
  await expectAccessible(page, 'weights that cannot run');
});
