// Compares the logits of language models that rank with those of the same file as a generator.
import { expect } from 'vitest';
import type { Generator } from '../../../web/src/index.ts';
import {
  idOf,
  languageModelDirectory,
  type RerankerFiles,
} from '../support/models/reranker-models.ts';
import { openReranker } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const { open } = ambry;
export const query = 'how do cats sleep?';
export const documents = ['Cats sleep in short naps.', 'Boats float.', '', 'a cat {query} naps'];
export const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

export const headed = (name: string) => ({ 'README.md': `# ${name}\n\nA model.\n` });

/** The logits after a prompt whose parts become tokens each by itself. */
export async function logitsAfter(
  model: Generator,
  parts: readonly string[],
): Promise<Float32Array> {
  const ids: number[] = [];
  for (const part of parts) {
    ids.push(...(await model.tokenize(part, { special: false })).ids);
  }
  return model.logits(ids);
}

export const difference = (row: Float32Array, yes: string, no: string) =>
  (row[idOf(yes)] as number) - (row[idOf(no)] as number);

/** Compares the logits of all documents with those of the file as a generator. */
export async function expectLogits(
  files: RerankerFiles,
  prompt: (document: string) => readonly string[],
  logit: (row: Float32Array) => number,
  options: { readonly instruction?: string } = {},
): Promise<Float32Array> {
  const source = languageModelDirectory(files);
  await using model = await openReranker(source);
  await using generator = await open(source, { kind: 'generator' });
  const logits = await model.logits(
    documents.map((document) => [query, document] as const),
    options,
  );
  for (const [i, document] of documents.entries()) {
    const expected = logit(await logitsAfter(generator, prompt(document)));
    expect(Math.abs((logits[i] as number) - expected)).toBeLessThan(1e-5);
  }
  return logits;
}
