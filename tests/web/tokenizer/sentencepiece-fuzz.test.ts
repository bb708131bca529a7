// SentencePiece in the built module against Google's library and Hugging Face's: the same ids and the same
// decoded texts for tens of thousands of generated strings of each kind of model and each set of rules.
// The models are made here; real ones join them where there are some. The same in every run.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { unwrap } from '../../../web/src/runtime/worker-heap.ts';
import { dataPath } from '../../data-folder.mjs';
import type { Model } from '../../reference/tokenizers/sentencepiece-models.mjs';
import {
  addedTokens,
  ambFile,
  llamaTokenizerJson,
  randomIds,
  randomModel,
  randomText,
  readModel,
  writeModel,
} from '../../reference/tokenizers/sentencepiece-models.mjs';
import {
  googleOracle,
  huggingFaceOracle,
} from '../../reference/tokenizers/sentencepiece-oracle.mjs';
import { generateString, makeRandom } from '../../reference/tokenizers/string-generator.mjs';
import { loadModule, openTokenizerIn } from '../support/core-module.ts';
import { describeWithData } from '../support/data.ts';
import { fuzzSize } from './support/fuzz-size.ts';

interface Answer {
  readonly ids: readonly number[];
  readonly text: string;
}

const utf8 = new TextEncoder();
const text8 = new TextDecoder('utf-8', { ignoreBOM: true });
const bpe = 2;
const unigram = 1;
const nModels = 55;
const nTexts = fuzzSize(2000);
const nRealTexts = fuzzSize(10_000);

const module = await loadModule();

/** Our tokenizer of a model file, or of a model in an AMB file. */
function openTokenizer(bytes: Uint8Array) {
  const tokenizer = openTokenizerIn(module, bytes);
  return {
    encode(text: string): number[] {
      const answer = module.tokenize(tokenizer, utf8.encode(text), false, false, utf8.encode(''));
      return (unwrap(answer) as { ids: number[] }).ids;
    },
    decode: (ids: readonly number[], skipSpecial: boolean): string =>
      unwrap(module.detokenize(tokenizer, JSON.stringify(ids), skipSpecial)) as string,
    delete: () => module.release(tokenizer),
  };
}

/** The first few differences, with the text and both answers. */
class Differences {
  readonly found: string[] = [];

  compare(what: string | readonly number[], want: Answer, got: Answer) {
    if (want.ids.join() === got.ids.join() && want.text === got.text) {
      return;
    }
    if (this.found.length < 5) {
      this.found.push(JSON.stringify({ what, want, got }));
    }
  }
}

// The library's glue decodes the stretches between NULs apart, and drops a byte order mark at the start of
// a long one.
const withoutMark = (text: string) =>
  text
    .split('\0')
    .map((stretch) => stretch.replace(/^\ufeff/, ''))
    .join('\0');

async function compareWithGoogle(model: Model, texts: string[], idLists: number[][]) {
  const differences = new Differences();
  const ours = openTokenizer(writeModel(model));
  const oracle = await googleOracle(writeModel(model));
  const compare = (what: string | number[], ids: number[], mine: number[]) =>
    differences.compare(
      what,
      { ids, text: withoutMark(oracle.decode(ids)) },
      { ids: mine, text: withoutMark(ours.decode(mine, true)) },
    );
  for (const text of texts) {
    compare(text, oracle.encode(text), ours.encode(text));
  }
  for (const ids of idLists) {
    compare(ids, ids, ids);
  }
  ours.delete();
  return differences.found;
}

async function compareWithHuggingFace(
  model: Model,
  legacy: boolean,
  texts: string[],
  idLists: number[][],
) {
  const differences = new Differences();
  const ours = openTokenizer(ambFile(model, { legacy, added_tokens: addedTokens(model) }));
  const oracle = huggingFaceOracle(llamaTokenizerJson(model, legacy));
  const expected = await oracle.encodeBatch(texts);
  for (const [i, text] of texts.entries()) {
    const ids = expected[i] as number[];
    const skip = i % 2 === 0;
    const mine = ours.encode(text);
    const want = { ids, text: await oracle.decode(ids, skip) };
    differences.compare(text, want, { ids: mine, text: ours.decode(mine, skip) });
  }
  for (const ids of idLists) {
    const want = { ids, text: await oracle.decode(ids, true) };
    differences.compare(ids, want, { ids, text: ours.decode(ids, true) });
  }
  ours.delete();
  return differences.found;
}

const repeat = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);

const readRealModel = async (name: string): Promise<Model> =>
  readModel(await readFile(dataPath(name)));

function realTexts(seed: number, model: Model): string[] {
  const random = makeRandom(seed);
  const words = model.pieces
    .filter(({ type }) => type === 1)
    .map(({ text }) => text.replaceAll('\u2581', ' '));
  return repeat(nRealTexts, () => text8.decode(utf8.encode(generateString(random, words))));
}

test.each([
  { name: 'BPE', kind: bpe, seed: 1 },
  { name: 'Unigram', kind: unigram, seed: 2 },
])('$name equals Google on made-up models', async ({ kind, seed }) => {
  const random = makeRandom(seed);
  for (let i = 0; i < nModels; ++i) {
    const model = randomModel(random, kind);
    const texts = repeat(nTexts, () => randomText(random, model));
    const idLists = repeat(nTexts / 10, () => randomIds(random, model));
    expect(await compareWithGoogle(model, texts, idLists)).toEqual([]);
  }
}, 300_000);

test.each([true, false])('BPE equals Hugging Face on made-up models, legacy %s', async (legacy) => {
  const random = makeRandom(legacy ? 3 : 4);
  for (let i = 0; i < nModels; ++i) {
    const model = randomModel(random, bpe, { types: false });
    const texts = repeat(nTexts, () => randomText(random, model));
    const idLists = repeat(nTexts / 10, () => randomIds(random, model));
    expect(await compareWithHuggingFace(model, legacy, texts, idLists)).toEqual([]);
  }
}, 300_000);

for (const name of [
  'tokenizers/sentencepiece/test_model.model',
  'tokenizers/sentencepiece/en.wiki.bpe.vs1000.model',
  'tokenizers/sentencepiece/mistral.tokenizer.model.v1',
  'tokenizers/sentencepiece_more/test_ja_model.model',
]) {
  describeWithData(name, [name], () => {
    test('equals Google', async () => {
      const model = await readRealModel(name);
      expect(await compareWithGoogle(model, realTexts(5, model), [])).toEqual([]);
    }, 120_000);
  });
}

const mistral = 'tokenizers/sentencepiece/mistral.tokenizer.model.v1';
describeWithData("Mistral's model", [mistral], () => {
  test.each([true, false])('equals Hugging Face, legacy %s', async (legacy) => {
    const model = await readRealModel(mistral);
    expect(await compareWithHuggingFace(model, legacy, realTexts(6, model), [])).toEqual([]);
  }, 120_000);
});
