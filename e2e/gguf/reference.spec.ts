// Other programs read the GGUF files that Ambry writes. llama.cpp continues the prompts of stories260K as llama2.c does,
// and Hugging Face's reader finds the vocabulary. Ambry runs the same files as llama.cpp does.

import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gguf } from '@huggingface/gguf';
import { expect, test } from '@playwright/test';
import { open } from 'ambry';
import { dataPath, missingData } from '../../tests/data-folder.mjs';
import { LlamaCpp } from '../support/llama-cpp.ts';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const storiesFolder = dataPath('stories260k');

interface KnownAnswer {
  readonly prompt: string;
  readonly prompt_tokens: readonly number[];
  readonly generated_tokens: readonly number[];
}

interface Piece {
  readonly piece: string;
  readonly score: number;
  readonly type: number;
}

const missing = missingData('stories260k');
if (missing !== undefined) {
  console.log(`skipped: ${missing}`);
}
test.skip(missing !== undefined, missing);

let folder = '';
const at = (name: string): string => join(folder, name);
const ambry = async (...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, [command, ...args])).stdout;

/** The ids of our answers to the prompts. */
async function answersOf(name: string, prompts: readonly string[], maxTokens: number) {
  await using model = await open(at(name), { kind: 'generator' });
  const answers: (readonly number[])[] = [];
  for (const prompt of prompts) {
    answers.push((await model.generate(prompt, { temperature: 0, maxTokens }).result).ids);
  }
  return answers;
}
const jsonOf = async (name: string) =>
  JSON.parse(await readFile(join(storiesFolder, name), 'utf8'));

let llama: LlamaCpp;
test.beforeAll(async ({ browser }) => {
  llama = await LlamaCpp.start(await browser.newPage());
  folder = await mkdtemp(join(tmpdir(), 'ambry-gguf-'));
  await copyFile(join(storiesFolder, 'stories260K.bin'), at('model.bin'));
  await copyFile(join(storiesFolder, 'tok512.bin'), at('tokenizer.bin'));
  await ambry('convert', at('model.bin'), at('model.amb'));
  await ambry('convert', at('model.bin'), at('model.alt'), '--lossy');
  for (const format of ['amb', 'alt']) {
    await ambry('convert', at(`model.${format}`), at(`${format}.gguf`));
  }
});

test.afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

for (const format of ['amb', 'alt']) {
  test(`llama.cpp writes the same stories from a converted ${format} file`, async () => {
    const answers = (await jsonOf('known_answers.json')).answers as readonly KnownAnswer[];
    const prompts = answers.map(({ prompt }) => prompt);
    const reading = await llama.read(await readFile(at(`${format}.gguf`)), prompts, 200);
    expect(reading.metadata).toMatchObject({
      'general.architecture': 'llama',
      'llama.attention.head_count': '8',
      'llama.attention.head_count_kv': '4',
      'llama.context_length': '512',
      'tokenizer.ggml.model': 'llama',
    });
    for (const [i, known] of answers.entries()) {
      const continuation = reading.continuations[i];
      expect.soft(continuation?.promptTokens, known.prompt).toBe(known.prompt_tokens.length);
      expect.soft(continuation?.ids, known.prompt).toEqual(known.generated_tokens);
    }
    const own = await answersOf(`${format}.gguf`, prompts, 200);
    expect(own).toEqual(answers.map(({ generated_tokens }) => generated_tokens));
  });

  test(`the header of a converted ${format} file has the whole vocabulary`, async () => {
    const pieces = (await jsonOf('tokenizer.json')).pieces as readonly Piece[];
    const read = await gguf(at(`${format}.gguf`), { allowLocalFile: true });
    const metadata: Readonly<Record<string, unknown>> = { ...read.metadata };
    expect(metadata['tokenizer.ggml.tokens']).toEqual(pieces.map(({ piece }) => piece));
    expect(metadata['tokenizer.ggml.token_type']).toEqual(pieces.map(({ type }) => type));
    expect(read.tensorInfos).toHaveLength(2 + 9 * 5);
    // ALT has no scores. The order of the ids replaces them. Some files have -0.
    const scores = metadata['tokenizer.ggml.scores'] as readonly number[];
    const known = pieces.map(({ score }) => score);
    if (format === 'amb') {
      expect(scores.map((score) => score + 0)).toEqual(known);
    }
    expect(scores).toHaveLength(known.length);
  });
}

for (const [type, tokens] of [
  ['int8', 16],
  ['int4_block', 2],
] as const) {
  test(`llama.cpp begins the same stories from a converted ${type} file`, async () => {
    await ambry('quantize', at('model.amb'), at(`${type}.amb`), '--type', type);
    await ambry('convert', at(`${type}.amb`), at(`${type}.gguf`));
    const answers = (await jsonOf('known_answers.json')).answers as readonly KnownAnswer[];
    const prompts = answers.map(({ prompt }) => prompt);
    const reading = await llama.read(await readFile(at(`${type}.gguf`)), prompts, tokens);
    expect(reading.continuations.map(({ ids }) => ids)).toEqual(
      answers.map(({ generated_tokens }) => generated_tokens.slice(0, tokens)),
    );
    const own = await answersOf(`${type}.gguf`, prompts, tokens);
    expect(own).toEqual(reading.continuations.map(({ ids }) => ids));
  });
}
