// The check of a device finds what computes wrongly, and devices with the smallest limits suffice.
import { expect } from '../fixtures.ts';
import { chromiumPath } from '../support/chromium.ts';
import { compare, expectAlike, modelOf, opened, type Reason, wideLlama } from './gpu-models.ts';
import { gpuArguments, test } from './gpu-site.ts';

test.use({ launchOptions: { executablePath: chromiumPath(), args: gpuArguments } });
test.setTimeout(240_000);

/** Constants of kernels, what becomes of them, and a part of the reason. One for each kernel that the models below run. */
const corrupted: readonly (readonly [kernel: string, from: string, to: string, model: string])[] = [
  ['multiply, one row', 'job * 4u + lane / 16u', 'job * 4u + lane / 17u', 'q4_k'],
  ['multiply, many rows', 'ws[(left + 2u) * 8u + c]', 'ws[(left + 1u) * 8u + c]', 'q4_k'],
  ['q4_k', '(both & 15u)', '(both & 7u)', 'q4_k'],
  ['q6_k', '- 32.0', '- 31.0', 'q6_k'],
  ['q8_0', '* 34u', '* 36u', 'q8_0'],
  ['q4_0', '- 8.0', '- 7.0', 'q4_0'],
  ['int8', 'four(row, 8u * j + 4u)', 'four(row, 8u * j)', 'int8'],
  ['int4_block', 'codes >> 16u', 'codes >> 12u', 'int4_block'],
  ['f32', 'row * COLS + k, k', 'row * COLS + k + 1u, k', 'f32'],
  ['bf16', '<< 16u', '<< 15u', 'bf16'],
  ['f16', 'return half(2u * i);', 'return half(2u * i + 2u);', 'f16'],
  ['norm', '1.0 / sqrt(red[0]', '1.01 / sqrt(red[0]', 'f32'],
  ['rotate', 'x * cosine - y * sine', 'x * cosine + y * sine', 'f32'],
  ['keep', 'let at = 2u * (now.z', 'let at = 2u * (1u + now.z', 'f32'],
  ['attend, its slopes', 'f32(end - 1u - own)', 'f32(end + 1u - 2u * own)', 'mpt'],
  ['attend, its scores', 'q[d] * kv[k + d]', 'q[d] * kv[k]', 'f32'],
  ['attend, its window', 'begin = end - window', 'begin = end - window + 1u', 'gemma2'],
  ['attend, the largest score', 'sums[e] * before', 'sums[e] * 1.01', 'f32'],
  ['gate', 'x / (1.0 + exp(min(-x, 80.0)))', 'x / (1.1 + exp(min(-x, 80.0)))', 'f32'],
  ['add', 'b[i] += a[i]', 'b[i] += 0.9 * a[i]', 'f32'],
  ['embed', '= all[k] * f(p[2].x)', '= all[k] * 0.99 * f(p[2].x)', 'f32'],
];

for (const [kernel, from, to, name] of corrupted) {
  test(`a corrupted constant is found: ${kernel}`, async ({ page, gpu }) => {
    const url = await gpu.model(await modelOf(name));
    await gpu.change((code) => {
      expect(code).toContain(from);
      return code.replaceAll(from, to);
    });
    const { name: where, reason } = (await opened(page, url, 'address', 'webgpu')) as Reason;
    expect(where).toBe('wasm');
    expect(reason).toMatch(/computes something else at (layers\[|embeddings|the whole)/);
  });
}

/** Has devices say that they have no more than this, and refuse what takes more. */
const limited = (limits: object) => `
const most = ${JSON.stringify(limits)};
const own = Object.getOwnPropertyDescriptor(GPUDevice.prototype, 'limits').get;
Object.defineProperty(GPUDevice.prototype, 'limits', { get() {
  return new Proxy(own.call(this), { get: (all, name) => most[name] ?? all[name] });
} });
const make = GPUDevice.prototype.createShaderModule;
GPUDevice.prototype.createShaderModule = function (given) {
  const size = Number(/@workgroup_size\\((\\d+)\\)/.exec(given.code)[1]);
  if (size > (most.maxComputeInvocationsPerWorkgroup ?? 256) || /enable /.test(given.code)) {
    throw new Error('a kernel takes more than the device has');
  }
  return make.call(this, given);
};
const buffer = GPUDevice.prototype.createBuffer;
GPUDevice.prototype.createBuffer = function (given) {
  if ((given.usage & 128) !== 0 && given.size > (most.maxStorageBufferBindingSize ?? 2 ** 30)) {
    throw new Error('a buffer takes more than the device has');
  }
  return buffer.call(this, given);
};
`;

test('the smallest limits of WebGPU suffice', async ({ page, gpu }) => {
  const least = {
    maxComputeInvocationsPerWorkgroup: 128,
    maxComputeWorkgroupStorageSize: 16_384,
    maxStorageBufferBindingSize: 134_217_728,
    maxBufferSize: 268_435_456,
  };
  for (const type of ['q4_k', 'int8'] as const) {
    await gpu.change((code) => code, limited(least));
    expectAlike(await compare(page, await gpu.model(await modelOf(type))));
  }
});

test('matrices that are larger than a binding are cut', async ({ page, gpu }) => {
  await gpu.change((code) => {
    expect(code).toContain('this.#device.mostBinding-64');
    return code.replace('this.#device.mostBinding-64', '40_000');
  });
  for (const type of ['f32', 'int8', 'q6_k']) {
    expectAlike(await compare(page, await gpu.model(await modelOf(type))));
  }
});

test('limits that no model fits in are a reason', async ({ page, gpu }) => {
  await gpu.change((code) => code, limited({ maxStorageBufferBindingSize: 1000 }));
  const { device } = await compare(page, await gpu.model(wideLlama()), ['answer']);
  expect(device.reason).toContain('the device allows 1000');
});
