// What a visitor downloads of JavaScript and WebAssembly, counted from the requests that the browser makes, compressed
// as servers do. The budgets are a promise; a change that breaks one has to earn its bytes.

import { brotliCompressSync, constants } from 'node:zlib';
import { mergeTests, type Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { test as chatTest } from '../pages/chat-page.ts';
import { test as checkTest } from '../pages/check-page.ts';
import { test as classifyTest } from '../pages/classify-page.ts';
import { test as converterTest } from '../pages/convert-page.ts';
import { test as searchTest } from '../pages/search-page.ts';
import { test as wordsTest } from '../pages/words-page.ts';
import { tinyModel } from '../support/tiny-model.ts';

const test = mergeTests(chatTest, checkTest, classifyTest, converterTest, searchTest, wordsTest);

/** Bytes, brotli. Two take more than 300 KB: conversion knows every format as a source and as a target, and writing has
 *  a kernel for each type of quantized weights, 45 KB of grammars and schemas for the forms of answers, and 12 KB for embeddings, prompt
 *  lookup and several answers together. Classifying also calibrates, and draws feature maps. Checking and converting know every
 *  architecture and tokenizer of encoders, and checking draws the parts of a model and its bytes; searching runs a static encoder.
 *  Files as they are published (their tokenizers, templates, ends of answers and directories) took 5 KB of checking and writing and
 *  25 KB of converting. What checks the arguments of calls, and keeps the stacks of their callers, took 1 to 2 KB of each page. What
 *  makes copies and programs of results comes with their first use. What looks for hidden characters, and locks and versions of kept files,
 *  took 1 to 2 KB of each page, and word vectors and checkpoints as they are published 6 KB of converting. What opens classifiers that learn from examples, and the
 *  forms of vectors, took 1 KB of each page. Heads for tokens, sparse encoders and language models that rank took 5 KB of checking and
 *  writing, and 14 KB of converting. Layers that keep a state, experts, Gemma 3n and 4, and GGUF's types with grids took 16 KB of checking
 *  and 36 KB of writing; with adapters, and weights that other libraries have quantized, 61 KB of converting. The
 *  menu of Share, names of models as people copy them and the chat's field took 0.3 to 1.5 KB of each page. What plans passes for devices, and
 *  checks them, took 6 KB of writing, and SentencePiece's merges, compiled for speed, 2 KB. Each has less than 1 % of room, so that a page does not grow
 *  unseen. */
const byteBudgets = {
  searching: 140.5e3,
  checking: 312.2e3,
  'looking up words': 129.2e3,
  classifying: 127e3,
  writing: 430.5e3,
  converting: 546.8e3,
};

interface Row {
  readonly name: string;
  readonly raw: number;
  readonly brotli: number;
}

// Chromium does not keep what a worker streams into WebAssembly, so the file is fetched once more.
async function rowOf(url: string): Promise<Row> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return { name, raw: bytes.length, brotli: brotliCompressSync(bytes, { params }).length };
}

const line = (name: string, raw: number | string, brotli: number | string) =>
  [name.padEnd(36), String(raw).padStart(9), String(brotli).padStart(9)].join(' ');

/** What the page asks for from its reload until `use` is done: all of it, or what is `counted` when it is asked for. */
async function urlsOf(
  page: Page,
  use: () => Promise<unknown>,
  counted: () => Promise<boolean> = async () => true,
): Promise<{ urls: Set<string>; others: Set<string> }> {
  const urls = new Set<string>();
  const others = new Set<string>();
  await page.context().route(/\.(js|mjs|wasm)$/, async (route) => {
    ((await counted()) ? urls : others).add(route.request().url());
    await route.continue();
  });
  await page.reload();
  await use();
  return { urls, others };
}

async function expectWithin(what: keyof typeof byteBudgets, urls: Iterable<string>): Promise<void> {
  const rows = await Promise.all([...urls].map(rowOf));
  const total = rows.reduce((sum, { brotli }) => sum + brotli, 0);
  const table = rows
    .sort((a, b) => b.brotli - a.brotli)
    .map(({ name, raw, brotli }) => line(name, raw, brotli));
  const budget = byteBudgets[what];
  console.log(
    [
      line(`what ${what} downloads`, 'bytes', 'brotli'),
      ...table,
      line('in all', `of ${budget}`, total),
    ].join('\n'),
  );
  expect(rows.filter(({ name }) => name.endsWith('.wasm'))).toHaveLength(1);
  expect(rows.filter(({ name }) => name.endsWith('.js')).length).toBeGreaterThanOrEqual(2);
  expect(total).toBeLessThanOrEqual(budget);
}

test('searching downloads no more than promised', async ({ search }) => {
  const use = async () => {
    await search.expectReady();
    await search.ask('trouble falling asleep at night');
    await expect(search.sources).not.toHaveAttribute('hidden');
  };
  const unanswered = async () => (await search.results.count()) === 0;
  const { urls, others } = await urlsOf(search.page, use, unanswered);
  // What refines the answers comes when the first of them is on the page.
  expect(others.size).toBeGreaterThan(0);
  await expectWithin('searching', urls);
});

test('checking downloads no more than promised', async ({ check, tiny }) => {
  const { urls } = await urlsOf(check.page, async () => {
    await check.choose({ name: 'tiny.weights', buffer: tiny });
    await expect(check.verdict).toContainText('Valid EMBD');
  });
  await expectWithin('checking', urls);
});

test('looking up words downloads no more than promised', async ({ words }) => {
  const { urls } = await urlsOf(words.page, () =>
    expect(words.answer).toContainText('“winter” is in the list'),
  );
  await expectWithin('looking up words', urls);
});

test('classifying downloads no more than promised', async ({ classify }) => {
  const { urls } = await urlsOf(classify.page, () => classify.stroke([0.5, 0.2], [0.5, 0.8]));
  await expectWithin('classifying', urls);
});

test('writing downloads no more than promised', async ({ chat }) => {
  const { urls } = await urlsOf(chat.page, () => chat.expectDone());
  await expectWithin('writing', urls);
});

test('looking for targets of a conversion downloads no more than promised', async ({
  converter,
}) => {
  const { urls } = await urlsOf(converter.page, async () => {
    const files = [...tinyModel()].filter(([path]) => !path.includes('/'));
    await converter.choose(...files.map(([name, buffer]) => ({ name, buffer })));
    await expect(converter.source).toContainText('safetensors');
  });
  await expectWithin('converting', urls);
});
