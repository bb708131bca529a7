// Encoders as ONNX give the vectors of the same weights as safetensors, wherever the files come from.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { onServer } from '../support/directories/model-directories.ts';
import { onnxEncoder } from '../support/files/onnx-encoder.ts';
import { folderForAllTests } from '../support/for-all-tests.ts';
import { ambry } from '../support/package.ts';
import { startHub } from '../support/servers/server.ts';

const { onnx, safetensors } = onnxEncoder('bert_opset17_sdpa');
const folder = folderForAllTests('ambry-onnx-encoder');
const texts = ['w7 w8 w9', 'w60'];

async function vectorsOf(source: Parameters<typeof ambry.open>[0], more: object = {}) {
  await using model = await ambry.open(source, { kind: 'encoder', ...more });
  return await model.embed(texts);
}
const expected = await vectorsOf(safetensors);

test('from memory', async () => {
  expect(await vectorsOf(onnx)).toEqual(expected);
});

test('from a folder, and from the file in it', async () => {
  for (const [name, bytes] of onnx) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  expect(await vectorsOf({ path: folder })).toEqual(expected);
  expect(await vectorsOf({ path: join(folder, 'onnx/model.onnx') })).toEqual(expected);
});

test('from a server, and from the hub', async () => {
  const named = new Map(onnx);
  named.delete('onnx/weights');
  const hub = await startHub();
  hub.add('owner/model', onnx);
  const options = { hub: { endpoint: hub.endpoint } };
  expect(await vectorsOf('hf:owner/model', options)).toEqual(expected);
  expect(await vectorsOf('hf:owner/model/onnx/model.onnx', options)).toEqual(expected);
  const server = await onServer(named);
  const missing = { code: 'NotFound', path: 'weights' };
  await expect(vectorsOf(server.url)).rejects.toMatchObject(missing);
  server.close();
});

test('converts and quantizes as safetensors do', async () => {
  const convert = async (files: typeof onnx) =>
    new Uint8Array(await (await ambry.convert(files, { to: 'embd' })).arrayBuffer());
  expect(await convert(onnx)).toEqual(await convert(safetensors));
  const quantize = async (files: typeof onnx) => {
    const { blob } = await ambry.quantize(files, { type: 'int8', to: 'embd', texts });
    return new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer());
  };
  expect(await quantize(onnx)).toEqual(await quantize(safetensors));
  const { from, targets } = await ambry.conversionTargets(onnx);
  expect(from).toBe('onnx');
  expect(targets.find(({ to }) => to === 'embd')).toMatchObject({ problem: null });
});
