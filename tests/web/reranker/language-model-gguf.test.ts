// The built package in Node: language models that rank, as GGUF.
import { describe, expect, test } from 'vitest';
import type { Generator } from '../../../web/src/index.ts';
import {
  hiddenSize,
  idOf,
  languageModelGguf,
  outputRows,
} from '../support/models/reranker-models.ts';
import { openReranker } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const { open, convert, runReport } = ambry;
const query = 'how do cats sleep?';
const documents = ['Cats sleep in short naps.', 'Boats float.', 'a {document} cat'];
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

const template =
  '<|im_start|>system\nJudge.<|im_end|>\n<|im_start|>user\n<Instruct>: Find it\n<Query>: {query}\n<Document>: {document}<|im_end|>\n<|im_start|>assistant\n';
const promptOf = (document: string, instruction = 'Find it') =>
  `<|im_start|>system\nJudge.<|im_end|>\n<|im_start|>user\n<Instruct>: ${instruction}\n<Query>: ${query}\n<Document>: ${document}<|im_end|>\n<|im_start|>assistant\n`;

const rankEntries = {
  'qwen3.pooling_type': 4,
  'qwen3.classifier.output_labels': ['yes', 'no'],
  'tokenizer.chat_template.rerank': template,
};
const rankRows = (...words: readonly string[]) => ({
  'cls.output.weight': {
    shape: [words.length, hiddenSize],
    numbers: outputRows(...words.map(idOf)),
  },
});
const ranker = (entries: object = {}, tensors = rankRows('yes', 'no')) =>
  languageModelGguf({ entries: { ...rankEntries, ...entries }, tensors });

async function logitAfter(model: Generator, prompt: string): Promise<number> {
  const { ids } = await model.tokenize(prompt, { special: false });
  const row = await model.logits(ids);
  return (row[idOf('yes')] as number) - (row[idOf('no')] as number);
}

describe('a GGUF file with cls.output', () => {
  test('ranks by the softmax of its two outputs', async () => {
    const file = await ranker();
    expect(await runReport(file)).toMatchObject({ kind: 'reranker', converts: false });
    await using model = await openReranker(file);
    expect(model.info).toMatchObject({ format: 'gguf' });
    await using generator = await open(file, { kind: 'generator' });
    const logits = await model.logits(documents.map((document) => [query, document] as const));
    const ranked = await model.rank(query, documents);
    for (const [i, document] of documents.entries()) {
      const expected = await logitAfter(generator, promptOf(document));
      expect(Math.abs((logits[i] as number) - expected)).toBeLessThan(1e-5);
      const score = ranked.find(({ index }) => index === i)?.score;
      expect(score).toBeCloseTo(sigmoid(expected), 5);
    }
  });

  test('takes an instruction in the place of the one in its template', async () => {
    const file = await ranker();
    await using model = await openReranker(file);
    await using generator = await open(file, { kind: 'generator' });
    const instruction = 'Find code';
    const [logit = Number.NaN] = await model.logits([[query, 'x']], { instruction });
    const expected = await logitAfter(generator, promptOf('x', instruction));
    expect(Math.abs(logit - expected)).toBeLessThan(1e-5);
  });

  test('takes the labels in their order', async () => {
    const labels = { 'qwen3.classifier.output_labels': ['no', 'yes'] };
    const turned = await ranker(labels, rankRows('no', 'yes'));
    await using model = await openReranker(turned);
    await using usual = await openReranker(await ranker());
    expect(await model.rank(query, documents)).toEqual(await usual.rank(query, documents));
  });

  test('ranks alike as AMB', async () => {
    const file = await ranker();
    const amb = await convert(file, { to: 'amb' });
    await using model = await openReranker(amb);
    await using same = await openReranker(file);
    expect(await model.rank(query, documents)).toEqual(await same.rank(query, documents));
    await expect(convert(amb, { to: 'gguf' })).rejects.toMatchObject({ code: 'Unsupported' });
  });

  test('takes no instruction where its template has no place for one', async () => {
    const plain = 'Q {query} D {document} A';
    await using model = await openReranker(
      await ranker({ 'tokenizer.chat_template.rerank': plain }),
    );
    await expect(model.rank(query, documents, { instruction: 'x' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.instruction',
    });
  });

  test('is refused without a template, and without a place for the document', async () => {
    const { 'tokenizer.chat_template.rerank': _, ...entries } = rankEntries;
    const without = await languageModelGguf({ entries, tensors: rankRows('yes', 'no') });
    const path = 'metadata.tokenizer.chat_template.rerank';
    await expect(open(without)).rejects.toMatchObject({ code: 'BadValue', path });
    const half = await ranker({ 'tokenizer.chat_template.rerank': '{query}' });
    await expect(open(half)).rejects.toMatchObject({ code: 'BadValue', path });
  });

  test('is refused with another number of outputs', async () => {
    await expect(open(await ranker({}, rankRows('yes')))).rejects.toMatchObject({
      code: 'Mismatch',
    });
  });
});

describe('a GGUF file without cls.output', () => {
  test('ranks by its tokens if it names a known reranker', async () => {
    const file = await languageModelGguf({
      entries: { 'general.basename': 'Qwen3 Reranker', 'qwen3.pooling_type': 4 },
    });
    await using model = await openReranker(file);
    await using generator = await open(file, { kind: 'generator' });
    const [logit = Number.NaN] = await model.logits([[query, 'x']]);
    const expected = await logitAfter(
      generator,
      `<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n<Instruct>: Given a web search query, retrieve relevant passages that answer the query\n<Query>: ${query}\n<Document>: x<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n`,
    );
    expect(Math.abs(logit - expected)).toBeLessThan(1e-5);
  });

  test('is refused if it states the pooling of rerankers and no known name', async () => {
    const file = await languageModelGguf({ entries: { 'qwen3.pooling_type': 4 } });
    await expect(open(file)).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'metadata.qwen3.pooling_type',
      message: expect.stringContaining('cls.output') as string,
    });
  });

  test('is a generator otherwise, and no reranker', async () => {
    const file = await languageModelGguf();
    await using model = await open(file);
    expect(model.kind).toBe('generator');
    await expect(open(file, { kind: 'reranker' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.kind',
    });
  });
});
