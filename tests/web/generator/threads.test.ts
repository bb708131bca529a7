// Models that generate text on several threads: real workers over one memory, started by the built package.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { OpenOptions, Problem } from '../../../web/src/entries/types.ts';
import { defaultThreads } from '../../../web/src/generator/threads.ts';
import type { Generator } from '../../../web/src/index.ts';
import { ggufFile, ggufTypes } from '../../bench/decoder/gguf-file.mjs';
import { languageFile } from '../support/files/language-file.ts';
import { longAnswer, longAnswerFile } from '../support/long-answers.ts';
import { openEncoder, openGenerator } from '../support/open-kinds.ts';
import { type OwnWorkers, ownWorkers } from '../support/own-workers.ts';
import { smallModel } from '../support/package.ts';

const plain = languageFile({ layers: 3, width: 192, context: 256 });
const testFiles = {
  f32: plain,
  q4_k: new Uint8Array(
    ggufFile({ width: 512, inner: 768, layers: 2, vocabulary: 300, context: 256 }, ggufTypes.q4_k),
  ),
};
const ids = Array.from({ length: 150 }, (_, i) => (i * 37) % 256);
const options = { temperature: 0.9, seed: 5, maxTokens: 24, ignoreEos: true } as const;

async function withThreads<T>(
  file: Uint8Array<ArrayBuffer>,
  open: OpenOptions,
  use: (model: Generator, workers: OwnWorkers) => Promise<T>,
  atStart?: Parameters<typeof ownWorkers>[0],
): Promise<T> {
  const workers = ownWorkers(atStart);
  const model = await openGenerator(file, { createWorker: workers.createWorker, ...open });
  try {
    return await use(model, workers);
  } finally {
    await model.dispose();
  }
}

/** Logits of the prompt, and the tokens of an answer with their probabilities. */
async function numbersOf(model: Generator) {
  const logits = await model.logits(ids, { all: true });
  const tokens = [];
  for await (const token of model.generate(ids, { ...options, logprobs: 3 })) {
    tokens.push(token);
  }
  return { logits: [...logits], tokens };
}

describe.each(Object.entries(testFiles))('threads of a model in %s', (_, file) => {
  test('give the numbers of one thread, to the last bit', async () => {
    const one = await withThreads(file, { threads: 1 }, numbersOf);
    for (const threads of [2, 3]) {
      const many = await withThreads(file, { threads }, async (model, { started }) => {
        expect(model.threads).toBe(threads);
        expect(started).toHaveLength(threads);
        return numbersOf(model);
      });
      expect(many).toEqual(one);
    }
  });
});

describe('threads', () => {
  test('serve conversations and several answers', async () => {
    const talk = async (model: Generator) => {
      const chat = model.session({ system: 'Be brief.' });
      const texts = [];
      for (const message of ['One', 'Two', 'Three']) {
        texts.push((await chat.send(message, { ...options, maxTokens: 8 }).result).text);
      }
      await chat.dispose();
      return texts;
    };
    const one = await withThreads(plain, { threads: 1 }, talk);
    expect(await withThreads(plain, { threads: 2 }, talk)).toEqual(one);
  });

  test('work again after they slept, and after an answer was stopped', () =>
    withThreads(longAnswerFile(), { threads: 3 }, async (model) => {
      const { text } = await model.generate(ids, options).result;
      const abort = new AbortController();
      const stopped = async () => {
        const { signal } = abort;
        for await (const _ of model.generate(ids, { ...longAnswer, signal })) {
          abort.abort();
        }
      };
      await expect(stopped()).rejects.toMatchObject({ name: 'AbortError' });
      await new Promise((later) => setTimeout(later, 50));
      expect((await model.generate(ids, options).result).text).toBe(text);
    }));

  test('end with the model, also while it answers', async () => {
    const workers = await withThreads(longAnswerFile(), { threads: 4 }, async (model, workers) => {
      const run = model.generate(ids, longAnswer);
      const failed = expect(run.result).rejects.toMatchObject({ code: 'Cancelled' });
      await run[Symbol.asyncIterator]().next();
      await model.dispose();
      await failed;
      return workers;
    });
    await expect.poll(workers.ended).toBe(4);
  });

  test('that die end the model with a reason', () =>
    withThreads(plain, { threads: 2 }, async (model, { started }) => {
      await started[1]?.terminate();
      await expect
        .poll(() => model.generate(ids, options).result.catch((error: unknown) => error))
        .toMatchObject({ code: 'Crashed' });
    }));

  test('that cannot start are reported, and the model runs on those that can', async () => {
    const one = await withThreads(plain, { threads: 1 }, numbersOf);
    const warnings: Problem[] = [];
    const onWarning = (warning: Problem) => void warnings.push(warning);
    const fewer = (number: number) => (number === 2 ? 'throw new Error("no such luck")' : '');
    await withThreads(
      plain,
      { threads: 3, onWarning },
      async (model) => {
        expect(model.threads).toBe(2);
        expect(warnings).toEqual([
          expect.objectContaining({
            path: 'options.threads',
            message: expect.stringContaining('no such luck'),
          }),
        ]);
        expect(await numbersOf(model)).toEqual(one);
      },
      fewer,
    );
  });

  test('are one where the caller brings WebAssembly, which has a memory of its own', async () => {
    const wasm = new URL('../../../packages/whole/wasm/ambry-baseline.wasm', import.meta.url);
    const wasmBinary = new Uint8Array(await readFile(wasm));
    await withThreads(plain, { threads: 4, wasmBinary }, async (model, { started }) => {
      expect(model.threads).toBe(1);
      expect(started).toHaveLength(1);
      expect((await model.generate(ids, options).result).ids.length).toBeGreaterThan(0);
    });
  });

  test('work with weights that do not stay in memory', async () => {
    const resident = plain.length / 2;
    const one = await withThreads(plain, { threads: 1, resident }, numbersOf);
    expect(await withThreads(plain, { threads: 2, resident }, numbersOf)).toEqual(one);
  });

  test('are one by default for a small model, and half of the processors for others', () => {
    expect(defaultThreads(8, 1e6)).toBe(1);
    expect([1, 2, 3, 4, 6, 8, 64].map((cores) => defaultThreads(cores, 1e9))).toEqual([
      1, 2, 2, 2, 3, 4, 4,
    ]);
  });
});

describe('bad input', () => {
  test.each([
    0,
    -1,
    1.5,
    65,
    Number.NaN,
    '2' as unknown as number,
  ])('%s threads are refused', async (threads) => {
    await expect(openGenerator(plain, { threads })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.threads',
    });
  });

  test('threads of another kind of model are refused', async () => {
    await expect(
      openEncoder(await smallModel(), { kind: 'encoder', threads: 2 }),
    ).rejects.toMatchObject({ code: 'BadValue', path: 'options.threads' });
  });
});
