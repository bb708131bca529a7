// Repositories without weights, whose card names another one.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Progress } from '../../../../web/src/entries/types.ts';
import { parseHubName } from '../../../../web/src/sources/hub/hub-name.ts';
import { hubFiles, lookUp } from '../../../../web/src/sources/hub/hub-sources.ts';
import { commitOf } from '../../support/servers/hub-server.ts';
import { startHub } from '../../support/servers/server.ts';

const hub = await startHub();
const options = { hub: { endpoint: hub.endpoint } };
const following = { ...options, followBase: true };
beforeEach(() => hub.forget());

const bytes = (text: string) => new TextEncoder().encode(text);
const matter = (...lines: readonly string[]) => bytes(['---', ...lines, '---', ''].join('\n'));
const model = new Map([
  ['config.json', bytes('{}')],
  ['model.safetensors', bytes('weights')],
]);
hub.add('owner/base', model);

/** A repository with ONNX only. `cardData` is what the answer says of the card. */
function addOnnx(name: string, readme: Uint8Array | undefined, cardData?: object, tags?: unknown) {
  const files = new Map([
    ['tokenizer.json', bytes('{}')],
    ['onnx/model.onnx', bytes('graph')],
    ...(readme ? [['README.md', readme] as const] : []),
  ]);
  hub.add(name, files, {
    isSmall: () => true,
    list: (_, body) => ({ ...(body as object), ...(cardData && { cardData }), tags }),
  });
  return files;
}

const find = (name: string, how: object = options) => hubFiles(parseHubName(name), how);
const failureOf = (name: string, how: object = options) =>
  find(name, how).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('without followBase', () => {
  test('the error names the repository with the weights', async () => {
    const files = addOnnx('owner/stated', undefined, { base_model: 'owner/base' });
    expect(await failureOf('hf:owner/stated')).toMatchObject({
      code: 'Unsupported',
      path: 'source',
      message: `owner/stated has no weights that Ambry opens, only ONNX’s (commit ${commitOf(files).slice(0, 12)}). Its card says that it was made of owner/base, which is another repository. Open hf:owner/base, or give the option followBase (on the command line --follow-base).`,
    });
    expect(hub.paths).toHaveLength(1);
  });

  test('the card is read where the answer does not have it', async () => {
    addOnnx('owner/card', matter('license: mit', 'base_model:', '- owner/base'));
    expect(await failureOf('hf:owner/card')).toMatchObject({
      message: expect.stringContaining('Open hf:owner/base'),
    });
    expect(hub.paths.filter((path) => path.endsWith('/README.md'))).toHaveLength(1);
  });

  test('a repository with weights is opened as before', async () => {
    const both = new Map([...model, ['onnx/model.onnx', bytes('graph')]]);
    hub.add('owner/both', both, {
      list: (_, body) => ({ ...(body as object), cardData: { base_model: 'owner/base' } }),
    });
    for (const how of [options, following]) {
      const { list, weights } = await find('hf:owner/both', how);
      expect([list.repository, weights]).toEqual(['owner/both', ['model.safetensors']]);
    }
  });

  test('a card that names nothing leaves the list of files', async () => {
    addOnnx('owner/bare', matter('license: mit'));
    addOnnx('owner/cardless', undefined);
    for (const name of ['hf:owner/bare', 'hf:owner/cardless']) {
      expect(await failureOf(name)).toMatchObject({
        code: 'NotFound',
        message: expect.stringContaining('Its files: tokenizer.json, onnx/model.onnx'),
      });
      expect(await failureOf(name, following)).toMatchObject({
        code: 'NotFound',
        message: expect.stringContaining('names no base model (base_model)'),
      });
    }
  });

  test('a card of many megabytes is not read', async () => {
    addOnnx('owner/long', bytes(`---\nbase_model: owner/base\n---\n${' '.repeat(2 << 20)}`));
    expect(await failureOf('hf:owner/long')).toMatchObject({ code: 'NotFound' });
    expect(hub.paths.some((path) => path.endsWith('README.md'))).toBe(false);
  });
});

describe('with followBase', () => {
  test('the base is read, and a note says it', async () => {
    addOnnx('owner/quantized', undefined, {
      base_model: ['owner/base'],
      base_model_relation: 'quantized',
    });
    const notes: (string | undefined)[] = [];
    const onProgress = ({ note }: Progress) => notes.push(note);
    const { list, weights } = await find('hf:owner/quantized', { ...following, onProgress });
    expect([list.repository, weights]).toEqual(['owner/base', ['model.safetensors']]);
    expect(notes).toEqual([
      'owner/quantized has no weights that Ambry opens; its base owner/base is opened.',
    ]);
  });

  test('the model is the directory of the base', async () => {
    const found = (await lookUp.model('hf:owner/quantized', following)) as Map<string, URL>;
    const address = `${hub.endpoint}/owner/base/resolve/${commitOf(model)}/model.safetensors`;
    expect(found.get('model.safetensors')?.href).toBe(address);
  });

  test('repositories that lead on are followed', async () => {
    addOnnx('owner/third', undefined, { base_model: 'owner/quantized' });
    expect((await find('hf:owner/third', following)).list.repository).toBe('owner/base');
  });

  test.each([
    'finetune',
    'merge',
    'adapter',
    'abliterated',
  ])('a base by the relation %s has other weights', async (relation) => {
    addOnnx(`owner/${relation}`, undefined, { base_model: 'owner/base' }, [
      'onnx',
      `base_model:${relation}:owner/base`,
    ]);
    for (const how of [options, following]) {
      expect(await failureOf(`hf:owner/${relation}`, how)).toMatchObject({
        code: 'NotFound',
        message: expect.stringContaining(`names owner/base as what it was made of (${relation})`),
      });
    }
  });

  test('several bases are never followed', async () => {
    addOnnx('owner/merged', undefined, { base_model: ['owner/base', 'owner/other'] });
    expect(await failureOf('hf:owner/merged', following)).toMatchObject({
      message: expect.stringContaining('names owner/base, owner/other as what it was made of'),
    });
  });

  test('a circle ends', async () => {
    addOnnx('owner/one', undefined, { base_model: 'owner/two' });
    addOnnx('owner/two', undefined, { base_model: 'owner/one' });
    addOnnx('owner/self', undefined, { base_model: 'owner/self' });
    expect(await failureOf('hf:owner/one', following)).toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('owner/one → owner/two → owner/one'),
    });
    expect(await failureOf('hf:owner/self', following)).toMatchObject({
      message: expect.stringContaining('owner/self → owner/self'),
    });
  });

  test('a long chain ends', async () => {
    for (let i = 0; i < 20; i++) {
      addOnnx(`chain/n${i}`, undefined, { base_model: `chain/n${i + 1}` });
    }
    expect(await failureOf('hf:chain/n0', following)).toMatchObject({
      message: expect.stringContaining(
        'chain/n0 → chain/n1 → chain/n2 → chain/n3 → chain/n4 → chain/n5',
      ),
    });
    expect(hub.paths).toHaveLength(5);
  });

  test('a base without weights, and one that is missing or gated, is named', async () => {
    hub.add('owner/empty', new Map([['README.md', bytes('# Empty')]]), { isSmall: () => true });
    hub.add('owner/gated', model, { token: 'hf_secret' });
    addOnnx('owner/of-empty', undefined, { base_model: 'owner/empty' });
    addOnnx('owner/of-gated', undefined, { base_model: 'owner/gated' });
    addOnnx('owner/of-none', undefined, { base_model: 'owner/none' });
    expect(await failureOf('hf:owner/of-empty', following)).toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('owner/empty has no model that Ambry opens'),
    });
    for (const name of ['gated', 'none']) {
      expect(await failureOf(`hf:owner/of-${name}`, following)).toMatchObject({
        code: name === 'none' ? 'NotFound' : 'Http',
        message: expect.stringContaining(
          `(owner/${name} is what the card of owner/of-${name} names as its base model.)`,
        ),
      });
    }
  });

  test('a file or a folder that is named is that one', async () => {
    const named = await find('hf:owner/stated/onnx/model.onnx', following);
    expect([named.list.repository, named.weights]).toEqual(['owner/stated', ['model.onnx']]);
    expect(await failureOf('hf:owner/stated/onnx', following)).toMatchObject({ code: 'NotFound' });
  });

  test('a tokenizer needs no base', async () => {
    const found = (await lookUp.tokenizer('hf:owner/stated', following)) as Map<string, URL>;
    expect([...found.keys()]).toEqual(['tokenizer.json']);
  });

  test('an abort ends it', async () => {
    const reason = new DOMException('enough', 'AbortError');
    const signal = AbortSignal.abort(reason);
    expect(await failureOf('hf:owner/card', { ...following, signal })).toBe(reason);
  });
});
