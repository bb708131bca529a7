// Language models on a graphics processor, beside WebAssembly. The adapter is a program (SwiftShader), so nothing here says
// anything about speed.
import { readFile } from 'node:fs/promises';
import type { ChatSession } from 'ambry';
import { ambFileOf, generatorCases } from '../../tests/web/support/models/architecture-cases.ts';
import { expect } from '../fixtures.ts';
import { chromiumPath } from '../support/chromium.ts';
import { denseDecoders } from '../support/dense-decoders.ts';
import { compare, expectAlike, modelOf, stories } from './gpu-models.ts';
import { gpuArguments, test } from './gpu-site.ts';

test.use({ launchOptions: { executablePath: chromiumPath(), args: gpuArguments } });
test.setTimeout(240_000);

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
