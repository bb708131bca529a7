// Language models with `device` in Node, which has no graphics processor: e2e/package/gpu.spec.ts has the tests with one.
import { describe, expect, test } from 'vitest';
import { languageFile } from '../support/files/language-file.ts';
import { ambry } from '../support/package.ts';

const { open } = ambry;
const answer = { maxTokens: 8, temperature: 0 } as const;

describe('without a graphics processor', () => {
  test.each([
    'webgpu',
    'auto',
  ] as const)('%s computes in WebAssembly and says why', async (device) => {
    const warnings: string[] = [];
    const onWarning = ({ message }: { message: string }) => warnings.push(message);
    await using there = await open(languageFile(), { kind: 'generator', device, onWarning });
    await using here = await open(languageFile(), { kind: 'generator' });
    expect(there.info.generator.device).toEqual({
      name: 'wasm',
      reason: 'there is no WebGPU here',
    });
    expect(here.info.generator.device).toBeUndefined();
    expect(warnings).toHaveLength(device === 'webgpu' ? 1 : 0);
    const ids = async (model: typeof here) => (await model.generate('Hello', answer).result).ids;
    expect(await ids(there)).toEqual(await ids(here));
  });

  test('a stream is refused, because its weights cannot be read again', async () => {
    const stream = new Blob([languageFile() as Uint8Array<ArrayBuffer>]).stream();
    await expect(open(stream, { kind: 'generator', device: 'webgpu' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.device',
    });
  });

  test('the option is for language models, and takes these values', async () => {
    await expect(open(languageFile(), { kind: 'words', device: 'webgpu' })).rejects.toMatchObject({
      path: 'options.device',
    });
    await expect(open(languageFile(), { device: 'gpu' as never })).rejects.toMatchObject({
      path: 'options.device',
    });
  });
});
