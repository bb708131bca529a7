// Runs llama.cpp in a page, from a package that compiled it to WebAssembly. It reads the metadata of a GGUF file and
// continues texts. The files come from node_modules.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const packageName = '@wllama/wllama/esm';
// Requests to this address are answered here. Localhost is a secure context.
const origin = 'http://localhost:1';

export interface Continuation {
  readonly promptTokens: number;
  readonly ids: readonly number[];
  readonly text: string;
}

export interface Reading {
  readonly metadata: Readonly<Record<string, string>>;
  readonly continuations: readonly Continuation[];
}

interface TokenProbability {
  readonly id: number;
  readonly logprob: number;
  readonly top_logprobs: readonly { readonly id: number; readonly logprob: number }[];
}

interface Completion {
  readonly usage: { readonly prompt_tokens: number };
  readonly choices: readonly {
    readonly text: string;
    readonly logprobs: { readonly content: readonly TokenProbability[] };
  }[];
}

/** The used part of the package's class. */
interface Wllama {
  setCompat(compat: null): void;
  loadModel(files: readonly Blob[], options: Record<string, unknown>): Promise<void>;
  getModelMetadata(): { readonly meta: Readonly<Record<string, string>> };
  createCompletion(options: Record<string, unknown>): Promise<Completion>;
  exit(): Promise<void>;
}

export class LlamaCpp {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async start(page: Page): Promise<LlamaCpp> {
    const { resolve } = createRequire(import.meta.url);
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/index.js') {
        await route.fulfill({ path: resolve(`${packageName}/index.js`) });
      } else if (pathname === '/llama.wasm') {
        const body = readFileSync(resolve(`${packageName}/wasm/wllama.wasm`));
        await route.fulfill({ body, contentType: 'application/wasm' });
      } else {
        await route.fulfill({ body: '<!doctype html>', contentType: 'text/html' });
      }
    });
    await page.goto(origin);
    // While a page holds the compiled module, the workers of each run share its code.
    await page.evaluate(async (wasm) => {
      Object.assign(globalThis, { compiled: await WebAssembly.compileStreaming(fetch(wasm)) });
    }, `${origin}/llama.wasm`);
    return new LlamaCpp(page);
  }

  /** Loads a file and continues each prompt by `tokens` tokens. It takes the likeliest token and computes in float32. */
  async read(file: Buffer, prompts: readonly string[], tokens: number): Promise<Reading> {
    const { metadata, answers } = await this.#complete(file, prompts, tokens, 1);
    const continuations = answers.map(({ usage, choices: [choice] }) => ({
      promptTokens: usage.prompt_tokens,
      ids: choice?.logprobs.content.map(({ id }) => id) ?? [],
      text: choice?.text ?? '',
    }));
    return { metadata, continuations };
  }

  /** Loads a file and returns the logarithms of the probabilities of all tokens after each prompt, in the order of
   *  their ids. */
  async logProbabilities(
    file: Buffer,
    prompts: readonly string[],
    vocabulary: number,
  ): Promise<readonly (readonly number[])[]> {
    const { answers } = await this.#complete(file, prompts, 1, vocabulary);
    return answers.map(({ choices: [choice] }) =>
      [...(choice?.logprobs.content[0]?.top_logprobs ?? [])]
        .sort((a, b) => a.id - b.id)
        .map(({ logprob }) => logprob),
    );
  }

  async #complete(
    file: Buffer,
    prompts: readonly string[],
    tokens: number,
    logprobs: number,
  ): Promise<{ metadata: Readonly<Record<string, string>>; answers: readonly Completion[] }> {
    const given = { origin, file: file.toString('base64'), prompts, tokens, logprobs };
    return await this.#page.evaluate(async ({ origin, file, prompts, tokens, logprobs }) => {
      const { Wllama } = (await import(`${origin}/index.js`)) as {
        Wllama: new (paths: { default: string }) => Wllama;
      };
      const llama = new Wllama({ default: `${origin}/llama.wasm` });
      llama.setCompat(null);
      const bytes = await (await fetch(`data:application/octet-stream;base64,${file}`)).blob();
      await llama.loadModel([bytes], {
        n_ctx: 512,
        n_threads: 1,
        n_gpu_layers: 0,
        n_parallel: 1,
        warmup: false,
        flash_attn: false,
        cache_type_k: 'f32',
        cache_type_v: 'f32',
      });
      const answers = [];
      for (const prompt of prompts) {
        const options = { max_tokens: tokens, temperature: 0, cache_prompt: false, logprobs };
        answers.push(await llama.createCompletion({ prompt, ...options }));
      }
      const metadata = llama.getModelMetadata().meta;
      await llama.exit();
      return { metadata, answers };
    }, given);
  }
}
