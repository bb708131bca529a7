// Language models in ONNX files of onnxruntime-genai's builder: they open from everywhere, and say what onnxruntime
// says.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type Files, onServer } from '../support/directories/model-directories.ts';
import { openGenerator } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

interface Expected {
  readonly ids: number[];
  /** The logits of the last positions. */
  readonly logits: number[][];
}

const clean: (() => unknown)[] = [];
afterAll(async () => {
  for (const each of clean) {
    await each();
  }
});

const folderOf = (name: string) =>
  fileURLToPath(new URL(`../../fixtures/onnx/decoders/${name}/`, import.meta.url));
const read = (path: string) => new Uint8Array(readFileSync(path));

function filesOf(name: string): Files {
  const folder = folderOf(name);
  const weights = readdirSync(`${folder}onnx`).map((file) => `onnx/${file}`);
  return new Map(['config.json', ...weights].map((file) => [file, read(folder + file)]));
}

function difference(logits: Float32Array, wanted: readonly number[]): number {
  const largest = Math.max(...wanted.map(Math.abs));
  return Math.max(...wanted.map((logit, i) => Math.abs(logit - (logits[i] ?? NaN)))) / largest;
}

// Codes are multiplied by rounded activations.
describe.each([
  ['llama', 1e-4],
  ['mistral', 1e-4],
  ['llama_q4', 3e-2],
] as const)('%s as an ONNX file', (name, most) => {
  test('opens from everywhere with the logits of onnxruntime', async () => {
    const expected = JSON.parse(readFileSync(`${folderOf(name)}expected.json`, 'utf8')) as Expected;
    const server = await onServer(filesOf(name));
    clean.push(() => server.close());
    for (const source of [filesOf(name), folderOf(name), server.url]) {
      await using model = await openGenerator(source);
      expect(model.info).toMatchObject({ format: 'onnx', convertedTo: 'amb' });
      const logits = await model.logits(expected.ids);
      expect(difference(logits, expected.logits.at(-1) ?? [])).toBeLessThan(most);
    }
  });
});

test('an ONNX file that differs from config.json is refused by its node', async () => {
  const files = new Map(filesOf('llama'));
  const config = JSON.parse(new TextDecoder().decode(files.get('config.json'))) as object;
  const changed = JSON.stringify({ ...config, rms_norm_eps: 1e-3 });
  files.set('config.json', new TextEncoder().encode(changed));
  await expect(ambry.convert(files, { to: 'amb' })).rejects.toMatchObject({
    code: 'Unsupported',
    path: expect.stringContaining('final_norm_layernorm'),
    message: expect.stringContaining('epsilon'),
  });
});
