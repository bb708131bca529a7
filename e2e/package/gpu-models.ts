// Models that a device and WebAssembly run side by side, and what both say.
import type { Page } from '@playwright/test';
import type { Generator } from 'ambry';
import { type Store, storedAs } from '../../tests/web/support/files/amb-file.ts';
import { ambFileOf, generatorCases } from '../../tests/web/support/models/architecture-cases.ts';
import { ambry } from '../../tests/web/support/package.ts';
import { expect } from '../fixtures.ts';
import { decoderFile } from '../support/decoder-file.ts';
import type { Compared } from './gpu-site.ts';

export const stories = new URL('../../web/demo/public/models/stories.amb', import.meta.url);

/** Opens the model twice and asks both the same. `quantize` is what the file becomes before. */
export function compare(page: Page, url: string, jobs: readonly string[] = ['answer', 'logits']) {
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

/** Logits differ in the order of sums, and nothing else does. */
export function expectAlike({ device, onDevice, inCore, difference }: Compared): void {
  expect(device).toMatchObject({ name: 'webgpu' });
  expect(device.difference).toBeLessThan(1e-4);
  expect(onDevice[0]).toEqual(inCore[0]);
  expect(difference).toBeLessThan(1e-4);
}

/** A llama whose rows are as long as the blocks of all types. */
export const wideLlama = (store?: Store) => {
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
export async function modelOf(name: string): Promise<Blob | Uint8Array> {
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

export interface Reason {
  readonly name: string;
  readonly reason: string;
}

/** The error of `open`, or what computes. */
export const opened = (page: Page, url: string, source: 'address' | 'stream', device: string) =>
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
