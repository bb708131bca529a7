// The graph of ONNX files: groups by the paths of modules, nodes, and the way from a node to its tensors.
import { layersOnnx, onnxFile } from '../../tests/web/support/onnx-file.ts';
import { expect } from '../fixtures.ts';
import { test } from '../pages/check-page.ts';
import { excessWidth } from '../support/layout.ts';
import { showTheme, themes } from '../support/theme.ts';

const layers = { name: 'layers.onnx', buffer: Buffer.from(layersOnnx(3)) };

test('groups open to nodes, and a node leads to its tensor', async ({ check }) => {
  await check.choose(layers);
  await expect(check.verdict).toContainText(/onnx/i);
  await expect(check.graph).toContainText('main_graph, 6 nodes, operators of ONNX 17');
  await expect(check.graph).toContainText('MatMul 3 · Softmax 3');
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
  await check.node('layer.2').click();
  await check.node('Softmax').click();
  await check.chosenNode.getByRole('button', { name: 'layer.2/query/MatMul_output' }).click();
  await expect(check.node('MatMul')).toBeFocused();
  await expect(check.chosenNode).toContainText('OperatorMatMul');
});

test('the keyboard opens, closes and chooses', async ({ check, page }) => {
  await check.choose(layers);
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

test('many nodes are some hundred boxes', async ({ check }) => {
  const nodes = Array.from({ length: 30_000 }, (_, i) => ({
    op: 'Relu',
    inputs: [i === 0 ? 'x' : `v${i}`],
    outputs: [i === 29_999 ? 'y' : `v${i + 1}`],
  }));
  await check.choose({ name: 'long.onnx', buffer: Buffer.from(onnxFile(nodes)) });
  await expect(check.graph).toContainText('30,000 nodes, of which the first 20,000 are drawn');
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
  await check.node('layer.1').click();
  await check.node('query').click();
  await check.node('MatMul').click();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const theme of themes) {
    await showTheme(page, theme);
    expect(await excessWidth(page)).toBeLessThanOrEqual(0);
  }
});
