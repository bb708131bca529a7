// The graph of ONNX files: its drawing, groups by the paths of modules, nodes, and the way from a node to its tensors.
import type { Locator } from '@playwright/test';
import { layersOnnx, onnxFile } from '../../tests/web/support/files/onnx-file.ts';
import { expect } from '../fixtures.ts';
import { test } from '../pages/check-page.ts';
import { excessWidth } from '../support/layout.ts';
import { showTheme, themes } from '../support/theme.ts';

const layers = { name: 'layers.onnx', buffer: Buffer.from(layersOnnx(3)) };

/** The box is in the frame of the drawing. */
async function expectInFrame(box: Locator): Promise<void> {
  const isIn = () =>
    box.evaluate((node) => {
      const frame = node.closest('.graph-frame')?.getBoundingClientRect();
      const { top, bottom } = node.getBoundingClientRect();
      return frame !== undefined && top >= frame.top && bottom <= frame.bottom;
    });
  await expect.poll(isIn).toBe(true);
}

test('groups open to nodes, and a node leads to its tensor', async ({ check }) => {
  await check.choose(layers);
  await expect(check.verdict).toContainText(/onnx/i);
  await expect(check.graph).toContainText('main_graph, 6 nodes, operators of ONNX 17');
  await expect(check.graph).toContainText('MatMul 3 · Softmax 3');
  await check.openOutline();
  await expect(check.node('layer')).toHaveCount(3);
  await check.node('layer.1').click();
  await expect(check.chosenNode).toContainText('Nodes2');
  await check.node('query').click();
  await check.node('MatMul').click();
  await expect(check.chosenNode).toContainText('/encoder/layer.1/query/MatMul');
  await check.chosenNode.getByRole('button', { name: 'onnx::MatMul_1' }).click();
  await expect(check.table.locator('tr.chosen')).toBeFocused();
  await expect(check.table.locator('tr.chosen')).toContainText('onnx::MatMul_1');
});

test('a value leads to the node that makes it', async ({ check }) => {
  await check.choose(layers);
  await check.openOutline();
  await check.node('layer.2').click();
  await check.node('Softmax').click();
  await check.chosenNode.getByRole('button', { name: 'layer.2/query/MatMul_output' }).click();
  await expect(check.node('MatMul')).toBeFocused();
  await expect(check.chosenNode).toContainText('OperatorMatMul');
});

test('the keyboard opens, closes and chooses', async ({ check, page }) => {
  await check.choose(layers);
  await check.openOutline();
  const first = check.node('encoder');
  await first.focus();
  await page.keyboard.press('ArrowDown');
  await expect(check.node('layer.0')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(check.node('layer.0')).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('End');
  await expect(check.node('layer.2')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(check.node('layer.2')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(check.node('layer.2')).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowLeft');
  await expect(first).toBeFocused();
});

test('all nodes of a small graph are drawn, with their weights and the types between them', async ({
  check,
}) => {
  await check.choose(layers);
  await expect(check.drawn('MatMul')).toHaveCount(3);
  await expect(check.drawn('Softmax')).toHaveCount(3);
  await expect(check.drawn('x')).toContainText('float batch × 2');
  await expect(check.drawn('MatMul').first()).toContainText('onnx::MatMul_0 ⟨2 × 2⟩');
  await expect(check.graph.locator('.graph-type').first()).toHaveText('float batch × 2');
  await check.drawn('Softmax').nth(1).click();
  await expect(check.chosenNode).toContainText('/encoder/layer.1/Softmax');
  await expect(check.chosenNode).toContainText('axis1');
  await expect(check.chosenNode).toContainText('float batch × 2');
  await expect(check.drawn('Softmax').nth(1)).toHaveClass(/chosen/);
});

test('a node is found by its name, and Enter goes to the next one', async ({ check, page }) => {
  await check.choose(layers);
  const field = check.graph.getByLabel('Find a node');
  await field.fill('softmax');
  await expect(check.graph).toContainText('1 of 3 nodes');
  await expect(check.chosenNode).toContainText('layer.0/Softmax');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(check.graph).toContainText('3 of 3 nodes');
  await expect(check.chosenNode).toContainText('layer.2/Softmax');
  await expectInFrame(check.drawn('Softmax').nth(2));
  await page.keyboard.press('Shift+Enter');
  await expect(check.chosenNode).toContainText('layer.1/Softmax');
  await expect(field).toBeFocused();
  await field.fill('nothing');
  await expect(check.graph).toContainText('No node has this');
});

test('the field for names is there with its code, and loses nothing that is typed', async ({
  check,
  page,
}) => {
  let release = () => {};
  const code = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/graph-view-[^/]*\.js$/, async (route) => {
    await code;
    await route.continue();
  });
  await check.choose(layers);
  await expect(check.verdict).toContainText(/onnx/i);
  await expect(check.graph).toBeHidden();
  release();
  await check.graph.getByLabel('Find a node').fill('softmax');
  await expect(check.graph).toContainText('1 of 3 nodes');
});

test('arrow keys follow the arrows of the drawing, which zooms and shows all', async ({
  check,
  page,
}) => {
  await check.choose(layers);
  await check.drawing.focus();
  await page.keyboard.press('ArrowDown');
  await expect(check.drawn('x')).toHaveClass(/chosen/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(check.drawn('Softmax').first()).toHaveClass(/chosen/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(check.chosenNode).toContainText('/encoder/layer.0/query/MatMul');
  await expect(check.drawing).toBeFocused();
  const widthOf = async () => (await check.drawn('MatMul').first().boundingBox())?.width ?? 0;
  const before = await widthOf();
  await page.keyboard.press('+');
  await expect.poll(widthOf).toBeGreaterThan(before);
  await page.keyboard.press('0');
  await expect.poll(widthOf).toBeLessThanOrEqual(before);
  await expectInFrame(check.drawn('y'));
});

test('of a large graph, groups are drawn until they are opened', async ({ check }) => {
  await check.choose({ name: 'large.onnx', buffer: Buffer.from(layersOnnx(250)) });
  await expect(check.graph).toContainText('500 nodes');
  // 250 layers are three ranges.
  await expect(check.graph.locator('.graph-node.group')).toHaveCount(3);
  await check.drawn('101 to 200').click();
  await expect(check.graph.locator('.graph-node.group')).toHaveCount(102);
  await expect(check.drawn('layer.100')).toBeVisible();
  await check.graph.getByLabel('Find a node').fill('layer.249/Softmax');
  await expect(check.drawn('Softmax')).toHaveClass(/chosen/);
});

test('many nodes are some hundred boxes', async ({ check }) => {
  const nodes = Array.from({ length: 30_000 }, (_, i) => ({
    op: 'Relu',
    inputs: [i === 0 ? 'x' : `v${i}`],
    outputs: [i === 29_999 ? 'y' : `v${i + 1}`],
  }));
  await check.choose({ name: 'long.onnx', buffer: Buffer.from(onnxFile(nodes)) });
  await expect(check.graph).toContainText('30,000 nodes, of which the first 20,000 are drawn');
  await check.openOutline();
  const boxes = check.graph.getByRole('treeitem');
  await boxes.first().click();
  await expect(boxes).toHaveCount(102);
  await boxes.nth(5).click();
  await boxes.nth(1).click();
  await expect(boxes).toHaveCount(302);
  // With this one it would be more than 400.
  await boxes.last().click();
  await expect(boxes).toHaveCount(102);
});

test('the graph fits on a phone, light and dark', async ({ check, page }) => {
  await check.choose(layers);
  await check.openOutline();
  await check.node('layer.1').click();
  await check.node('query').click();
  await check.node('MatMul').click();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const theme of themes) {
    await showTheme(page, theme);
    expect(await excessWidth(page)).toBeLessThanOrEqual(0);
  }
});
