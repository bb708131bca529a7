// A directory's tokenizer gives the ids of Hugging Face's library: alone, in the opened model, and in the files that are
// made of it. The fixtures are small tokenizers in which two files, or two parts of a file, say different things.

import tokenizers from 'tokenizers';
import { describe, expect, test } from 'vitest';
import {
  llamaTokenizerJson,
  pieceTypes,
  writeModel,
} from '../../reference/tokenizers/sentencepiece-models.mjs';
import {
  decoderDirectory,
  encoderDirectory,
} from '../support/directories/tokenizer-directories.ts';
import { ambry } from '../support/package.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';

type Directory = ReturnType<typeof decoderDirectory>;

const utf8 = (text: string) => new TextEncoder().encode(text);

const special = (id: number, content: string) => ({
  id,
  content,
  special: true,
  lstrip: false,
  rstrip: false,
  single_word: false,
  normalized: false,
});

/** The ids that the opened model gets, and those of the tokenizer of its directory. */
async function idsOf(directory: Directory, text: string): Promise<number[][]> {
  await using tokenizer = await ambry.openTokenizer(directory);
  return [...(await idsOfModel(directory, text)), [...(await tokenizer.tokenize(text)).ids]];
}

async function idsOfModel(source: Directory | Blob, text: string): Promise<number[][]> {
  await using model = await ambry.open(source, { kind: 'generator' });
  return [[...(await model.tokenize(text)).ids]];
}

const byteLevel = { add_prefix_space: false, trim_offsets: true, use_regex: true };
/** Byte-level BPE that ends texts with `<end>`, where the end of a turn is `<turn>`, as in Qwen3-Embedding. */
const endsTexts = {
  version: '1.0',
  added_tokens: [special(3, '<end>'), special(4, '<turn>'), special(5, '<begin>')],
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', ...byteLevel },
  post_processor: {
    type: 'TemplateProcessing',
    single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '<end>', type_id: 0 } }],
    pair: [
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '<end>', type_id: 0 } },
      { Sequence: { id: 'B', type_id: 1 } },
      { SpecialToken: { id: '<end>', type_id: 1 } },
    ],
    special_tokens: { '<end>': { id: '<end>', ids: [3], tokens: ['<end>'] } },
  },
  decoder: { type: 'ByteLevel', ...byteLevel },
  model: { type: 'BPE', vocab: { a: 0, b: 1, ab: 2 }, merges: [['a', 'b']] },
};
const turns = { eos_token: '<turn>', bos_token: '<begin>' };

describe('a post-processor with another token than eos_token', () => {
  const directory = decoderDirectory(6, {
    'tokenizer.json': endsTexts,
    'tokenizer_config.json': turns,
  });
  const text = 'ab<turn>a';
  const ids = [2, 4, 0, 3];

  test('keeps its id in the model, and the model its end of turns', async () => {
    const oracle = tokenizers.Tokenizer.fromString(JSON.stringify(endsTexts));
    expect((await oracle.encode(text)).getIds()).toEqual(ids);
    expect(await idsOf(directory, text)).toEqual([ids, ids]);
    await using model = await ambry.open(directory, { kind: 'generator' });
    expect(model.info.generator?.endIds).toEqual([4]);
    await using alone = await ambry.openTokenizer(directory);
    expect([...(await alone.tokenize('a', { pair: 'b' })).ids]).toEqual([0, 3, 1, 3]);
  });

  test('keeps its id in AMB and GGUF, and back', async () => {
    const amb = await ambry.convert(directory, { to: 'amb' });
    const gguf = await ambry.convert(amb, { to: 'gguf' });
    const back = await ambry.convert(gguf, { to: 'amb' });
    for (const file of [amb, gguf, back]) {
      expect(await idsOfModel(file, text)).toEqual([ids]);
    }
  });
});

/** Pieces with U+2581 before a word. */
const pieces = {
  pieces: [
    ...['<unk>', '<s>', '</s>'].map((text, id) => ({
      text,
      score: 0,
      type: id === 0 ? pieceTypes.unknown : pieceTypes.control,
    })),
    ...['\u2581', 'a', 'b', '\u2581a'].map((text, id) => ({
      text,
      score: -id,
      type: pieceTypes.normal,
    })),
  ],
  kind: 'bpe' as const,
  byteFallback: false,
  dummy: true,
  charsmap: new Uint8Array(),
};

describe('legacy: false', () => {
  const config = { legacy: false, add_bos_token: false };
  const json = llamaTokenizerJson(pieces, true);
  const text = '</s>a';

  test('does not count beside a tokenizer.json, with or without a tokenizer.model', async () => {
    const oracle = tokenizers.Tokenizer.fromString(JSON.stringify(json));
    const ids = (await oracle.encode(text)).getIds();
    expect(ids).toEqual([2, 6]);
    const files = { 'tokenizer.json': json, 'tokenizer_config.json': config };
    expect(await idsOf(decoderDirectory(7, files), text)).toEqual([ids, ids]);
    const both = { ...files, 'tokenizer.model': writeModel(pieces) };
    expect(await idsOf(decoderDirectory(7, both), text)).toEqual([ids, ids]);
  });

  test('counts beside a tokenizer.model, with its added tokens', async () => {
    const files = {
      'tokenizer.model': writeModel(pieces),
      'tokenizer_config.json': config,
      'added_tokens.json': { '<x>': 7 },
    };
    const ids = [7, 4];
    expect(await idsOf(decoderDirectory(8, files), '<x>a')).toEqual([ids, ids]);
    await using tokenizer = await ambry.openTokenizer(decoderDirectory(8, files));
    expect(await tokenizer.detokenize([7, 4])).toBe('<x>a');
  });
});

/** Without what only the opened model needs. */
function withoutWeights(directory: Directory, ...more: readonly string[]): Directory {
  return new Map([...directory].filter(([name]) => !['model.safetensors', ...more].includes(name)));
}

describe('the small files of a directory', () => {
  const added = { 'tokenizer.model': writeModel(pieces), 'added_tokens.json': { '<x>': 7 } };
  const ids = async (directory: Directory, text: string) => {
    await using tokenizer = await ambry.openTokenizer(directory);
    return [...(await tokenizer.tokenize(text)).ids];
  };

  test('are enough without weights, and beside a model that is not known', async () => {
    const directory = decoderDirectory(8, added);
    const text = '<x>a';
    const [expected] = await idsOfModel(directory, text);
    expect(expected).toContain(7);
    expect(await ids(withoutWeights(directory), text)).toEqual(expected);
    expect(await ids(withoutWeights(directory, 'config.json'), text)).toEqual(expected);
    const unknown = new Map([...directory, ['config.json', utf8('{"model_type": "none"}')]]);
    expect(await ids(unknown, text)).toEqual(expected);
  });

  test('say how texts of an encoder with vocab.json and merges.txt end', async () => {
    const names = ['<s>', '<pad>', '</s>', '<unk>', 'a', 'b', 'ab', '<mask>'];
    const files = {
      'vocab.json': utf8(JSON.stringify(Object.fromEntries(names.map((name, i) => [name, i])))),
      'merges.txt': utf8('#version: 0.2\na b\n'),
      'tokenizer_config.json': utf8('{"tokenizer_class": "RobertaTokenizer"}'),
    };
    const directory = encoderDirectory(names.length, files);
    await using encoder = await ambry.open(directory, { kind: 'encoder' });
    const expected = [...(await encoder.tokenize('ab')).ids];
    expect(expected).toEqual([0, 6, 2]);
    expect(await ids(directory, 'ab')).toEqual(expected);
    expect(await ids(withoutWeights(directory, 'config.json'), 'ab')).toEqual(expected);
  });

  test('are fetched from an address, and no weights', async () => {
    const server = await ByteServer.start();
    server.serve('bare/tokenizer.json', { content: contentOf(utf8(JSON.stringify(endsTexts))) });
    const weights = server.serve('whole/model.safetensors', { content: contentOf(utf8('')) });
    for (const [name, bytes] of withoutWeights(decoderDirectory(8, added))) {
      server.serve(`whole/${name}`, { content: contentOf(bytes as Uint8Array) });
    }
    const at = async (address: string, text: string) => {
      await using tokenizer = await ambry.openTokenizer(address);
      return [...(await tokenizer.tokenize(text)).ids];
    };
    expect(await at(`${server.origin}/whole/`, '<x>a')).toContain(7);
    expect(await at(`${server.origin}/bare/`, 'ab')).toEqual([2, 3]);
    expect(weights.asked).toEqual([]);
    await server.close();
  });

  test('are refused by the name of the file that is wrong', async () => {
    const files = { ...added, 'tokenizer.model': utf8('no model') };
    await expect(ids(decoderDirectory(8, files), 'a')).rejects.toMatchObject({
      path: expect.stringContaining('tokenizer.model'),
    });
    const alone = { 'vocab.json': utf8('{"a": 0}') };
    await expect(ids(decoderDirectory(1, alone), 'a')).rejects.toMatchObject({
      code: 'NotFound',
      path: 'merges.txt',
    });
    const settings = { ...added, 'tokenizer_config.json': utf8('{') };
    await expect(ids(decoderDirectory(8, settings), 'a')).rejects.toMatchObject({
      path: expect.stringContaining('tokenizer_config.json'),
    });
  });

  test('keep their template for conversations and their warnings', async () => {
    const template = '{{ bos_token }}{{ messages[0].content }}';
    const config = { chat_template: template, bos_token: '<s>' };
    const directory = decoderDirectory(8, { ...added, 'tokenizer_config.json': config });
    await using tokenizer = await ambry.openTokenizer(withoutWeights(directory));
    const messages = [{ role: 'user', content: 'a' }] as const;
    expect(await tokenizer.applyChatTemplate(messages)).toBe('<s>a');
    const vocabulary = utf8('[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ncat\n');
    const encoder = withoutWeights(encoderDirectory(6, { 'vocab.txt': vocabulary }));
    await using assumed = await ambry.openTokenizer(encoder);
    expect(assumed.tokenizer?.warnings).toMatchObject([{ path: 'vocab.txt' }]);
    await using uncased = await ambry.openTokenizer(encoder, { lowercase: true });
    expect(uncased.tokenizer?.warnings).toBeUndefined();
    expect([...(await uncased.tokenize('CAT')).ids]).toEqual([2, 5, 3]);
  });
});

/** The bytes, pairs of bytes, and `a` with pairs of bytes: as many ranks as Llama 3 has. */
function llama3Ranks(): Uint8Array {
  const byte = Array.from({ length: 256 }, (_, i) => [i]);
  const pair = byte.flatMap(([a = 0]) => byte.map(([b = 0]) => [a, b]));
  const tokens = [...byte, ...pair.slice(0, 64_000), ...pair.map((two) => [97, ...two])];
  const lines = tokens.slice(0, 128_000).map((token, rank) => {
    return `${Buffer.from(token).toString('base64')} ${rank}\n`;
  });
  return utf8(lines.join(''));
}

test('a tokenizer.model of tiktoken gives a directory the ids that it gives alone', async () => {
  const file = llama3Ranks();
  const text = 'The cats<|eot_id|>abc 12345';
  await using alone = await ambry.openTokenizer(file);
  const ids = [...(await alone.tokenize(text)).ids];
  expect(ids).toContain(128_009);
  const directory = decoderDirectory(128_256, { 'tokenizer.model': file });
  expect(await idsOf(directory, text)).toEqual([ids, ids]);
  await using tokenizer = await ambry.openTokenizer(directory);
  expect(tokenizer.tokenizer?.warnings).toMatchObject([{ path: 'tokenizer.model' }]);
  await using chosen = await ambry.openTokenizer(directory, { encoding: 'llama3.1' });
  expect([...(await chosen.tokenize('<|eom_id|>')).ids]).toEqual([128_000, 128_008]);
});

test('an encoder opens whatever its decoder is, and detokenize says what it needs', async () => {
  const json = {
    version: '1.0',
    added_tokens: [special(0, '<unk>')],
    normalizer: null,
    pre_tokenizer: { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'always' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'Unigram',
      unk_id: 0,
      vocab: [
        ['<unk>', 0],
        ['\u2581a', -1],
        ['b', -2],
      ],
    },
  };
  const file = new TextEncoder().encode(JSON.stringify(json));
  const directory = encoderDirectory(3, { 'tokenizer.json': file });
  await using encoder = await ambry.open(directory, { kind: 'encoder' });
  expect([...(await encoder.tokenize('ab')).ids]).toEqual([1, 2]);
  expect([...(await encoder.embed('ab'))].every(Number.isFinite)).toBe(true);
  await expect(encoder.detokenize([1, 2])).rejects.toMatchObject({
    code: 'Unsupported',
    path: 'tokenizer.json.decoder',
  });
});
