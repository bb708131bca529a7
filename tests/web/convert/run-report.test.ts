// The built package in Node: what sources are said to run as, beside what `open` does with them.
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AmbryError } from '../../../web/src/base/errors.ts';
import type { ModelParts, ModelSource } from '../../../web/src/entries/types.ts';
import {
  asPytorch,
  languageDirectory,
  onDisk,
  onServer,
} from '../support/directories/model-directories.ts';
import { classifierFile } from '../support/files/classifier-files.ts';
import { languageFile } from '../support/files/language-file.ts';
import { networkFile } from '../support/files/network-file.ts';
import { splitGguf } from '../support/files/split-gguf.ts';
import { unitRow, wordFile } from '../support/files/word-files.ts';
import { modelDirectory, shardedDirectory } from '../support/fixtures.ts';
import { ambry, smallModel } from '../support/package.ts';

const { open, inspect, convert, runReport } = ambry;
const clean: (() => unknown)[] = [];
afterAll(async () => {
  for (const each of clean) {
    await each();
  }
});

const file = await smallModel();
const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());
const bert = await bytesOf(await convert(file, { to: 'gguf' }));
const gguf = await bytesOf(await convert(languageFile(), { to: 'gguf' }));
const words = wordFile({ words: ['east', 'north'], dim: 4, row: (i) => unitRow(i, 4) });
const text = new TextEncoder().encode('2 3\neast 1 0 0\nnorth 0 1 0\n');
const parts = await splitGguf(gguf, 3);

function without(name: string, files = modelDirectory()) {
  files.delete(name);
  return files;
}

/** What `open` does: the kind and format, or the error. */
async function opened(source: ModelSource | ModelParts) {
  try {
    await using model = await open(source);
    const { format, convertedTo } = model.info;
    const converts = convertedTo !== undefined;
    return { kind: model.kind, format: convertedTo ?? format, converts };
  } catch (error) {
    if (!(error instanceof AmbryError || (error as Error).name === 'AmbryError')) {
      throw error;
    }
    const { code, path } = error as AmbryError;
    return { obstacle: { code, ...(path !== undefined && { path }) } };
  }
}

const sources: Readonly<Record<string, () => ModelSource | ModelParts | Promise<ModelParts>>> = {
  'an EMBD file': () => file,
  'an AMB file': () => languageFile(),
  'a GGUF file': () => gguf,
  'a split GGUF model': () => parts,
  'a GGUF file of an encoder': () => bert,
  'finalfusion vectors': () => words,
  'vectors in text': () => text,
  'vectors in a stream': () => new Blob([text]).stream(),
  'a text classifier': () => classifierFile('hs.bin'),
  'a network': () => networkFile(),
  'a directory': () => modelDirectory(),
  'a directory with shards': () => shardedDirectory(),
  'a directory of PyTorch': () => asPytorch(modelDirectory(), true),
  'a language model’s directory': () => languageDirectory(),
  'a directory without config.json': () => without('config.json'),
  'a directory without weights': () => without('model.safetensors'),
  'weights alone': () => modelDirectory().get('model.safetensors') as Uint8Array,
  'one part of a split model': () => [...parts.values()][1] as Uint8Array,
  'a model without one of its parts': () => new Map([...parts].slice(1)),
  'a cut file': () => file.slice(0, 500),
  'no model at all': () => new TextEncoder().encode('<!doctype html><title>x</title>'),
};

describe('says what `open` does with', () => {
  test.each(Object.entries(sources))('%s', async (_, make) => {
    const report = await runReport(await make());
    const outcome = await opened(await make());
    expect(report).toMatchObject(outcome);
    if ('obstacle' in outcome) {
      return;
    }
    expect(report.obstacle).toBeNull();
    expect(report.memory?.asStored).toBeGreaterThan(0);
    expect(typeof report.memory?.int8).toBe(outcome.kind === 'encoder' ? 'number' : 'object');
  });
});

describe('of a directory', () => {
  test('lists its files, and says what the conversion guesses', async () => {
    const { files = [], warnings } = await runReport(modelDirectory());
    const weights = modelDirectory().get('model.safetensors') as Uint8Array;
    expect(files[0]).toEqual({ name: 'model.safetensors', bytes: weights.byteLength });
    expect(files.map(({ name }) => name)).toContain('config.json');
    expect(warnings).toEqual([expect.objectContaining({ path: 'modules.json' })]);
  });

  test('is the same by path, by the path of its weights, and by address', async () => {
    const { path, remove } = await onDisk(modelDirectory());
    clean.push(remove);
    const server = await onServer(modelDirectory());
    clean.push(server.close);
    const { memory } = await runReport(modelDirectory());
    for (const source of [path, join(path, 'model.safetensors'), server.url]) {
      const report = await runReport(source);
      expect(report).toMatchObject({ kind: 'encoder', format: 'embd', converts: true, memory });
    }
  });

  test('of a model that is not supported names the key', async () => {
    const config = new TextEncoder().encode(JSON.stringify({ model_type: 'xlnet' }));
    const { obstacle } = await runReport(modelDirectory().set('config.json', config));
    expect(obstacle).toMatchObject({ code: 'Unsupported', path: 'config.json.model_type' });
  });
});

test('weights alone are sent to their directory', async () => {
  const weights = modelDirectory().get('model.safetensors') as Uint8Array;
  const { obstacle } = await runReport(weights);
  expect(obstacle?.message).toContain('Open their directory');
});

test('inspect says what needs a conversion, and leaves the rest to the report', async () => {
  const { run } = await inspect(bert);
  expect(run).toMatchObject({ kind: 'encoder', format: 'embd', converts: true, memory: null });
  expect((await inspect(gguf)).run).toEqual(await runReport(gguf));
  expect((await inspect(parts)).run).toEqual(await runReport(gguf));
});

test('what the network does is thrown', async () => {
  const server = await onServer(new Map());
  clean.push(server.close);
  await expect(runReport(`${server.url}none.weights`)).rejects.toMatchObject({ code: 'Http' });
});
