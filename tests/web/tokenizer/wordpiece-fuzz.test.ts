// WordPiece in the built module against the official Hugging Face tokenizer: the same ids, tokens,
// segments and offsets for tens of thousands of generated strings, for every scalar value, for every
// option. The strings are the same in every run.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { unwrap } from '../../../web/src/runtime/worker-heap.ts';
import { dataPath, missingData } from '../../data-folder.mjs';
import { generateString, makeRandom } from '../../reference/tokenizers/string-generator.mjs';
import {
  Oracle,
  specialTokens,
  tokenizerJson,
} from '../../reference/tokenizers/wordpiece-oracle.mjs';
import { loadModule, openTokenizerIn } from '../support/core-module.ts';
import { fuzzSize } from './support/fuzz-size.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const utf8 = new TextEncoder();
const batch = 2000;

interface Answer {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
  readonly typeIds: readonly number[];
  readonly offsets: readonly (readonly number[])[];
  readonly byteOffsets: readonly (readonly number[])[];
}

const module = await loadModule();

/** Our tokenizer for a tokenizer.json; `tokenize` takes strings with lone surrogates as a page would. */
function openTokenizer(json: object) {
  const tokenizer = openTokenizerIn(module, utf8.encode(JSON.stringify(json)));
  return {
    tokenize(text: string, special: boolean, pair?: string): Answer {
      const second = utf8.encode(pair ?? '');
      const first = utf8.encode(text);
      const answer = module.tokenize(tokenizer, first, special, pair !== undefined, second);
      return unwrap(answer) as Answer;
    },
    delete: () => module.release(tokenizer),
  };
}

async function readVocabulary(): Promise<string[]> {
  const real = 'tokenizers/bert/vocab.txt';
  const own = path.join(root, 'tests/fixtures/wordpiece/vocab.txt');
  const text = await readFile(missingData(real) === undefined ? dataPath(real) : own, 'utf8');
  return text.replace(/\n$/, '').split('\n');
}

const vocabulary = await readVocabulary();

/** Every code point of most blocks as a piece: the ids tell the whole normalised text. */
function everyCharacter(): string[] {
  const ranges = [
    [1, 0xd7ff],
    [0xe000, 0x12fff],
    [0x16800, 0x16fff],
    [0x1d000, 0x1faff],
    [0x20000, 0x200ff],
    [0x2b800, 0x2b930],
    [0x2f800, 0x2fa1f],
    [0xe0000, 0xe01ff],
  ] as const;
  const tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  for (const [first, last] of ranges) {
    for (let c = first; c <= last; ++c) {
      const s = String.fromCodePoint(c);
      tokens.push(s, `##${s}`);
    }
  }
  return tokens;
}

const line = ({ ids, tokens, typeIds, offsets, byteOffsets }: Answer) =>
  JSON.stringify([ids, tokens, typeIds, offsets, byteOffsets]);

/** Compares all texts; the first few differences come back with the code points of their text. */
async function differences(json: object, texts: readonly string[]): Promise<string[]> {
  const ours = openTokenizer(json);
  const oracle = new Oracle(json);
  const found: string[] = [];
  for (let begin = 0; begin < texts.length && found.length < 5; begin += batch) {
    const special = (begin / batch) % 2 === 0;
    const part = texts.slice(begin, begin + batch);
    const expected = await oracle.encodeBatch(part, special);
    part.forEach((text, i) => {
      const want = line(expected[i] as Answer);
      const got = line(ours.tokenize(text, special));
      if (got === want) {
        return;
      }
      const codes = Array.from(text, (c) => (c.codePointAt(0) ?? 0).toString(16)).join(' ');
      found.push(`${JSON.stringify(text)} (${codes})\nwant ${want}\ngot  ${got}`);
    });
  }
  ours.delete();
  return found.slice(0, 5);
}

function generate(seed: number, n: number): string[] {
  const random = makeRandom(seed);
  return Array.from({ length: n }, () => generateString(random, vocabulary));
}

const characters = everyCharacter();

test('WordPiece equals Hugging Face on strings with a whole vocabulary', async () => {
  expect(await differences(tokenizerJson(vocabulary), generate(1, fuzzSize(50_000)))).toEqual([]);
}, 120_000);

test('WordPiece equals Hugging Face on strings, character by character', async () => {
  expect(await differences(tokenizerJson(characters), generate(2, fuzzSize(30_000)))).toEqual([]);
}, 120_000);

const onOff = [true, false];
const combinations = [null, true, false].flatMap((stripAccents) =>
  onOff.flatMap((lowercase) =>
    onOff.flatMap((cleanText) =>
      onOff.map((handleChineseChars) => ({
        stripAccents,
        lowercase,
        cleanText,
        handleChineseChars,
      })),
    ),
  ),
);

test.each(
  combinations.map((options, i) => ({ options, i })),
)('WordPiece equals Hugging Face with $options', async ({ options, i }) => {
  const json = tokenizerJson(characters.slice(0, 60_000), options);
  expect(await differences(json, generate(100 + i, fuzzSize(1500)))).toEqual([]);
}, 60_000);

// The planes without assigned characters behave alike; of them every 16th block of 128 will do.
test('WordPiece equals Hugging Face on every assigned scalar value', async () => {
  const texts: string[] = [];
  for (let begin = 0; begin < 0x110000; begin += 128) {
    const plane = begin >> 16;
    const empty = (plane > 3 && plane !== 14) || (begin >= 0xd800 && begin < 0xf900);
    if ((begin >= 0xd800 && begin < 0xe000) || (empty && begin % 2048 !== 0)) {
      continue;
    }
    const one = (c: string) => `a${c}\u0323${c}\u08d4\u302eB`;
    const some = Array.from({ length: 128 }, (_, i) => one(String.fromCodePoint(begin + i)));
    texts.push(some.join(' '));
  }
  expect(await differences(tokenizerJson(characters), texts)).toEqual([]);
}, 120_000);

test('WordPiece equals Hugging Face on pairs', async () => {
  const json = tokenizerJson(vocabulary);
  const ours = openTokenizer(json);
  const oracle = new Oracle(json);
  const texts = generate(3, fuzzSize(4000));
  for (let i = 0; i < texts.length; i += 2) {
    const [text = '', pair = ''] = texts.slice(i, i + 2);
    const special = i % 4 === 0;
    const expected = await oracle.encode({ text, pair, special });
    expect(line(ours.tokenize(text, special, pair))).toBe(line(expected as Answer));
  }
  ours.delete();
}, 60_000);

test('WordPiece equals Hugging Face on added tokens of every kind', async () => {
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  const added = [
    ...specialTokens(vocabulary),
    { id: vocabulary.length, content: '<a>', special: true, ...flags, rstrip: true },
    {
      id: vocabulary.length + 1,
      content: 'Na\u00efve',
      special: false,
      ...flags,
      normalized: true,
    },
    { id: vocabulary.length + 2, content: 'qq', special: false, ...flags, single_word: true },
    { id: vocabulary.length + 3, content: '<ab>', special: false, ...flags, lstrip: true },
  ];
  const json = tokenizerJson(vocabulary, {}, added);
  const random = makeRandom(4);
  const parts = [
    '<a>',
    '<ab>',
    '<a',
    'qq',
    'naive',
    'NAI\u0308VE',
    ' ',
    '\u3000',
    '\u00e9',
    '_',
    '\u0301',
    '\u200d',
    '-',
    'x',
    '\u4e2d',
  ];
  const texts = Array.from({ length: fuzzSize(10_000) }, () =>
    Array.from({ length: random.between(1, 9) }, () => random.pick(parts)).join(''),
  );
  const ours = openTokenizer(json);
  const oracle = new Oracle(json);
  const expected = await oracle.encodeBatch(texts);
  texts.forEach((text, i) => {
    // Hugging Face gives the text that was eaten as the token; we name the token.
    const want = { ...(expected[i] as Answer), tokens: [] };
    expect(line({ ...ours.tokenize(text, true), tokens: [] }), JSON.stringify(text)).toBe(
      line(want),
    );
  });
  ours.delete();
}, 60_000);
