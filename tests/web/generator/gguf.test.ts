// GGUF files that run as they are, through the built package, beside the AMB files that they were made of.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ModelParts, ModelSource, OpenOptions } from '../../../web/src/entries/types.ts';
import type { Generator } from '../../../web/src/index.ts';
import { cosine } from '../../../web/src/model/cosine.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';
import { chatTemplate, languageFile } from '../support/files/language-file.ts';
import { partName, type Split, splitGguf } from '../support/files/split-gguf.ts';
import { folderForAllTests } from '../support/for-all-tests.ts';
import { openGenerator } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';
import { contentOf } from '../support/servers/byte-server.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const greedy = { temperature: 0, maxTokens: 24 } as const;
const prompt = 'Hello, world';

async function ggufOf(amb: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await ambry.convert(amb, { to: 'gguf' })).arrayBuffer());
}

const answerOf = async (model: Generator) => (await model.generate(prompt, greedy).result).ids;

/** The answer of the model at a source. */
async function answerFrom(source: ModelSource | ModelParts, options: OpenOptions = {}) {
  await using model = await ambry.open(source, { ...options, kind: 'generator' });
  return await answerOf(model);
}

const amb = new Blob([languageFile({ layers: 4 })]);
const folder = folderForAllTests('ambry-gguf');
let file: Uint8Array<ArrayBuffer>;
let server: TestServer;
let wanted: readonly number[];
let logits: Float32Array;

beforeAll(async () => {
  file = await ggufOf(amb);
  server = await startServer(file);
  await writeFile(join(folder, 'model.gguf'), file);
  await using model = await openGenerator(amb);
  wanted = await answerOf(model);
  logits = await model.logits(prompt);
});

describe('a GGUF file', () => {
  test('gives the tokens of the AMB file that it was made of', async () => {
    await using model = await openGenerator(new Blob([file]));
    expect(wanted).toHaveLength(24);
    expect(await answerOf(model)).toEqual(wanted);
    expect(cosine(await model.logits(prompt), logits)).toBeGreaterThan(0.999999);
    expect(model.info).toMatchObject({
      format: 'gguf',
      version: 'v3',
      bytes: file.byteLength,
      metadata: { 'general.architecture': 'llama' },
      generator: { architecture: 'llama', layers: 4, vocabulary: 258 },
    });
    expect(model.info.tensors.map(({ name }) => name)).toContain('blk.3.ffn_down.weight');
    expect(model.chatTemplate).toBe(chatTemplate);
    const chat = await model.applyChatTemplate([{ role: 'user', content: 'Hi' }]);
    expect(chat).toBe('<s>user: Hi\nassistant:');
  });

  test('opens without a kind, by path, as bytes and as a stream', async () => {
    await using model = await openGenerator({ path: join(folder, 'model.gguf') });
    expect(await answerOf(model)).toEqual(wanted);
    expect(await answerFrom(join(folder, 'model.gguf'))).toEqual(wanted);
    expect(await answerFrom(file.slice())).toEqual(wanted);
    expect(await answerFrom(new Blob([file]).stream())).toEqual(wanted);
  });

  test('opens from a server with and without ranges', async () => {
    expect(await answerFrom(server.url('ranges'))).toEqual(wanted);
    expect(await answerFrom(server.url('plain'))).toEqual(wanted);
    expect(await answerFrom(server.url('no-length'))).toEqual(wanted);
  });

  test('runs with some of its layers in memory', async () => {
    const resident = Math.ceil(file.byteLength * 0.7);
    for (const source of [new Blob([file]), join(folder, 'model.gguf'), server.url('ranges')]) {
      await using model = await openGenerator(source, { resident });
      expect(model.info.generator.streaming).toMatchObject({ resident });
      expect(await answerOf(model)).toEqual(wanted);
    }
  });

  test('takes the options of other decoders', async () => {
    await using model = await openGenerator(new Blob([file]), { kv: 'f16', context: 32 });
    expect(model.info.generator).toMatchObject({ kv: 'f16', context: 32 });
    expect((await model.perplexity(prompt)).perplexity).toBeGreaterThan(1);
  });

  test('continues a broken download', async () => {
    const { url, asked } = server.serve('broken', {
      content: contentOf(file),
      etag: '"two"',
      dropAfter: (request) => (request < 2 ? 100_000 : undefined),
    });
    expect(await answerFrom(url)).toEqual(wanted);
    expect(asked.length).toBeGreaterThan(2);
  });

  test('runs in the command line', async () => {
    const path = join(folder, 'model.gguf');
    const args = ['--temperature', '0', '--max-tokens', '24', '--json'];
    const written = await ambryCli(['generate', path, '--prompt', prompt, ...args]);
    expect(written.json()).toMatchObject([{ ids: wanted }]);
    const scored = await ambryCli(['perplexity', path, '--text', prompt, '--json']);
    expect(scored.json()).toMatchObject([{ tokens: prompt.length }]);
    expect((await ambryCli(['tokenize', path, '--text', prompt])).code).toBe(0);
  });
});

describe('a split GGUF file', () => {
  let parts: Map<string, Uint8Array<ArrayBuffer>>;
  beforeAll(async () => {
    parts = await splitGguf(file, 3);
    for (const [name, bytes] of parts) {
      await writeFile(join(folder, name), bytes);
      server.serve(name, { content: contentOf(bytes), etag: `"${name}"` });
    }
  });

  const blobs = (from = parts) =>
    new Map([...from].map(([name, bytes]) => [name, new Blob([bytes])]));
  const files = (from = parts) => [...from].map(([name, bytes]) => new File([bytes], name));
  const address = (name: string) => new URL(name, server.url('ranges')).href;
  const first = partName(0, 3);

  test('opens by the path or the address of any part', async () => {
    expect(await answerFrom(join(folder, first))).toEqual(wanted);
    expect(await answerFrom(join(folder, partName(1, 3)))).toEqual(wanted);
    expect(await answerFrom(address(first))).toEqual(wanted);
  });

  test('opens as files, and as Blobs by name', async () => {
    expect(await answerFrom(files())).toEqual(wanted);
    expect(await answerFrom(files().reverse())).toEqual(wanted);
    expect(await answerFrom(blobs())).toEqual(wanted);
    expect(await answerFrom(Object.fromEntries(blobs()))).toEqual(wanted);
  });

  test('runs with some of its layers in memory', async () => {
    const resident = Math.ceil(file.byteLength * 0.7);
    for (const source of [join(folder, first), address(first)]) {
      expect(await answerFrom(source, { resident })).toEqual(wanted);
    }
  });

  test('is inspected, checked and converted as one model', async () => {
    const whole = await ambry.inspect(file);
    const joined = await ambry.inspect(join(folder, first));
    expect(joined.metadata).toEqual(whole.metadata);
    expect(joined.config).toEqual(whole.config);
    expect(joined.tensors.map(({ name, shape }) => [name, shape])).toEqual(
      whole.tensors.map(({ name, shape }) => [name, shape]),
    );
    const report = await ambry.validate(join(folder, first), { values: true });
    expect(report).toMatchObject({ valid: true, warnings: [] });
    const converted = await ambry.convert(join(folder, first), { to: 'gguf' });
    expect(new Uint8Array(await converted.arrayBuffer())).toEqual(file);
  });

  test('names a part that is missing', async () => {
    const some = blobs();
    some.delete(partName(1, 3));
    await expect(ambry.open(some)).rejects.toMatchObject({
      code: 'NotFound',
      path: partName(1, 3),
    });
    await expect(ambry.open(join(folder, partName(0, 4)))).rejects.toMatchObject({
      code: 'NotFound',
      path: partName(0, 4),
    });
    const { url } = server.serve(partName(0, 2), { content: contentOf(file), etag: '"3"' });
    await expect(ambry.open(url)).rejects.toMatchObject({ path: partName(1, 2) });
  });

  test('names a part alone', async () => {
    const alone = new Blob([parts.get(partName(1, 3)) as Uint8Array<ArrayBuffer>]);
    await expect(ambry.open(alone)).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'metadata.split.count',
      message: expect.stringContaining('part 2 of 3'),
    });
  });

  test('names a part that is cut off, before the weights are read', async () => {
    const cut = blobs();
    const second = parts.get(partName(1, 3)) as Uint8Array<ArrayBuffer>;
    cut.set(partName(1, 3), new Blob([second.subarray(0, second.byteLength - 64)]));
    await expect(ambry.open(cut)).rejects.toMatchObject({
      code: 'Truncated',
      path: expect.stringMatching(/^part 2: tensors\[\d+\]\.offset$/),
    });
  });

  test('names parts of different models', async () => {
    const spoilt = async (change: (split: Split) => Split) =>
      blobs(await splitGguf(file, 3, change));
    const refused = async (change: (split: Split) => Split, path: string) =>
      expect(ambry.open(await spoilt(change))).rejects.toMatchObject({ code: 'Mismatch', path });
    await refused(
      (split) => (split.number === 2 ? { ...split, number: 1 } : split),
      'part 3: metadata.split.no',
    );
    await refused(
      (split) => (split.number === 1 ? { ...split, count: 4 } : split),
      'part 2: metadata.split.count',
    );
    await refused(
      (split) => (split.number === 1 ? { ...split, tensors: 9 } : split),
      'part 2: metadata.split.tensors.count',
    );
    await refused((split) => ({ ...split, tensors: 9 }), 'part 1: metadata.split.tensors.count');
    const mixed = new Map<string, Blob>([...blobs()].slice(0, 2));
    mixed.set('other-00003-of-00003.gguf', new Blob([file]));
    await expect(ambry.open(mixed)).rejects.toMatchObject({
      code: 'Mismatch',
      path: 'other-00003-of-00003.gguf',
    });
  });

  test('names files that are no parts, and options that are for one file', async () => {
    // Without the name of a part, it is a directory.
    await expect(ambry.open({ 'a.bin': amb, 'b.bin': amb })).rejects.toMatchObject({
      code: 'NotFound',
      path: 'source',
    });
    const sha256 = '0'.repeat(64);
    await expect(ambry.open(blobs(), { sha256 })).rejects.toMatchObject({ path: 'sha256' });
    for (const name of parts.keys()) {
      server.serve(`plain/${name}`, { content: contentOf(file), ranges: false });
    }
    await expect(ambry.open(address(`plain/${first}`))).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'source',
    });
  });
});

describe('a file that cannot run', () => {
  test('is named before its weights are read', async () => {
    const { url, asked } = server.serve('bad', { content: contentOf(badShape()), etag: '"4"' });
    await expect(ambry.open(url, { resident: 1 << 20 })).rejects.toMatchObject({
      code: 'Mismatch',
      path: expect.stringMatching(/^tensors\[\d+\]\./),
    });
    expect(asked.length).toBeLessThan(4);
  });

  /** The file with another number of layers and half of the width. */
  function badShape(): Uint8Array<ArrayBuffer> {
    const bad = file.slice();
    const key = Buffer.from('llama.feed_forward_length');
    const at = Buffer.from(bad.buffer).indexOf(key) + key.length + 4;
    new DataView(bad.buffer).setUint32(at, 32, true);
    return bad;
  }
});
