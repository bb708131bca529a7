// ONNX files on the pages: encoders, language models and networks for pictures, with their files and without.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mergeTests } from '@playwright/test';
import { type ConversionReport, convert } from 'ambry';
import { onnxEncoder } from '../../tests/web/support/files/onnx-encoder.ts';
import { expect } from '../fixtures.ts';
import { test as chatTest } from '../pages/chat-page.ts';
import { test as checkTest } from '../pages/check-page.ts';
import { test as classifyTest } from '../pages/classify-page.ts';
import { test as convertTest } from '../pages/convert-page.ts';
import type { GivenFile } from '../pages/files.ts';
import { test as searchTest } from '../pages/search-page.ts';
import { networkFile, onnxDecoder } from '../support/onnx-models.ts';

const test = mergeTests(chatTest, checkTest, classifyTest, convertTest, searchTest);

const { onnx: encoder } = onnxEncoder('bert_opset17_sdpa');

/** Single files have no folders. */
const given = (files: ReadonlyMap<string, Uint8Array>): GivenFile[] =>
  [...files].map(([path, bytes]) => ({
    name: path.replace(/^.*\//, ''),
    buffer: Buffer.from(bytes),
  }));

const graphAlone = given(encoder).filter(({ name }) => name === 'model.onnx');
const withoutData = given(encoder).filter(({ name }) => name !== 'weights');

test.describe('search', () => {
  test('answers with a folder and with its files', async ({ search }, testInfo) => {
    const folder = testInfo.outputPath('tiny-onnx');
    for (const [path, bytes] of encoder) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    const answers = async () => {
      await expect(search.fact(search.index, 'Dimensions')).toHaveText('36');
      // The answers of the model before are gone with the question.
      await search.query.fill('');
      await expect(search.status).toContainText(/^Ready:/);
      await search.ask('w7 w8');
      await expect(search.results.first()).toBeVisible();
      return search.results.first().locator('.result-text').textContent();
    };
    await search.chooseModelFolder(folder);
    await expect(search.model).toContainText('tiny-onnx');
    const first = await answers();
    await search.chooseModel(...given(encoder));
    await expect(search.model).not.toContainText('tiny-onnx');
    expect(await answers()).toBe(first);
  });

  test('names the files that a graph alone lacks', async ({ search }) => {
    await search.chooseModel(...graphAlone);
    await expect(search.alert).toContainText('config.json');
    await search.chooseModel(...withoutData);
    await expect(search.alert).toContainText('weights');
    await search.ask('bread');
  });
});

test.describe('convert', () => {
  test('makes EMBD of an encoder, and 8 bits', async ({ converter, page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'));
    await page.reload();
    await converter.drop(...given(encoder));
    await expect(converter.source).toContainText('ONNX');
    await converter.convertTo('EMBD');
    await expect(converter.verdict).toContainText('EMBD F0 1.0');
    const whole = await converter.save();
    expect(whole.subarray(0, 4).toString()).toBe('EMBD');
    await converter.storeAs('8-bit integers');
    await converter.convert();
    const small = await converter.save();
    expect(small.length).toBeLessThan(whole.length / 2);
  });

  test('names the files that a graph alone lacks', async ({ converter }) => {
    await converter.choose(...graphAlone);
    await expect(converter.page.getByText('config.json').first()).toBeVisible();
  });

  test('makes tinyRuntime of a network', async ({ converter }) => {
    await converter.choose(networkFile());
    await converter.convertTo('tinyRuntime');
    await expect(converter.verdict).toContainText('Checked');
  });
});

test.describe('check', () => {
  test('draws the graph of an encoder', async ({ check }) => {
    await check.drop(...given(encoder));
    await expect(check.verdict).toContainText('Valid');
    await expect(check.run).toContainText('Runs as a sentence encoder');
    await expect(check.graph).toContainText('319 nodes');
    await check.openOutline();
    await check.graph.getByRole('treeitem').first().click();
    await expect(check.chosenNode).toContainText('Operator');
  });

  test('draws the graph of a language model, and opens a tensor', async ({ check }) => {
    await check.drop(...onnxDecoder('llama'));
    await expect(check.run).toContainText('generates text');
    await expect(check.graph).toContainText('nodes');
    const row = check.table.getByRole('button', { name: 'model.embed_tokens.weight' });
    await row.click();
    await expect(check.report).toContainText('First values');
  });

  test('draws the graph of a network, and opens a tensor', async ({ check }) => {
    await check.choose(networkFile());
    await expect(check.run).toContainText('image classifier');
    await check.openOutline();
    await check.node('conv1').click();
    await check.node('Conv').click();
    await check.chosenNode.getByRole('button', { name: 'conv1.weight' }).click();
    await expect(check.table.locator('tr.chosen')).toBeFocused();
  });

  test('says which files a graph alone lacks', async ({ check }) => {
    await check.choose(...graphAlone);
    await expect(check.run).toContainText('config.json');
    await expect(check.graph).toContainText('319 nodes');
    await check.choose(...withoutData);
    await expect(check.report).toContainText('"weights"');
  });
});

test.describe('chat', () => {
  test('writes tokens with a language model', async ({ chat }) => {
    await chat.drop(...onnxDecoder('llama'));
    await expect(chat.model).not.toContainText('built in');
    await chat.set('Maximum tokens', '4');
    await chat.write('abc');
    expect(await chat.tokens.count()).toBeGreaterThan(0);
  });

  test('says what is missing', async ({ chat }) => {
    await chat.drop(...onnxDecoder('llama').filter(({ name }) => name !== 'tokenizer.json'));
    await expect(chat.model).not.toContainText('built in');
    await chat.page.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(chat.alert).toContainText('tokenizer');
    await chat.choose(...graphAlone);
    await expect(chat.alert).toContainText('config.json');
  });
});

test.describe('classify', () => {
  test('runs a network without a plan', async ({ classify }) => {
    await classify.choose(networkFile('residual-folded'));
    await expect(classify.network).toContainText('residual-folded');
    await expect(classify.floats.first()).toContainText('%');
  });

  test('runs a network beside its config.json', async ({ classify }) => {
    const config = Buffer.from('{"model_type":"resnet"}');
    await classify.choose(networkFile('residual-folded'), { name: 'config.json', buffer: config });
    await expect(classify.network).toContainText('residual-folded');
    await expect(classify.floats.first()).toContainText('%');
  });

  test('asks for how a picture becomes the values of one channel', async ({ classify }) => {
    const network = networkFile();
    await classify.choose(network);
    await expect(classify.alert).toContainText('image');
    let plan: object | undefined;
    const onReport = (report: ConversionReport) => {
      plan = report.plan;
    };
    await convert(new Uint8Array(network.buffer), { to: 'tinyruntime', onReport });
    const image = { mean: [0.5], std: [0.25], resize: 'crop' };
    const buffer = Buffer.from(JSON.stringify({ ...plan, image }));
    await classify.choose(network, { name: 'plan.json', buffer });
    await expect(classify.network).toContainText('digits-folded');
    await expect(classify.floats).toHaveCount(5);
  });

  test('names what a graph of another kind lacks', async ({ classify }) => {
    await classify.choose(...graphAlone);
    await expect(classify.alert).toContainText('config.json');
  });
});
