// Which files a name means.
import { describe, expect, test } from 'vitest';
import { chooseFiles } from '../../../../web/src/sources/hub/choose-files.ts';
import { HubUrl } from '../../../../web/src/sources/hub/hub-url.ts';
import { targetExtensions } from '../../../../web/src/wasm/tables.ts';

function choose(
  paths: readonly string[],
  path?: string,
  sizes: Readonly<Record<string, number>> = {},
) {
  const files = paths.map((one) => ({
    path: one,
    size: sizes[one] ?? 1,
    url: new HubUrl(`https://hub.example/${encodeURIComponent(one)}`, {}),
  }));
  const list = { repository: 'owner/name', commit: '0'.repeat(40), files };
  const choice = chooseFiles(list, path);
  const at = new Map([...choice.files].map(([name, file]) => [name, file.path]));
  return { ...choice, at, weights: choice.weights.map((name) => at.get(name)) };
}

const bert = ['README.md', 'config.json', 'tokenizer.json', '1_Pooling/config.json'];

describe('without a file', () => {
  test.each<[string, readonly string[], readonly string[], boolean]>([
    [
      'safetensors',
      [...bert, 'model.safetensors', 'pytorch_model.bin'],
      ['model.safetensors'],
      true,
    ],
    [
      'safetensors before GGUF',
      [...bert, 'a.gguf', 'model.safetensors'],
      ['model.safetensors'],
      true,
    ],
    ['the only safetensors', [...bert, 'encoder.safetensors'], ['encoder.safetensors'], true],
    ['a GGUF', ['README.md', 'a.gguf'], ['a.gguf'], false],
    ['a GGUF in a folder', ['README.md', 'q4/a.gguf'], ['q4/a.gguf'], false],
    ['a GGUF without its projector', ['a.gguf', 'mmproj-f16.gguf'], ['a.gguf'], false],
    ['an own format first', [...bert, 'model.safetensors', 'm.weights'], ['m.weights'], false],
    ['AMB', ['m.amb', 'a.gguf'], ['m.amb'], false],
    ['finalfusion', ['vectors.fifu', 'vectors.vec'], ['vectors.fifu'], false],
    ['fastText', ['lid.ftz', 'README.md'], ['lid.ftz'], false],
    ['a large fastText', ['model.bin', 'training_args.bin'], ['model.bin'], false],
    ['text vectors', ['wiki.vec'], ['wiki.vec'], false],
    [
      'a pickle last of the directories',
      [...bert, 'pytorch_model.bin'],
      ['pytorch_model.bin'],
      true,
    ],
    ['a checkpoint with its tokenizer', ['stories.bin', 'tokenizer.bin'], ['stories.bin'], true],
  ])('%s', (_, paths, weights, isDirectory) => {
    const choice = choose(paths);
    expect(choice.weights).toEqual(weights);
    expect(choice.isDirectory).toBe(isDirectory);
    expect(choice.note).toBe(undefined);
  });

  test.each(['embd', 'amb', 'alt', 'finalfusion'] as const)('%s by its extension', (id) => {
    const name = `m${targetExtensions[id]}`;
    expect(choose([...bert, 'model.safetensors', 'a.gguf', name]).weights).toEqual([name]);
  });

  test('shards of safetensors stay together', () => {
    const shards = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
    const choice = choose([...bert, ...shards, 'model.safetensors.index.json']);
    expect(choice.weights).toEqual(shards);
    expect(choice.at.has('model.safetensors.index.json')).toBe(true);
  });

  test('the weights of modules stay with the directory', () => {
    const dense = ['2_Dense/config.json', '2_Dense/model.safetensors'];
    for (const main of ['model.safetensors', 'pytorch_model.bin']) {
      const choice = choose([...bert, ...dense, main]);
      expect(choice.weights).toEqual([main]);
      expect([...choice.at.keys()]).toEqual(expect.arrayContaining(dense));
    }
  });

  test('shards of a GGUF stay together, in order', () => {
    const choice = choose(['q8/a-00002-of-00002.gguf', 'q8/a-00001-of-00002.gguf', 'README.md']);
    expect(choice.weights).toEqual(['q8/a-00001-of-00002.gguf', 'q8/a-00002-of-00002.gguf']);
    expect(choice.isDirectory).toBe(true);
  });

  test('the preferred of several GGUF files is named', () => {
    const paths = ['m.Q2_K.gguf', 'm.Q4_K_S.gguf', 'm.Q4_K_M.gguf', 'm.Q8_0.gguf', 'm.f16.gguf'];
    const choice = choose(paths);
    expect(choice.weights).toEqual(['m.Q4_K_M.gguf']);
    expect(choice.note).toContain('5 GGUF models; m.Q4_K_M.gguf is taken');
    expect(choose(['m-q8_0.gguf', 'm-f16.gguf']).weights).toEqual(['m-q8_0.gguf']);
  });

  test.each<[string, readonly string[]]>([
    ['two models of the preferred type', ['a.Q4_K_M.gguf', 'b.Q4_K_M.gguf', 'a.Q8_0.gguf']],
    ['no preferred type', ['a.Q2_K.gguf', 'a.f16.gguf']],
    ['several fifu', ['a.fifu', 'b.fifu']],
    ['several safetensors without an index', [...bert, 'a.safetensors', 'b.safetensors']],
    ['several checkpoints', ['a.bin', 'b.bin', 'tokenizer.bin']],
  ])('%s: the list is the error', (_, paths) => {
    expect(() => choose(paths)).toThrow(
      expect.objectContaining({
        code: 'BadValue',
        path: 'source',
        message: expect.stringContaining('Name a file as hf:owner/name/FILE'),
      }),
    );
  });

  const onnx = ['', '_fp16', '_quantized', '_q4'].map((variant) => `onnx/model${variant}.onnx`);

  test('ONNX is the last, and the most exact one is taken', () => {
    const { weights, at, note, isDirectory } = choose([...bert, ...onnx, 'onnx/model.onnx_data']);
    expect([weights, isDirectory]).toEqual([['onnx/model.onnx'], true]);
    const expected = [...bert, 'onnx/model.onnx', 'onnx/model.onnx_data'];
    expect([...at.keys()].sort()).toEqual(expected.sort());
    expect(note).toContain('4 ONNX models; onnx/model.onnx is taken');
    expect(choose([...bert, ...onnx, 'pytorch_model.bin']).weights).toEqual(['pytorch_model.bin']);
    expect(choose([...bert, 'onnx/model_q4.onnx']).note).toBe(undefined);
  });

  test('ONNX that is too large for a page is taken only if there is no other', () => {
    const sizes = {
      'onnx/model.onnx': 100,
      'onnx/model.onnx_data': 5e9,
      'onnx/model_fp16.onnx': 2e9,
    };
    const paths = [...bert, ...onnx, 'onnx/model.onnx_data'];
    expect(choose(paths, undefined, sizes).weights).toEqual(['onnx/model_quantized.onnx']);
    const large = Object.keys(sizes);
    expect(choose([...bert, ...large], undefined, sizes).weights).toEqual(['onnx/model_fp16.onnx']);
  });

  test('a repository without a model lists what it has', () => {
    expect(() => choose(['README.md', 'model.onnx'])).toThrow(/no model.*README\.md, model\.onnx/);
    expect(() => choose([])).toThrow(/no model.*It has no files/);
  });
});

describe('with a file', () => {
  test('it is that one', () => {
    expect(choose([...bert, 'model.safetensors', 'a.gguf'], 'a.gguf').weights).toEqual(['a.gguf']);
    expect(choose(['a.safetensors', 'b.gguf'], 'a.safetensors')).toMatchObject({
      isDirectory: false,
    });
  });

  test('safetensors come with the files beside them', () => {
    const paths = [...bert, 'model.safetensors', 'other.safetensors'];
    const { at, isDirectory } = choose(paths, 'other.safetensors');
    expect(isDirectory).toBe(true);
    expect(at.get('model.safetensors')).toBe('other.safetensors');
    expect([...at.keys()].sort()).toEqual([...bert, 'model.safetensors'].sort());
  });

  test('ONNX comes with its tensors and the files of the folder above it', () => {
    const paths = [...bert, 'onnx/model.onnx', 'onnx/model_q4.onnx', 'onnx/model_q4.onnx_data'];
    const { at, isDirectory, weights } = choose(paths, 'onnx/model_q4.onnx');
    expect([isDirectory, weights]).toEqual([true, ['onnx/model_q4.onnx']]);
    const expected = [...bert, 'onnx/model_q4.onnx', 'onnx/model_q4.onnx_data'];
    expect([...at.keys()].sort()).toEqual(expected.sort());
    const inFolder = choose(['cpu/config.json', 'cpu/a.onnx', 'cpu/a.onnx.data'], 'cpu/a.onnx');
    expect([...inFolder.at.keys()]).toEqual(['config.json', 'a.onnx', 'a.onnx.data']);
    const alone = choose(['onnx/vad.onnx', 'README.md'], 'onnx/vad.onnx');
    expect([alone.isDirectory, alone.weights]).toEqual([false, ['onnx/vad.onnx']]);
  });

  test('a folder is a model', () => {
    const paths = ['a/config.json', 'a/model.safetensors', 'b/config.json', 'b/m.gguf'];
    expect(choose(paths, 'a').at.get('model.safetensors')).toBe('a/model.safetensors');
    expect(choose(paths, 'b').weights).toEqual(['b/m.gguf']);
  });

  test('one that is missing is an error with the names', () => {
    expect(() => choose(['a.gguf', 'b.gguf'], 'c.gguf')).toThrow(
      expect.objectContaining({
        code: 'NotFound',
        message: expect.stringMatching(/no file "c\.gguf".*a\.gguf, b\.gguf/),
      }),
    );
  });
});
