// ONNX files in the calls that look into files: alone, in directories, and over HTTP.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onServer } from '../support/directories/model-directories.ts';
import { onnxEncoder } from '../support/files/onnx-encoder.ts';
import { layersOnnx, onnxFile, type TestTensor } from '../support/files/onnx-file.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { folderForAllTests } from '../support/for-all-tests.ts';
import { ambry } from '../support/package.ts';

const { inspect, validate, runReport, open, convert } = ambry;
const folder = folderForAllTests('ambry-onnx');
const file = layersOnnx(3);

const linear = { op: 'MatMul', name: '/fc/MatMul', inputs: ['x', 'w'], outputs: ['y'] };
const withData = (...external: NonNullable<TestTensor['external']>) =>
  onnxFile([linear], [{ name: 'w', shape: [2, 2], external }]);

/** The small files of a model and no weights but these. */
function directoryWith(files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>) {
  const all = new Map([...modelDirectory(), ...Object.entries(files)]);
  all.delete('model.safetensors');
  return all;
}

describe('inspect', () => {
  test('gives the tensors, the values and the operators', async () => {
    const { format, tensors, config } = await inspect(file);
    expect(format).toBe('onnx');
    expect(tensors.map(({ name, dtype, shape }) => [name, dtype, shape])).toEqual(
      [0, 1, 2].map((i) => [`onnx::MatMul_${i}`, 'f32', [2, 2]]),
    );
    expect(config).toMatchObject({
      inputs: [{ name: 'x', dtype: 'float', shape: ['batch', 2] }],
      nodes: 6,
      producer: 'tests',
    });
  });

  test('gives the graph if it is asked for', async () => {
    expect((await inspect(file)).graph).toBe(undefined);
    const { graph } = await inspect(file, { graph: true });
    expect(graph).toMatchObject({
      name: 'main_graph',
      nodeCount: 6,
      opsets: [{ version: 17 }],
      operators: [
        { name: 'MatMul', count: 3 },
        { name: 'Softmax', count: 3 },
      ],
      outputs: [{ name: 'y', shape: ['batch', 2] }],
    });
    expect(graph?.values).toEqual(
      [0, 1, 2].map((i) => ({
        name: `/encoder/layer.${i}/query/MatMul_output_0`,
        dtype: 'float',
        shape: ['batch', 2],
      })),
    );
    expect(graph?.nodes[1]).toMatchObject({
      name: '/encoder/layer.0/Softmax',
      op: 'Softmax',
      inputs: ['/encoder/layer.0/query/MatMul_output_0'],
      attributes: { axis: 1 },
    });
    const at = graph?.nodes[1]?.byteOffset ?? 0;
    expect(file.subarray(at).length).toBeGreaterThan(0);
    const { graph: none } = await inspect(modelDirectory().get('model.safetensors') ?? file, {
      graph: true,
    });
    expect(none).toBe(undefined);
  });

  test('reads a path, a stream and an address', async () => {
    writeFileSync(join(folder, 'layers.onnx'), file);
    const server = await onServer(new Map([['layers.onnx', file]]));
    const { body } = new Response(file);
    const sources = [{ path: join(folder, 'layers.onnx') }, `${server.url}layers.onnx`, body];
    for (const source of sources) {
      const { graph } = await inspect(source as never, { graph: true });
      expect(graph?.nodeCount).toBe(6);
    }
    server.close();
  });
});

describe('validate', () => {
  test('finds a good file valid', async () => {
    expect(await validate(file)).toMatchObject({ format: 'onnx', valid: true, errors: [] });
  });

  test('compares the tensors of a directory with the files that have them', async () => {
    const model = withData('model.onnx_data', 16, 16);
    const good = directoryWith({
      'onnx/model.onnx': model,
      'onnx/model.onnx_data': new Uint8Array(32),
    });
    const short = new Map(good).set('onnx/model.onnx_data', new Uint8Array(31));
    const without = directoryWith({ 'onnx/model.onnx': model });
    const aboutData = async (files: typeof good) =>
      (await validate(files)).errors.filter(({ message }) => /model\.onnx_data/.test(message));
    expect(await aboutData(good)).toEqual([]);
    expect(await aboutData(short)).toHaveLength(1);
    expect(await aboutData(without)).toHaveLength(1);
  });

  test('warns that it does not know the other files of one that is given alone', async () => {
    const report = await validate(withData('model.onnx_data', 0, 16));
    expect(report).toMatchObject({ valid: true, warnings: [{}] });
    expect(report.warnings[0]?.message).toContain('model.onnx_data');
  });
});

describe('a model whose only weights are ONNX', () => {
  const onnx = { 'onnx/model.onnx': file, 'onnx/model_q4.onnx': layersOnnx(1) };
  const files = directoryWith(onnx);

  const namesIn = async (source: Parameters<typeof runReport>[0]) => {
    const { files: found = [], obstacle } = await runReport(source);
    const names = found.map(({ name }) => name).filter((name) => name.endsWith('.onnx'));
    return { names, obstacle };
  };

  test('is read with the most exact file, from memory, a server and a folder', async () => {
    const server = await onServer(files);
    for (const [name, bytes] of files) {
      mkdirSync(dirname(join(folder, 'model', name)), { recursive: true });
      writeFileSync(join(folder, 'model', name), bytes);
    }
    const sources = [files, server.url, { path: join(folder, 'model') }];
    for (const source of sources) {
      expect((await namesIn(source)).names).toEqual(['model.onnx']);
    }
    const named = [
      `${server.url}onnx/model_q4.onnx`,
      { path: join(folder, 'model/onnx/model_q4.onnx') },
    ];
    for (const source of named) {
      expect((await namesIn(source)).names).toEqual(['model_q4.onnx']);
    }
    server.close();
  });

  test('is refused with the node that differs', async () => {
    const { obstacle } = await namesIn(files);
    expect(obstacle).toMatchObject({ code: 'Unsupported' });
    await expect(open(files)).rejects.toMatchObject({ code: 'Unsupported' });
    await expect(convert(files, { to: 'embd' })).rejects.toMatchObject({ code: 'Unsupported' });
  });

  test('alone is refused with its first node that no known model has', async () => {
    const refused = { code: 'Unsupported', path: expect.stringContaining('MatMul') };
    await expect(open(file)).rejects.toMatchObject(refused);
    for (const to of ['embd', 'amb', 'alt', 'tinyruntime'] as const) {
      await expect(convert(file, { to })).rejects.toMatchObject(refused);
    }
  });

  test('alone asks for config.json where an encoder may have its graph', async () => {
    const graph = onnxEncoder('bert_newer').onnx.get('onnx/model.onnx') as typeof file;
    const missing = {
      code: 'NotFound',
      path: 'config.json',
      message: expect.stringContaining('Open the directory that has config.json and the tokenizer'),
    };
    await expect(open(graph)).rejects.toMatchObject(missing);
    await expect(convert(graph, { to: 'embd' })).rejects.toMatchObject(missing);
    expect((await runReport(graph)).obstacle).toMatchObject({
      code: 'NotFound',
      path: 'config.json',
    });
  });
});
