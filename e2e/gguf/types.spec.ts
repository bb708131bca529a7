// Models whose matrices have each of GGUF's quantized types give the same logits here as in llama.cpp, on the same file.
// Both programs round the activations to eight bits, each in its own way, so the logits differ a little.

import { expect, test } from '@playwright/test';
import { open } from 'ambry';
import { ggufFile, ggufTypes } from '../../tests/bench/decoder/gguf-file.mjs';
import { LlamaCpp } from '../support/llama-cpp.ts';

const shape = { width: 256, inner: 512, layers: 4, vocabulary: 64 };
/** The least cosine of the logits after one prompt, and after all. */
const minCosine = { prompt: 0.999, all: 0.9995 };
/** Two tokens whose logits are closer than this share of the logits' deviation count as equally likely. */
const tie = 0.05;

/** Texts of letters, each of which is a token of the model. */
const prompts = Array.from({ length: 20 }, (_, i) =>
  Array.from({ length: 2 + (i % 13) }, (_, j) =>
    String.fromCharCode(97 + ((i * 7 + j * j * 3 + j) % 26)),
  ).join(''),
);

/** The cosine of two lists, each less its mean: a constant added to all logits changes no probability. */
function cosine(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [centred(a), centred(b)];
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
}

function centred(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? Number.NaN), 0);

/** Whether the likeliest token of `own` is, but for ties, the likeliest of `their`. */
function agrees(own: readonly number[], their: readonly number[]): boolean {
  const best = Math.max(...their);
  const chosen = their[own.indexOf(Math.max(...own))] ?? Number.NaN;
  const deviation = Math.sqrt(dot(centred(their), centred(their)) / their.length);
  return best - chosen <= tie * deviation;
}

let llama: LlamaCpp;
test.beforeAll(async ({ browser }) => {
  llama = await LlamaCpp.start(await browser.newPage());
});

for (const [name, type] of Object.entries(ggufTypes)) {
  test(`the logits of a ${name} model are those of llama.cpp`, async () => {
    const file = ggufFile(shape, type);
    const theirs = await llama.logProbabilities(file, prompts, shape.vocabulary);
    await using model = await open(new Blob([file]), { kind: 'generator' });
    const owns: (readonly number[])[] = [];
    for (const [i, prompt] of prompts.entries()) {
      const own = [...(await model.logits(prompt))];
      const their = theirs[i] ?? [];
      expect(their, prompt).toHaveLength(shape.vocabulary);
      expect.soft(cosine(own, their), `after ${prompt}`).toBeGreaterThan(minCosine.prompt);
      expect.soft(agrees(own, their), `the token after ${prompt}`).toBe(true);
      owns.push(centred(own));
    }
    expect(cosine(owns.flat(), theirs.flatMap(centred))).toBeGreaterThan(minCosine.all);
  });
}
