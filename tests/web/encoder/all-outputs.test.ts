// The built package in Node: a model that gives all outputs of a text in one pass, beside the model opened for each of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Encoder } from '../../../web/src/index.ts';
import {
  allOutputsDirectory,
  tokenWeightsDirectory,
} from '../support/directories/sparse-directories.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { ambry } from '../support/package.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';

const { open, convert } = ambry;
const texts = ['The cat sat on the mat.', '', 'a dog', 'the mat cat '.repeat(40)];

let model: Encoder;
beforeAll(async () => {
  model = await open(allOutputsDirectory(), { kind: 'encoder' });
});
afterAll(() => model.dispose());

describe('a model with all outputs', () => {
  test('opens as an encoder, and says what it is', async () => {
    await using opened = await open(allOutputsDirectory());
    expect(opened.kind).toBe('encoder');
    expect(model.hasAllOutputs).toBe(true);
    expect(model.lateInteraction).toBeUndefined();
    expect(model.info.config).toMatchObject({
      allOutputs: true,
      tokenHead: { kind: 'sparseEncoder' },
    });
    expect(model.info.config?.['dense']).toBeUndefined();
  });

  test('gives the numbers of each output alone', async () => {
    await using dense = await open(modelDirectory(), { kind: 'encoder' });
    await using sparse = await open(tokenWeightsDirectory(), { kind: 'sparseEncoder' });
    const all = await model.embedAll(texts, { words: true });
    const vectors = await dense.embed(texts);
    const words = await sparse.embedSparse(texts, { words: true });
    const tokens = await model.embedTokens(texts);
    expect(all).toEqual(
      texts.map((_, i) => ({ dense: vectors[i], sparse: words[i], tokens: tokens[i] })),
    );
    expect(await model.embed(texts)).toEqual(vectors);
    expect(all[0]?.sparse.ids.length).toBeGreaterThan(0);
  });

  test('has a row of length 1 for each token but the first', async () => {
    const [text = ''] = texts;
    const { tokens } = await model.embedAll(text);
    const { ids } = await model.tokenize(text);
    expect(tokens.length).toBe((ids.length - 1) * model.dim);
    for (let at = 0; at < tokens.length; at += model.dim) {
      expect(Math.hypot(...tokens.subarray(at, at + model.dim))).toBeCloseTo(1, 5);
    }
    expect(tokens.buffer.byteLength).toBe(tokens.length * 4);
  });

  test('leaves out what is not wanted, and keeps k words', async () => {
    const [first] = texts as [string];
    const whole = await model.embedAll(first);
    const words = await model.embedAll(first, { dense: false, tokens: false, k: 2 });
    expect(words).toEqual({
      sparse: {
        ids: whole.sparse.ids.slice(0, 2),
        weights: whole.sparse.weights.slice(0, 2),
      },
    });
    const [vectors] = await model.embedAll([first], { sparse: false });
    expect(vectors).toEqual({ dense: whole.dense, tokens: whole.tokens });
    expect(await model.embedAll([])).toEqual([]);
  });

  test('ranks by the vectors of tokens, and searches by those of texts', async () => {
    const [best] = await model.rank('a dog', ['The cat sat.', 'a dog'], { k: 1 });
    expect(best?.index).toBe(1);
    await using index = await ambry.createIndex(model, [
      { text: 'The cat sat.' },
      { text: 'a dog' },
    ]);
    const [hit] = await index.search('a dog', { k: 1 });
    expect(hit?.text).toBe('a dog');
  });

  test('refuses what is out of range', async () => {
    const refused = (options: object) => expect(model.embedAll(texts, options)).rejects;
    await refused({ k: 0 }).toMatchObject({ code: 'BadValue', path: 'options.k' });
    await refused({ sparse: 'no' }).toMatchObject({ code: 'BadValue', path: 'options.sparse' });
    await refused({ truncate: 'error' }).toMatchObject({
      code: 'LimitExceeded',
      path: 'texts[3]',
    });
    await refused({ signal: AbortSignal.abort() }).toMatchObject({ name: 'AbortError' });
    await using other = await open(modelDirectory(), { kind: 'encoder' });
    expect(other.hasAllOutputs).toBe(false);
    await expect(other.embedAll('a')).rejects.toMatchObject({ code: 'Unsupported', path: 'model' });
  });

  test('is one file, which opens again with all of them', async () => {
    const file = new Uint8Array(await (await convert(allOutputsDirectory())).arrayBuffer());
    expect((await ambry.inspect(file)).run.kind).toBe('encoder');
    await using again = await open(file);
    expect(again.kind === 'encoder' && (await again.embedAll(texts))).toEqual(
      await model.embedAll(texts),
    );
    await using sparse = await open(file, { kind: 'sparseEncoder' });
    expect(await sparse.embedSparse(texts)).toEqual(
      (await model.embedAll(texts)).map((outputs) => outputs.sparse),
    );
    await expect(convert(file, { to: 'gguf' })).rejects.toMatchObject({ code: 'Unsupported' });
  });

  test('is read by its address, where its type says that it may be one', async () => {
    const server = await ByteServer.start();
    try {
      const files = allOutputsDirectory();
      for (const [name, bytes] of files) {
        server.serve(`bert/${name}`, { content: contentOf(bytes) });
        server.serve(`m3/${name}`, { content: contentOf(bytes) });
      }
      const config = JSON.parse(new TextDecoder().decode(files.get('config.json')));
      const text = JSON.stringify({ ...config, _name_or_path: 'x', note: 'xlm-roberta' });
      server.serve('m3/config.json', { content: contentOf(new TextEncoder().encode(text)) });
      await using found = await open(`${server.origin}/m3/`, { kind: 'encoder' });
      expect(found.hasAllOutputs).toBe(true);
      await using plain = await open(`${server.origin}/bert/`, { kind: 'encoder' });
      expect(plain.hasAllOutputs).toBe(false);
    } finally {
      await server.close();
    }
  });
});
