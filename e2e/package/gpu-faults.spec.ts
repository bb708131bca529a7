// Devices that fail, and machines without one: there is an answer, or a reason why not.
import { readFile } from 'node:fs/promises';
import { expect } from '../fixtures.ts';
import { chromiumPath } from '../support/chromium.ts';
import { expertDecoders } from '../support/expert-decoders.ts';
import { hybridDecoders } from '../support/hybrid-decoders.ts';
import { compare, opened, stories, wideLlama } from './gpu-models.ts';
import { gpuArguments, test } from './gpu-site.ts';

test.use({ launchOptions: { executablePath: chromiumPath(), args: gpuArguments } });
test.setTimeout(240_000);

/** Does something to the device when so many command buffers were handed over. */
const after = (count: string, what: string) => `
const submit = GPUQueue.prototype.submit;
const request = GPUAdapter.prototype.requestDevice;
let device;
let submitted = 0;
GPUAdapter.prototype.requestDevice = async function (...args) {
  device = await request.apply(this, args);
  return device;
};
GPUQueue.prototype.submit = function (...args) {
  submit.apply(this, args);
  if (++submitted === ${count}) { ${what} }
};
`;

// The check takes 60 submissions, the prompt two, a token two, and the logits two.
for (const count of [1, 30, 59, 62, 66, 75]) {
  test(`a device that is lost after ${count} submissions does not end an answer`, async ({
    page,
    gpu,
  }) => {
    await gpu.change((code) => code, after(String(count), 'device.destroy();'));
    const compared = await compare(page, await gpu.model(wideLlama()));
    const { device, notes, onDevice, inCore } = compared;
    expect(onDevice[0]).toEqual(inCore[0]);
    if (device.name === 'wasm') {
      expect(device.reason).toContain('lost');
    } else {
      expect(notes.join()).toMatch(/^The device failed, so WebAssembly goes on: .*lost/);
    }
  });
}

test('a refused allocation in an answer is taken over', async ({ page, gpu }) => {
  const refuse = `
const buffer = GPUDevice.prototype.createBuffer;
GPUDevice.prototype.createBuffer = function (given) {
  if (submitted > 0 && given.size === 2 * 4 * 128 * 256 && ++refused > 2) { throw new RangeError('out of memory'); }
  return buffer.call(this, given);
};
let refused = 0;
`;
  await gpu.change((code) => code, after('0', '') + refuse);
  const { device, notes, onDevice, inCore } = await compare(page, await gpu.model(wideLlama()));
  expect(device.name).toBe('webgpu');
  expect(notes.join()).toContain('out of memory');
  expect(onDevice[0]).toEqual(inCore[0]);
});

test('a stalled queue is taken over', async ({ page, gpu }) => {
  const stall = after('80', 'GPUBuffer.prototype.mapAsync = () => new Promise(() => {});');
  await gpu.change((code) => code.replace('stallMs=12e4', 'stallMs=2000'), stall);
  const { notes, onDevice, inCore } = await compare(page, await gpu.model(wideLlama()));
  expect(notes.join()).toContain('the device does not answer');
  expect(onDevice[0]).toEqual(inCore[0]);
});

test('what cannot run on a device runs in WebAssembly, which says why', async ({ page, gpu }) => {
  const cases = [
    [expertDecoders[0]?.[1](), 'a device cannot compute experts'],
    [hybridDecoders[0]?.[1](), 'a device cannot compute layers of kind'],
  ] as const;
  for (const [file, reason] of cases) {
    const compared = await compare(page, await gpu.model(file as Blob));
    expect(compared.device).toMatchObject({ name: 'wasm' });
    expect(compared.device.reason).toContain(reason);
    expect(compared.warnings[0]).toContain(reason);
  }
});

test('no adapter, no WebGPU and no script are reasons', async ({ page, gpu }) => {
  const url = await gpu.model(wideLlama());
  for (const [before, reason] of [
    ['GPU.prototype.requestAdapter = async () => null;', 'the browser gives no adapter'],
    ['GPU.prototype.requestAdapter = async () => { throw new Error("blocked"); };', 'no adapter'],
    ["Object.defineProperty(navigator, 'gpu', { value: undefined });", 'there is no WebGPU'],
    ['GPUAdapter.prototype.requestDevice = async () => { throw new Error("no"); };', 'no device'],
    ['throw new Error("not this one");', 'not this one'],
  ] as const) {
    await gpu.change((code) => code, before);
    const { device, onDevice, inCore } = await compare(page, url, ['answer']);
    expect(device.reason).toContain(reason);
    expect(onDevice[0]).toHaveLength((inCore[0] as unknown[]).length);
  }
});

test('a stream is refused, and `auto` leaves a program on the processor alone', async ({
  page,
  gpu,
}) => {
  const url = await gpu.model(await readFile(stories));
  expect(await opened(page, url, 'stream', 'webgpu')).toMatchObject({
    code: 'Unsupported',
    path: 'options.device',
  });
  expect(await opened(page, url, 'address', 'auto')).toMatchObject({
    name: 'wasm',
    reason: 'the adapter is a program on the processor',
  });
  expect(await opened(page, url, 'address', 'wasm')).toBeUndefined();
  expect(await opened(page, url, 'address', 'cuda')).toMatchObject({
    code: 'BadValue',
    path: 'options.device',
  });
});
