// Jobs whose results are compared between browsers and Node. They run in a page and in Node, with the package and the
// files that they are given.

import type * as Ambry from 'ambry';

type Package = Pick<typeof Ambry, 'createIndex' | 'open' | 'openTokenizer' | 'quantize'>;
type Read = (name: string) => Promise<Uint8Array<ArrayBuffer>>;
type Numbers = readonly number[];

export interface ParityResult {
  /** The build that ran, as the model says itself; null where there is no model. */
  readonly flavour: string | null;
  /** Computed by the models. */
  readonly numbers: Readonly<Record<string, Numbers>>;
  /** What was found or written: ids, words, positions, digests. They must be the same in every build. */
  readonly exact: Readonly<Record<string, unknown>>;
}

export interface Given {
  readonly ambry: Package;
  readonly read: Read;
  readonly deterministic: boolean;
}

export type ParityJob = (given: Given) => Promise<ParityResult>;

const texts = [
  'Bread rises because yeast makes gas.',
  'Tides follow the moon, twice a day.',
  'How do I fall asleep on a hot night?',
  'Straße, naïve café, 東京 and 👩‍🚀: words of many scripts.',
  '',
  'A longer text has more tokens. '.repeat(12),
];
const query = 'what makes the sea rise and fall?';

type Weights = 'f32' | 'int8' | 'as-stored';

async function embeddings(
  { ambry, read, deterministic }: Given,
  file: string,
  weights: Weights,
): Promise<ParityResult> {
  const model = await ambry.open(await read(file), { kind: 'encoder', weights, deterministic });
  const vectors = await model.embed(texts, { as: 'matrix' });
  const { flavour } = model;
  await model.dispose();
  return { flavour, numbers: { vectors: [...vectors] }, exact: {} };
}

/** Vectors for each token. */
async function lateInteraction({ ambry, read, deterministic }: Given): Promise<ParityResult> {
  const options = { kind: 'encoder', weights: 'int8', deterministic } as const;
  const model = await ambry.open(await read('late.weights'), options);
  const passages = await model.embedTokens(texts);
  const asked = await model.embedTokens(query, { as: 'query' });
  const { flavour } = model;
  await model.dispose();
  const vectors = passages.flatMap((matrix) => [...matrix]);
  return { flavour, numbers: { vectors, asked: [...asked] }, exact: {} };
}

async function wordVectors({ ambry, read, deterministic }: Given): Promise<ParityResult> {
  const model = await ambry.open(await read('books-96.fifu'), { kind: 'words', deterministic });
  const near = await model.similar('violin', { k: 20 });
  const answers = await model.analogy('man', 'king', 'woman');
  const vector = (await model.vector('winter')) ?? [];
  const { flavour } = model;
  await model.dispose();
  return {
    flavour,
    numbers: {
      vector: [...vector],
      near: near.map(({ score }) => score),
      answers: answers.map(({ score }) => score),
    },
    exact: {
      near: near.map(({ word }) => word),
      answers: answers.map(({ word }) => word),
    },
  };
}

async function classification(given: Given, file: string): Promise<ParityResult> {
  const { ambry, read, deterministic } = given;
  const plan = new TextDecoder().decode(await read('digits-plan.json'));
  const model = await ambry.open(await read(file), { kind: 'imageClassifier', deterministic });
  const logits: number[] = [];
  const classes: number[] = [];
  for (let digit = 0; digit < 10; digit++) {
    const data = await read(`digit-${digit}.rgba`);
    const side = Math.sqrt(data.length / 4);
    const found = await model.run({ width: side, height: side, data }, { plan });
    logits.push(...found.logits);
    classes.push(...found.labels.slice(0, 1).map((one) => one.index));
  }
  const { flavour } = model;
  await model.dispose();
  return { flavour, numbers: { logits }, exact: { classes } };
}

/** A seed gives the same text everywhere. Once, 15 of so many differed in WebKit. */
const nSeeds = 150;

async function generation({ ambry, read, deterministic }: Given): Promise<ParityResult> {
  const model = await ambry.open(await read('stories.amb'), { kind: 'generator', deterministic });
  const run = model.generate('The old robot', { seed: 42, maxTokens: 60, logprobs: 5 });
  const chosen: number[] = [];
  const likely: number[] = [];
  const candidates: number[] = [];
  for await (const { logprob = 0, top = [] } of run) {
    chosen.push(logprob);
    likely.push(...top.map((one) => one.logprob));
    candidates.push(...top.map((one) => one.id));
  }
  const { ids, text, promptIds } = await run.result;
  const seeds = { seed: 1, n: nSeeds, maxTokens: 40, temperature: 0.8, topP: 0.9 };
  const answers = await model.generate('Once upon a time', seeds).results;
  const texts = answers.map((answer) => answer.text);
  const { flavour } = model;
  await model.dispose();
  return {
    flavour,
    numbers: { chosen, likely },
    exact: { ids, text, promptIds, candidates, texts },
  };
}

async function reranking(
  { ambry, read, deterministic }: Given,
  weights: Weights,
): Promise<ParityResult> {
  const file = await read('reranker.weights');
  const model = await ambry.open(file, { kind: 'reranker', weights, deterministic });
  const documents = ['dog ran home!', 'the cat sat.', 'on the mat', 'a cat, a mat, a home'];
  const ranked = await model.rank('the cat', documents);
  const { flavour } = model;
  await model.dispose();
  const scores = [...ranked].sort((a, b) => a.index - b.index).map(({ score }) => score);
  return { flavour, numbers: { scores }, exact: { order: ranked.map(({ index }) => index) } };
}

async function search({ ambry, read, deterministic }: Given): Promise<ParityResult> {
  const options = { kind: 'encoder', deterministic } as const;
  const model = await ambry.open(await read('english-static-336.weights'), options);
  const { passages } = JSON.parse(new TextDecoder().decode(await read('everyday.json'))) as {
    passages: Ambry.Doc[];
  };
  const index = await ambry.createIndex(model, passages, { deterministic });
  const byMeaning = await index.search(query, { k: 10 });
  const byWords = await index.search(query, { k: 10, hybrid: true });
  const { flavour } = model;
  await index.dispose();
  await model.dispose();
  return {
    flavour,
    numbers: {
      cosines: byMeaning.map(({ score }) => score),
      hybrid: byWords.map(({ score }) => score),
    },
    exact: {
      byMeaning: byMeaning.map(({ text }) => text),
      byWords: byWords.map(({ text }) => text),
    },
  };
}

const tokenizerFiles = [
  'english-192x1.weights',
  'english-static-336.weights',
  'stories.amb',
  'bytes.amb',
  'unigram.json',
];

async function tokenizers({ ambry, read, deterministic }: Given): Promise<ParityResult> {
  const exact: Record<string, unknown> = {};
  for (const file of tokenizerFiles) {
    const tokenizer = await ambry.openTokenizer(await read(file), { deterministic });
    exact[file] = await Promise.all(
      texts.map(async (text) => {
        const { ids, offsets } = await tokenizer.tokenize(text);
        return [[...ids], [...offsets].flat(), await tokenizer.detokenize(ids)];
      }),
    );
    await tokenizer.dispose();
  }
  return { flavour: null, numbers: {}, exact };
}

/** Quantized files have the same bytes wherever they are made. */
async function quantization({ ambry, read }: Given): Promise<ParityResult> {
  const exact: Record<string, string> = {};
  for (const [file, type] of [
    ['bytes.amb', 'int4'],
    ['tiny.weights', 'int8'],
  ] as const) {
    const { blob } = await ambry.quantize(await read(file), { type });
    const bytes = (await blob?.arrayBuffer()) ?? new ArrayBuffer(0);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    exact[file] = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  return { flavour: null, numbers: {}, exact };
}

export const parityJobs: Readonly<Record<string, ParityJob>> = {
  'embeddings, f32': (given) => embeddings(given, 'english-192x1.weights', 'f32'),
  'embeddings, int8': (given) => embeddings(given, 'english-192x1.weights', 'int8'),
  'static embeddings': (given) => embeddings(given, 'english-static-336.weights', 'as-stored'),
  'word vectors': wordVectors,
  'pictures, floats': (given) => classification(given, 'digits-vanilla.bin'),
  'pictures, DQ8': (given) => classification(given, 'digits-dq8.bin'),
  'pictures, SQ8': (given) => classification(given, 'digits-sq8.bin'),
  generation,
  'reranking, f32': (given) => reranking(given, 'f32'),
  'reranking, int8': (given) => reranking(given, 'int8'),
  'late interaction, int8': lateInteraction,
  search,
  tokenizers,
  quantization,
};
