// The built package in Node: language models that rank, in the forms in which they are published. Each test writes out the
// prompt, and takes what the same file opened as a generator gives after it.
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../web/src/index.ts';
import { idOf, languageModelDirectory } from '../support/models/reranker-models.ts';
import { openReranker } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';
import {
  difference,
  documents,
  expectLogits,
  headed,
  logitsAfter,
  query,
  sigmoid,
} from './expect-logits.ts';

const { convert, open, runReport } = ambry;

describe('Qwen3-Reranker', () => {
  const files = { files: headed('Qwen3-Reranker-0.6B') };
  const prompt = (instruction: string) => (document: string) => [
    '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n',
    `<Instruct>: ${instruction}\n<Query>: ${query}\n<Document>: ${document}`,
    '<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
  ];
  const usual = 'Given a web search query, retrieve relevant passages that answer the query';

  test('gives the logit of yes minus that of no', async () => {
    const logits = await expectLogits(files, prompt(usual), (row) => difference(row, 'yes', 'no'));
    expect(new Set(logits).size).toBe(documents.length);
  });

  test('takes an instruction', async () => {
    const instruction = 'Find {document} nonsense.';
    await expectLogits(files, prompt(instruction), (row) => difference(row, 'yes', 'no'), {
      instruction,
    });
  });

  test('ranks by the sigmoid, applied once', async () => {
    await using model = await openReranker(languageModelDirectory(files));
    const pairs = documents.map((document) => [query, document] as const);
    const logits = await model.logits(pairs);
    const ranked = await model.rank(query, documents, { returnDocuments: true });
    for (const { index, score, text } of ranked) {
      expect(score).toBeCloseTo(sigmoid(logits[index] as number), 6);
      expect(text).toBe(documents[index]);
    }
    expect(ranked.map(({ score }) => score)).toEqual(
      ranked.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    expect(await model.rank(query, [])).toEqual([]);
    const alone = await model.rank(query, [documents[1] as string]);
    expect(alone[0]?.score).toBe(ranked.find(({ index }) => index === 1)?.score);
  });

  test('cuts the document, and never what follows it', async () => {
    const source = languageModelDirectory(files);
    await using model = await openReranker(source, { context: 400 });
    await using generator = await open(source, { kind: 'generator' });
    const long = 'x'.repeat(500);
    const [logit = Number.NaN] = await model.logits([[query, long]]);
    const [before = '', middle = '', after = ''] = prompt(usual)('x');
    const count = async (part: string) =>
      (await generator.tokenize(part, { special: false })).ids.length;
    const room = 400 - (await count(before)) - (await count(middle)) - (await count(after)) + 1;
    const row = await logitsAfter(generator, prompt(usual)('x'.repeat(room)));
    expect(Math.abs(logit - difference(row, 'yes', 'no'))).toBeLessThan(1e-5);
    await expect(model.rank(query, ['a', long], { truncate: 'error' })).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'documents[1]',
    });
    await expect(model.rank(long, ['a'])).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'documents[0]',
    });
  });

  test('opens as a generator when that is asked for, and says that it is a reranker', async () => {
    const source = languageModelDirectory(files);
    await using model = await open(source, { kind: 'generator' });
    expect(model.kind).toBe('generator');
    expect(await runReport(source)).toMatchObject({ kind: 'reranker', converts: true });
    const amb = await convert(source, { to: 'amb' });
    expect(await runReport(amb)).toMatchObject({
      kind: 'reranker',
      converts: false,
      format: 'amb',
    });
    await using ranker = await openReranker(amb);
    expect(ranker.info.config?.['reranker']).toMatchObject({ true: 'yes', false: 'no' });
    await using asked = await open(source, { kind: 'reranker' });
    expect(await asked.rank(query, documents)).toEqual(await ranker.rank(query, documents));
  });

  test('is named by the place that it was saved from, and by a README.md with its use', async () => {
    for (const how of [
      { config: { _name_or_path: 'Qwen/Qwen3-Reranker-0.6B' } },
      { files: { 'README.md': '---\npipeline_tag: text-ranking\n---\nIt is qwen3_reranker.' } },
    ]) {
      await using model = await openReranker(languageModelDirectory(how));
      expect(model.kind).toBe('reranker');
    }
    const mentioned = { files: { 'README.md': '# A chat model\n\nNot Qwen3-Reranker.' } };
    await using model = await open(languageModelDirectory(mentioned));
    expect(model.kind).toBe('generator');
  });

  test('is refused without its tokens', async () => {
    const source = languageModelDirectory({ ...files, bytesAlone: true });
    await expect(open(source)).rejects.toMatchObject({
      code: 'NotFound',
      path: 'config.reranker.true',
    });
  });

  test('is refused without a tokenizer', async () => {
    const without = { files: { ...files.files, 'tokenizer.json': null } };
    await expect(open(languageModelDirectory(without))).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'tokenizer',
    });
  });
});

describe('mxbai-rerank-v2', () => {
  const files = { type: 'qwen2', files: headed('mxbai-rerank-base-v2') } as const;
  const prompt = (instruction: string) => (document: string) => [
    '<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n',
    `${instruction}query: ${query}`,
    '\n',
    `document: ${document}`,
    '\n',
    'You are a search relevance expert who evaluates how well documents match search queries. For each query-document pair, carefully analyze the semantic relationship between them, then provide your binary relevance judgment (0 for not relevant, 1 for relevant).\nRelevance:',
    '<|im_end|>\n<|im_start|>assistant\n',
  ];

  test('gives the logit of 1 minus that of 0, as it is', async () => {
    const logits = await expectLogits(files, prompt(''), (row) => difference(row, '1', '0'));
    await using model = await openReranker(languageModelDirectory(files));
    expect(await model.score(documents.map((document) => [query, document] as const))).toEqual(
      logits,
    );
  });

  test('takes an instruction', async () => {
    const instruction = 'Code only.';
    await expectLogits(
      files,
      prompt(`instruction: ${instruction}\n`),
      (row) => difference(row, '1', '0'),
      { instruction },
    );
  });
});

describe('mxbai-rerank-v2 with long texts', () => {
  test('cuts the query and the document as its authors do, beside what stands around them', async () => {
    const config = { max_position_embeddings: 10_000 };
    const source = languageModelDirectory({
      type: 'qwen2',
      config,
      files: headed('mxbai-rerank-base-v2'),
    });
    await using model = await openReranker(source);
    await using generator = await open(source, { kind: 'generator' });
    const [logit = Number.NaN] = await model.logits([['q'.repeat(7000), 'd'.repeat(9000)]]);
    // A query of 6,144 tokens, and 8,192 from there to the end of the document.
    const row = await logitsAfter(generator, [
      '<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n',
      `query: ${'q'.repeat(6144 - 'query: '.length)}`,
      '\n',
      `document: ${'d'.repeat(8192 - 6144 - 1 - 'document: '.length)}`,
      '\n',
      'You are a search relevance expert who evaluates how well documents match search queries. For each query-document pair, carefully analyze the semantic relationship between them, then provide your binary relevance judgment (0 for not relevant, 1 for relevant).\nRelevance:',
      '<|im_end|>\n<|im_start|>assistant\n',
    ]);
    expect(Math.abs(logit - difference(row, '1', '0'))).toBeLessThan(1e-4);
  }, 120_000);
});

describe('zerank-1', () => {
  const files = { files: headed('zerank-1-small') };

  test('gives the logit of Yes, and the sigmoid of a fifth of it', async () => {
    const logits = await expectLogits(
      files,
      (document) => [
        `<|im_start|>system\n${query}<|im_end|>\n<|im_start|>user\n${document}<|im_end|>\n<|im_start|>assistant\n`,
      ],
      (row) => row[idOf('Yes')] as number,
    );
    await using model = await openReranker(languageModelDirectory(files));
    const scores = await model.score(documents.map((document) => [query, document] as const));
    for (const [i, score] of scores.entries()) {
      expect(score).toBeCloseTo(sigmoid((logits[i] as number) / 5), 6);
    }
  });

  test('takes no white space around texts, and no instruction', async () => {
    await using model = await openReranker(languageModelDirectory(files));
    const [padded, plain] = await model.logits([
      [` ${query}\n`, '\n\nA cat. '],
      [query, 'A cat.'],
    ]);
    expect(padded).toBe(plain);
    await expect(model.rank('q'.repeat(2001), ['a'], { truncate: 'error' })).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'documents[0]',
    });
    await expect(model.rank(query, documents, { instruction: 'x' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.instruction',
    });
  });
});

describe('bge-reranker-v2-gemma', () => {
  test('gives the logit of Yes', async () => {
    const readme = '---\npipeline_tag: text-classification\n---\n| BAAI/bge-reranker-v2-gemma |\n';
    await expectLogits(
      { type: 'gemma', files: { 'README.md': readme } },
      (document) => [
        '<bos>',
        `A: ${query}`,
        '\n',
        `B: ${document}`,
        '\n',
        "Given a query A and a passage B, determine whether the passage contains an answer to the query by providing a prediction of either 'Yes' or 'No'.",
      ],
      (row) => row[idOf('Yes')] as number,
    );
  });
});

describe('a language model that says nothing of ranking', () => {
  test('is a generator, and no reranker', async () => {
    const source = languageModelDirectory();
    await using model = await open(source);
    expect(model.kind).toBe('generator');
    const amb = await convert(source, { to: 'amb' });
    await expect(open(source, { kind: 'reranker' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'config.json.model_type',
      message: expect.stringContaining('#generative-rerankers') as string,
    });
    await expect(open(amb, { kind: 'reranker' })).rejects.toMatchObject({
      path: 'options.kind',
      message: expect.stringContaining('does not say how it ranks') as string,
    });
  });
});

describe('calls', () => {
  const source = languageModelDirectory({ files: headed('Qwen3-Reranker-4B') });

  test('refuse what is no pair', async () => {
    await using model = await openReranker(source);
    await expect(model.score(['text'])).rejects.toMatchObject({
      code: 'BadValue',
      path: 'texts[0]',
    });
    await expect(model.rank(query, documents, { instruction: 1 as never })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.instruction',
    });
  });

  test('report progress, run one after another, and stop at an abort', async () => {
    await using model = await openReranker(source);
    const seen: Progress[] = [];
    const many = Array.from({ length: 12 }, (_, i) => 'a cat '.repeat(i + 1));
    const [one, other] = await Promise.all([
      model.rank(query, many, { onProgress: (progress) => seen.push(progress) }),
      model.rank(query, many),
    ]);
    expect(other).toEqual(one);
    expect(seen.at(-1)).toEqual({ phase: 'score', loaded: 12, total: 12, cached: false });
    const abort = new AbortController();
    const aborted = model.rank(query, many, {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect(await model.rank(query, many)).toEqual(one);
  });
});
