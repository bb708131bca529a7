// Files of other formats are opened by the chat, check, search and words pages: dropped, by address, and by a name at the hub.

import { readFile } from 'node:fs/promises';
import { type BrowserContext, mergeTests } from '@playwright/test';
import { convert } from 'ambry';
import { splitGguf } from '../../tests/web/support/files/split-gguf.ts';
import { ByteServer, contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { HubServer } from '../../tests/web/support/servers/hub-server.ts';
import { expect } from '../fixtures.ts';
import { test as chatTest } from '../pages/chat-page.ts';
import { test as checkTest } from '../pages/check-page.ts';
import type { GivenFile } from '../pages/files.ts';
import { test as searchTest } from '../pages/search-page.ts';
import { test as wordsTest } from '../pages/words-page.ts';
import { tinyModel } from '../support/tiny-model.ts';
import { gloveText, tinyLlama } from '../support/tiny-sources.ts';
import { tinyWeights } from '../support/tiny-weights.ts';

const base = mergeTests(chatTest, checkTest, searchTest, wordsTest);

const storiesFile = new URL('../../web/demo/public/models/stories.amb', import.meta.url);

const bytesOf = async (blob: Blob): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await blob.arrayBuffer());

const storiesGguf = async () => bytesOf(await convert(await readFile(storiesFile), { to: 'gguf' }));
const encoderGguf = async () => bytesOf(await convert(await tinyWeights(), { to: 'gguf' }));

/** Names of another folder would make paths, which a drop of single files cannot have. */
const given = (files: ReadonlyMap<string, Uint8Array>): GivenFile[] =>
  [...files].map(([name, bytes]) => ({ name, buffer: Buffer.from(bytes) }));

interface Servers {
  readonly hub: HubServer;
  /** Serves a file to other origins, and returns its address. */
  readonly serve: (name: string, bytes: Uint8Array) => string;
}

/** Sends the requests to Hugging Face's hub to the hub of the test. Nothing else leaves the machine. */
async function answerAs(hub: HubServer, context: BrowserContext): Promise<void> {
  await context.route('https://huggingface.co/**', async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const { range } = request.headers();
    const headers: HeadersInit = range === undefined ? {} : { range };
    const answer = await fetch(hub.endpoint + pathname + search, { headers });
    await route.fulfill({
      status: answer.status,
      headers: {
        ...Object.fromEntries(answer.headers),
        'access-control-allow-origin': '*',
        'access-control-expose-headers': '*',
      },
      body: Buffer.from(await answer.arrayBuffer()),
    });
  });
}

/** A repository with ONNX only, and the one that its card names. */
function addOnnxOnly(hub: HubServer): void {
  hub.add('owner/tiny-bert', tinyModel());
  const files = new Map([['onnx/model.onnx', Buffer.from('a graph')]]);
  const cardData = { base_model: 'owner/tiny-bert' };
  hub.add('owner/onnx-only', files, { list: (_, body) => ({ ...(body as object), cardData }) });
}

const test = base.extend<Servers>({
  hub: async ({ context }, use) => {
    const hub = await HubServer.start();
    await answerAs(hub, context);
    await use(hub);
    hub.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from this pattern.
  serve: async ({}, use) => {
    const server = await ByteServer.start();
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    await use((name, bytes) => server.serve(name, { content: contentOf(bytes), headers }).url);
    server.close();
  },
});

test.describe('chat', () => {
  test.beforeEach(async ({ chat }) => {
    await chat.set('Temperature', '0');
  });

  test('opens GGUF, whole and in parts, by drop, address and name, with the same text', async ({
    chat,
    hub,
    serve,
  }) => {
    const gguf = await storiesGguf();
    const expected = await chat.write('The old robot');
    await chat.drop({ name: 'whole.gguf', buffer: Buffer.from(gguf) });
    await expect(chat.model).toContainText('whole');
    expect(await chat.write('The old robot')).toBe(expected);
    await chat.choose(...given(await splitGguf(gguf, 3)));
    await expect(chat.model).toContainText('tiny');
    expect(await chat.write('The old robot')).toBe(expected);
    await chat.openAddress(serve('served.gguf', gguf));
    await expect(chat.model).toContainText('served');
    expect(await chat.write('The old robot')).toBe(expected);
    hub.add('owner/stories', new Map([['stories-F32.gguf', gguf]]));
    await chat.openAddress('hf:owner/stories');
    await expect(chat.model).toContainText('stories');
    expect(await chat.write('The old robot')).toBe(expected);
    expect(hub.fetched.length).toBeGreaterThan(0);
  });

  test('opens a Hugging Face folder by drop and by name', async ({ chat, hub }) => {
    await chat.set('Maximum tokens', '8');
    await chat.drop(...given(tinyLlama()));
    await expect(chat.model).not.toContainText('built in');
    const text = await chat.write('water');
    hub.add('owner/tiny-llama', tinyLlama());
    await chat.openAddress('hf:owner/tiny-llama');
    await expect(chat.model).toContainText('tiny-llama');
    expect(await chat.write('water')).toBe(text);
  });

  test('names what a repository lacks, and keeps its model', async ({
    chat,
    hub,
    browserErrors,
  }) => {
    browserErrors.expect(/Failed to load resource/);
    hub.add('owner/nothing', new Map([['README.md', Buffer.from('text')]]));
    await chat.openAddress('hf:owner/nothing');
    await expect(chat.alert).toContainText('owner/nothing');
    await chat.openAddress('hf:owner/missing');
    await expect(chat.alert).toContainText('owner/missing');
    expect(await chat.write('The old robot')).not.toBe('');
  });
});

test.describe('search', () => {
  test('opens a GGUF encoder by drop, address and name', async ({ search, hub, serve }) => {
    const gguf = await encoderGguf();
    const opened = async (name: string) => {
      await expect(search.model).toContainText(name);
      await expect(search.fact(search.index, 'Dimensions')).toHaveText('32');
      await search.ask('bread');
      await expect(search.results.first()).toBeVisible();
    };
    await search.chooseModel({ name: 'dropped.gguf', buffer: Buffer.from(gguf) });
    await opened('dropped');
    await search.loadModelFrom(serve('served.gguf', gguf));
    await opened('served');
    hub.add('owner/tiny-bert', tinyModel());
    await search.loadModelFrom('hf:owner/tiny-bert');
    await opened('tiny-bert');
  });

  test('opens the repository with the weights of one that has ONNX only', async ({
    search,
    hub,
  }) => {
    addOnnxOnly(hub);
    await search.loadModelFrom('hf:owner/onnx-only');
    await expect(search.alert).toContainText('It was made of owner/tiny-bert');
    await search.alert.getByRole('button', { name: 'Open owner/tiny-bert' }).click();
    await expect(search.model).toContainText('tiny-bert');
    await expect(search.fact(search.index, 'Dimensions')).toHaveText('32');
  });

  test('opens word vectors in text', async ({ search }) => {
    const header = Buffer.from('8 16\n');
    const buffer = Buffer.concat([header, gloveText()]);
    await search.chooseModel({ name: 'words.vec', buffer });
    await expect(search.fact(search.index, 'Dimensions')).toHaveText('16');
  });
});

test.describe('words', () => {
  test('opens vectors in text by address and name', async ({ words, hub, serve }) => {
    const opened = async (name: string) => {
      await expect(words.file).toContainText(name);
      await expect(words.file).toContainText('8 words, 16 dimensions');
      await words.lookUp('water');
      await expect(words.neighbours).toHaveCount(7);
    };
    await words.openUrl(serve('served.txt', gloveText()));
    await opened('served');
    hub.add('owner/glove', new Map([['glove.vec', gloveText()]]));
    await words.openUrl('hf:owner/glove/glove.vec');
    await opened('glove');
  });
});

test.describe('check', () => {
  test('opens the repository with the weights of one that has ONNX only', async ({
    check,
    hub,
  }) => {
    addOnnxOnly(hub);
    await check.openUrl('hf:owner/onnx-only');
    await expect(check.verdict).toContainText('It was made of owner/tiny-bert');
    await check.report.getByRole('button', { name: 'Open owner/tiny-bert' }).click();
    await expect(check.run).toContainText('sentence');
  });
});
