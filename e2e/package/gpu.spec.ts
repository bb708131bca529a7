// Language models on a graphics processor, beside WebAssembly. The adapter is a program (SwiftShader), so nothing here says
// anything about speed.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { ChatSession, Generator } from 'ambry';
import { type Store, storedAs } from '../../tests/web/support/files/amb-file.ts';
import { ambFileOf, generatorCases } from '../../tests/web/support/models/architecture-cases.ts';
import { ambry } from '../../tests/web/support/package.ts';
import { expect } from '../fixtures.ts';
import { chromiumPath } from '../support/chromium.ts';
import { decoderFile } from '../support/decoder-file.ts';
import { denseDecoders } from '../support/dense-decoders.ts';
import { expertDecoders } from '../support/expert-decoders.ts';
import { hybridDecoders } from '../support/hybrid-decoders.ts';
import { type Compared, gpuArguments, test } from './gpu-site.ts';

test.use({ launchOptions: { executablePath: chromiumPath(), args: gpuArguments } });
test.setTimeout(240_000);

const stories = new URL('../../web/demo/public/models/stories.amb', import.meta.url);

/** Opens the model twice and asks both the same. `quantize` is what the file becomes before. */
function compare(page: Page, url: string, jobs: readonly string[] = ['answer', 'logits']) {
  return page.evaluate(
    async ([address, wanted]): Promise<Compared> => {
      const { open } = await import(new URL('/index.js', location.href).href);
      const warnings: string[] = [];
      const notes: string[] = [];
      const onWarning = ({ message }: { message: string }) => warnings.push(message);
      const there = await open(address, { device: 'webgpu', onWarning });
      const here = await open(address, { kind: 'generator', weights: 'f32' });
      const vocabulary = there.info.generator.vocabulary;
      const length = Math.min(45, there.info.generator.context - 13);
      const prompt = Array.from({ length }, (_, i) => (i * 37 + 11) % Math.min(vocabulary, 120));
      const settings = {
        maxTokens: 12,
        temperature: 0,
        ignoreEos: true,
        onProgress: ({ note }: { note?: string | undefined }) => {
          if (note !== undefined) {
            notes.push(note);
          }
        },
      };
      const run: Record<string, (model: Generator) => Promise<unknown>> = {
        answer: async (model) => (await model.generate(prompt, settings).result).ids,
        logits: async (model) => [
          ...(await model.logits(prompt, { onProgress: settings.onProgress })),
        ],
        'all logits': async (model) => [...(await model.logits(prompt, { all: true }))],
        answers: async (model) => {
          const results = await model.generate(prompt, {
            ...settings,
            n: 3,
            temperature: 1,
            seed: 7,
          }).results;
          return results.map(({ ids }) => ids);
        },
        schema: async (model) => {
          const format = { schema: { enum: ['yes', 'no', 'perhaps'] } };
          return (await model.generate('Well', { ...settings, format }).result).text;
        },
        lookup: async (model) => {
          const again = { ...settings, promptLookupNumTokens: 10 };
          return (await model.generate([...prompt, ...prompt], again).result).ids;
        },
        vectors: async (model) => {
          const vectors = await model.embed(['a goose', 'It was night. '.repeat(20)], {
            pooling: 'mean',
          });
          return vectors.map((vector) => [...vector]);
        },
        perplexity: async (model) =>
          (await model.perplexity('Once upon a time. '.repeat(9))).perplexity,
      };
      const all = async (model: Generator) => {
        const results: unknown[] = [];
        for (const name of wanted) {
          results.push(await run[name]?.(model));
        }
        return results;
      };
      const onDevice = await all(there);
      const inCore = await all(here);
      const numbers = (list: unknown[]) => list.flat(2).filter((x) => typeof x === 'number');
      const [a, b] = [numbers(inCore), numbers(onDevice)] as [number[], number[]];
      const largest = Math.max(...a.map(Math.abs));
      const difference = Math.max(...a.map((x, i) => Math.abs(x - (b[i] ?? Number.NaN)))) / largest;
      const { device } = there.info.generator;
      await there.dispose();
      await here.dispose();
      return { device, warnings, notes, onDevice, inCore, difference };
    },
    [url, jobs] as const,
  );
}

/** Architectures that have what no kernel computes. */
const runsElsewhere = [
  'falcon_h1',
  'gemma3n',
  'gemma4',
  'granitemoe',
  'granitemoehybrid',
  'lfm2',
  'lfm2_moe',
  'mixtral',
  'nemotron_h',
  'olmoe',
  'qwen2_moe',
  'qwen3_5',
  'qwen3_5_moe',
  'qwen3_moe',
];

/** Logits differ in the order of sums, and nothing else does. */
function expectAlike({ device, onDevice, inCore, difference }: Compared): void {
  expect(device).toMatchObject({ name: 'webgpu' });
  expect(device.difference).toBeLessThan(1e-4);
  expect(onDevice[0]).toEqual(inCore[0]);
  expect(difference).toBeLessThan(1e-4);
}

/** A llama whose rows are as long as the blocks of all types. */
const wideLlama = (store?: Store) => {
  const sizes = { width: 256, wide: 512, heads: 4, keyValueHeads: 2, headDim: 64 };
  return decoderFile('llama', {
    sizes,
    layer: [
      ['input_layernorm.weight', [256]],
      ['self_attn.q_proj.weight', [256, 256]],
      ['self_attn.k_proj.weight', [128, 256]],
      ['self_attn.v_proj.weight', [128, 256]],
      ['self_attn.o_proj.weight', [256, 256]],
      ['post_attention_layernorm.weight', [256]],
      ['mlp.gate_proj.weight', [512, 256]],
      ['mlp.up_proj.weight', [512, 256]],
      ['mlp.down_proj.weight', [256, 512]],
    ],
    ends: [['model.norm.weight', [256]]],
    ...(store && { store }),
  });
};

/** A model with weights of this type, or of this architecture. */
async function modelOf(name: string): Promise<Blob | Uint8Array> {
  if (name === 'f32' || name === 'f16' || name === 'bf16') {
    return wideLlama(storedAs[name]);
  }
  const made = generatorCases.find(({ config }) => config['architecture'] === name);
  if (made) {
    return ambFileOf(made);
  }
  // A conversion keeps codes and scales, and puts them into ggml's blocks.
  if (name === 'q4_0') {
    const blocks = await ambry.quantize(wideLlama(), { to: 'amb', type: 'int4_block', block: 32 });
    return ambry.convert(blocks.blob as Blob, { to: 'gguf' });
  }
  const to = name.startsWith('q') ? 'gguf' : 'amb';
  return (await ambry.quantize(wideLlama(), { to, type: name as 'int8' })).blob as Blob;
}

for (const [name, file] of denseDecoders) {
  test(`${name} gives the tokens and logits of WebAssembly`, async ({ page, gpu }) => {
    expectAlike(await compare(page, await gpu.model(file())));
  });
}

for (const made of generatorCases) {
  const name = String(made.config['architecture']);
  test(`${name} of the fixtures runs as in WebAssembly`, async ({ page, gpu }) => {
    const compared = await compare(page, await gpu.model(ambFileOf(made)), ['logits']);
    if (compared.device.name === 'wasm') {
      expect(compared.device.reason).toContain('a device cannot');
      expect(runsElsewhere).toContain(name);
    } else {
      expect(runsElsewhere).not.toContain(name);
      expect(compared.difference).toBeLessThan(1e-4);
    }
  });
}

for (const type of ['q8_0', 'q4_0', 'q4_k', 'q6_k', 'f16', 'bf16', 'int8', 'int4_block']) {
  test(`weights of ${type} give the tokens and logits of WebAssembly`, async ({ page, gpu }) => {
    const jobs = ['answer', 'logits', 'all logits'];
    expectAlike(await compare(page, await gpu.model(await modelOf(type)), jobs));
  });
}

test('answers together, forms, drafts and texts are as in WebAssembly', async ({ page, gpu }) => {
  const jobs = ['answer', 'answers', 'schema', 'lookup', 'perplexity', 'vectors', 'logits'];
  const compared = await compare(page, await gpu.model(await readFile(stories)), jobs);
  expectAlike(compared);
  expect(compared.onDevice.slice(0, 4)).toEqual(compared.inCore.slice(0, 4));
  expect(compared.notes).toEqual([]);
});

test('sessions are continued, forked, cut back, saved and restored', async ({ page, gpu }) => {
  const url = await gpu.model(await readFile(stories));
  const texts = (options: object) =>
    page.evaluate(
      async ([address, how]) => {
        const { open } = await import(new URL('/index.js', location.href).href);
        const model = await open(address, { kind: 'generator', weights: 'f32', ...how });
        const say = async (session: ChatSession, text: string) =>
          (await session.send(text, { maxTokens: 8, temperature: 0 }).result).text;
        const template = "{% for m in messages %}{{ m['content'] }} {% endfor %}";
        const session = await model.session({ template });
        const said = [await say(session, 'Once there was a goose.')];
        const fork = await session.fork();
        said.push(await say(session, 'It went away.'), await say(fork, 'It came back.'));
        await session.rewind(1);
        said.push(await say(session, 'It was night.'));
        const restored = await model.restoreSession(await session.save());
        said.push(await say(restored, 'And then?'), await say(session, 'And then?'));
        await model.dispose();
        return said;
      },
      [url, options] as const,
    );
  expect(await texts({ device: 'webgpu' })).toEqual(await texts({}));
});

interface Reason {
  readonly name: string;
  readonly reason: string;
}

/** The error of `open`, or what computes. */
const opened = (page: Page, url: string, source: 'address' | 'stream', device: string) =>
  page.evaluate(
    async ([address, how, wanted]) => {
      const { open } = await import(new URL('/index.js', location.href).href);
      try {
        const given = how === 'stream' ? (await fetch(address)).body : address;
        await using model = await open(given, { kind: 'generator', device: wanted });
        return model.info.generator.device;
      } catch (error) {
        const { code, path, message } = error as { code: string; path: string; message: string };
        return { code, path, message };
      }
    },
    [url, source, device] as const,
  );

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
