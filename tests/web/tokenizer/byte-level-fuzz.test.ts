// Byte-level BPE in the built module against the official Hugging Face tokenizer: the same ids, and the
// same text from them, for tens of thousands of generated strings. The strings are the same in every run.

import { readFile } from 'node:fs/promises';
import tokenizers from 'tokenizers';
import { expect, test } from 'vitest';
import { unwrap } from '../../../web/src/runtime/worker-heap.ts';
import { dataPath, missingData } from '../../data-folder.mjs';
import {
  byteLevelJson,
  styles,
  trainByteLevel,
} from '../../reference/tokenizers/byte-level-oracle.mjs';
import { generateString, makeRandom } from '../../reference/tokenizers/string-generator.mjs';
import { loadModule, openTokenizerIn } from '../support/core-module.ts';
import { fuzzSize } from './support/fuzz-size.ts';

interface Vocabulary {
  readonly vocab: Readonly<Record<string, number>>;
  readonly merges: readonly (readonly string[])[];
}

const utf8 = new TextEncoder();
const batch = 2000;
const nTexts = fuzzSize(18_000);
const module = await loadModule();
/** With U+FFFD for lone surrogates. */
const wellFormed = (text: string) => new TextDecoder().decode(utf8.encode(text));

function openTokenizer(json: object) {
  const tokenizer = openTokenizerIn(module, utf8.encode(JSON.stringify(json)));
  return {
    ids(text: string): readonly number[] {
      const answer = module.tokenize(tokenizer, utf8.encode(text), true, false, utf8.encode(''));
      return (unwrap(answer) as { ids: number[] }).ids;
    },
    text: (ids: readonly number[], skip: boolean) =>
      unwrap(module.detokenize(tokenizer, JSON.stringify(ids), skip)),
    delete: () => module.release(tokenizer),
  };
}

/** GPT-2's own where the data folder is there, else one that is trained on what the generator makes. */
async function readVocabulary(): Promise<Vocabulary> {
  if (missingData('tokenizers/gpt2') !== undefined) {
    return trained;
  }
  const read = (name: string) => readFile(dataPath(`tokenizers/gpt2/${name}`), 'utf8');
  const lines = (await read('vocab.bpe')).split('\n');
  const merges = lines.slice(1).filter(Boolean);
  return {
    vocab: JSON.parse(await read('encoder.json')),
    merges: merges.map((line) => line.split(' ')),
  };
}

const random = makeRandom(77);
const words = Array.from({ length: 400 }, () => generateString(random));
const trained: Vocabulary = trainByteLevel(wellFormed(words.join('\n')), 600);
const real = await readVocabulary();

const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
/** Added tokens of every kind; without gaps, because the library numbers them itself. */
function addedTokens(vocab: Vocabulary['vocab']) {
  let next = Object.keys(vocab).length;
  const tokens = [
    { content: '<|endoftext|>', special: true, ...plain },
    { content: '<s>', special: true, ...plain, lstrip: true },
    { content: '[SEP]', special: false, ...plain, rstrip: true },
    { content: 'Größe', special: false, ...plain, normalized: true, single_word: true },
    { content: '  ', special: false, ...plain, normalized: true },
    { content: 'e\u0301 x', special: false, ...plain, normalized: true },
  ];
  return tokens.map((token) => ({ id: vocab[token.content] ?? next++, ...token }));
}

const spice = [
  "'s",
  "'S",
  "'\u017f",
  "'LL",
  "'Re",
  '  ',
  '\n\n',
  ' \r\n',
  '\t ',
  '1234567',
  'òóôÁ¼',
];

function generate(seed: number, n: number, pieces: readonly string[]): string[] {
  const source = makeRandom(seed);
  return Array.from({ length: n }, () => {
    let text = generateString(source, [...pieces]);
    for (let more = source.below(4); more > 0; --more) {
      const at = source.below(text.length + 1);
      text = text.slice(0, at) + source.pick(spice) + text.slice(at);
    }
    return wellFormed(text);
  });
}

/** The first few texts whose ids, or whose text from the ids, differ. */
async function differences(json: object, texts: readonly string[]): Promise<string[]> {
  const ours = openTokenizer(json);
  const oracle = tokenizers.Tokenizer.fromString(JSON.stringify(json));
  const found: string[] = [];
  for (let begin = 0; begin < texts.length && found.length < 5; begin += batch) {
    const part = texts.slice(begin, begin + batch);
    const encodings = await oracle.encodeBatch(part);
    for (const [i, text] of part.entries()) {
      const ids = encodings[i]?.getIds() ?? [];
      const skip = i % 2 === 0;
      const want = JSON.stringify([ids, await oracle.decode(ids, skip)]);
      const got = JSON.stringify([ours.ids(text), ours.text(ids, skip)]);
      if (got !== want) {
        found.push(`${JSON.stringify(text)}\nwant ${want}\ngot  ${got}`);
      }
    }
  }
  ours.delete();
  return found.slice(0, 5);
}

test.each(
  Object.keys(styles).map((style, i) => ({ style, i })),
)(`BPE with the word splitting $style equals Hugging Face on ${nTexts} strings`, async ({
  style,
  i,
}) => {
  const { vocab, merges } = style === 'gpt2' ? real : trained;
  const texts = generate(10 + i, nTexts, Object.keys(vocab).slice(0, 3000));
  const options = { added: addedTokens(vocab) };
  expect(await differences(byteLevelJson(style, vocab, merges, options), texts)).toEqual([]);
}, 180_000);

test.each([
  { prefixSpace: true },
  { ignoreMerges: true },
])('BPE equals Hugging Face with $prefixSpace, $ignoreMerges', async (options) => {
  const json = byteLevelJson('gpt2', trained.vocab, trained.merges, {
    ...options,
    added: addedTokens(trained.vocab),
  });
  expect(await differences(json, generate(30, fuzzSize(6000), Object.keys(trained.vocab)))).toEqual(
    [],
  );
}, 60_000);
