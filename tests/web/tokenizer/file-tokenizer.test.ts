// Tokenizers without models, through the built package: every kind of file, directories, and templates for conversations.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decoderDirectory } from '../support/directories/tokenizer-directories.ts';
import { folderForAllTests } from '../support/for-all-tests.ts';
import { ambry } from '../support/package.ts';
import { startHub } from '../support/servers/server.ts';
import {
  type Pattern,
  patterns,
  rankedTokens,
  ranksByTrying,
  tekkenFile,
  tiktokenFile,
} from './support/ranked-files.ts';

const folder = folderForAllTests('ambry-file-tokenizer');
const texts = [
  '',
  "The cats' there, thething 12345 it's IT'S don't",
  'HelloWorld Cats\n\n  the\n\n  ',
  ' a //\n/b ß漢字漢 😀 é\u0301 \u00a0x   ',
  '\t\tthe \r\n\r\n ing ½ ²',
];
const special = { '<|end|>': 400 };
const gpt2 = { encoding: { pattern: patterns.gpt2.written, specialTokens: special } };
const utf8 = (text: string) => new TextEncoder().encode(text);
const json = (value: unknown) => utf8(JSON.stringify(value));

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code, path, byteOffset, message }) => ({ code, path, byteOffset, message }),
  );

describe('a file of tiktoken', () => {
  const rows: readonly (readonly [string, Pattern])[] = [
    ['gpt2', patterns.gpt2],
    ['cl100k', patterns.cl100k],
    ['tekken', patterns.tekken],
  ];
  test.each(rows)('gives the ids that trying gives: %s', async (_, pattern) => {
    const encoding = { pattern: pattern.written };
    await using tokenizer = await ambry.openTokenizer(tiktokenFile(), { encoding });
    for (const text of texts) {
      const { ids } = await tokenizer.tokenize(text);
      expect(ids, text).toEqual(ranksByTrying(pattern, text));
      expect(await tokenizer.detokenize(ids)).toBe(text);
    }
    expect([...(await tokenizer.tokenCounts(texts))]).toEqual(
      texts.map((text) => ranksByTrying(pattern, text).length),
    );
  });

  test('has offsets, and finds special tokens', async () => {
    await using tokenizer = await ambry.openTokenizer(tiktokenFile(), gpt2);
    const { ids, offsets } = await tokenizer.tokenize('the漢<|end|>');
    expect(ids.at(-1)).toBe(400);
    expect(offsets.at(0)).toEqual([0, 3]);
    expect(offsets.at(-1)).toEqual([4, 11]);
    expect(await tokenizer.detokenize(ids)).toBe('the漢');
    expect(await tokenizer.detokenize(ids, { skipSpecial: false })).toBe('the漢<|end|>');
    expect(tokenizer.tokenizer).toMatchObject({ type: 'bpe', size: rankedTokens.length + 1 });
  });

  test('needs an encoding that its ranks do not tell', async () => {
    const unknown = await failureOf(ambry.openTokenizer(tiktokenFile()));
    expect(unknown).toMatchObject({ code: 'Unsupported', path: 'encoding' });
    expect(unknown?.message).toContain('o200k_base');
    const cut = await failureOf(ambry.openTokenizer(tiktokenFile(), { encoding: 'cl100k_base' }));
    expect(cut).toMatchObject({ code: 'BadValue', path: 'encoding' });
    const wrong = await failureOf(ambry.openTokenizer(tiktokenFile(), { encoding: 'cl100k' }));
    expect(wrong).toMatchObject({ code: 'BadValue', path: 'encoding' });
    const pattern = { pattern: 'a+' };
    const regex = await failureOf(ambry.openTokenizer(tiktokenFile(), { encoding: pattern }));
    expect(regex).toMatchObject({ code: 'Unsupported', path: 'encoding.pattern' });
    const none = await failureOf(ambry.openTokenizer(tekkenFile(), { encoding: 'cl100k_base' }));
    expect(none).toMatchObject({ code: 'BadValue', path: 'encoding' });
  });

  test('names the line and the byte of a fault', async () => {
    const bytes = tiktokenFile(rankedTokens.slice(0, 256));
    const file = new Uint8Array([...bytes, ...utf8('dGhl 256\ndGh= 257\n')]);
    expect(await failureOf(ambry.openTokenizer(file, gpt2))).toMatchObject({
      code: 'BadValue',
      path: 'line 258',
      byteOffset: bytes.length + 9,
    });
  });
});

describe('a tekken.json', () => {
  test('gives the ids that trying gives, after its special tokens', async () => {
    await using tokenizer = await ambry.openTokenizer(tekkenFile());
    for (const text of texts) {
      const { ids } = await tokenizer.tokenize(text);
      const expected = ranksByTrying(patterns.tekken, text).map((rank) => rank + 30);
      expect(ids, text).toEqual([1, ...expected]);
    }
    const { ids } = await tokenizer.tokenize('[INST]the[/INST]', { special: false });
    expect([ids[0], ids.at(-1)]).toEqual([3, 4]);
    expect(tokenizer.tokenizer?.special).toEqual({ bos: 1, eos: 2, pad: 11, unk: 0 });
    expect(tokenizer.tokenizer?.size).toBe(rankedTokens.length + 30);
  });

  test('is refused where its values do not fit', async () => {
    const path = async (...given: Parameters<typeof tekkenFile>) =>
      (await failureOf(ambry.openTokenizer(tekkenFile(...given))))?.path;
    expect(await path({ pattern: '.' })).toBe('tekken.json.config.pattern');
    expect(await path({ version: 'v13' })).toBe('tekken.json.special_tokens');
    expect(await path({ default_vocab_size: 9999 })).toBe('tekken.json.config.default_vocab_size');
  });
});

const template =
  '{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}';
const messages = [{ role: 'user', content: 'Hi' }];

/** Byte-level BPE of two letters. */
const byteLevel = {
  added_tokens: [{ id: 2, content: '<s>', special: true }],
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false },
  post_processor: null,
  decoder: { type: 'ByteLevel' },
  model: { type: 'BPE', vocab: { a: 0, b: 1 }, merges: [] },
};

describe('a directory', () => {
  const config = json({ chat_template: template, bos_token: { content: '<s>' } });
  const files = new Map([
    ['tekken.json', tekkenFile()],
    ['tokenizer_config.json', config],
    ['model.safetensors', new Uint8Array(4)],
  ]);

  test('is opened without weights, as a map, a record, a folder and at the hub', async () => {
    const path = join(folder, 'whole');
    await mkdir(path);
    for (const [name, bytes] of files) {
      await writeFile(join(path, name), bytes);
    }
    const hub = await startHub();
    hub.add('owner/tekken', files);
    const options = { hub: { endpoint: hub.endpoint } };
    const opened = [
      await ambry.openTokenizer(files),
      await ambry.openTokenizer(
        Object.fromEntries([...files].map(([name, bytes]) => [`folder/${name}`, bytes])),
      ),
      await ambry.openTokenizer(path),
      await ambry.openTokenizer('hf:owner/tekken', options),
    ];
    for (const tokenizer of opened) {
      expect((await tokenizer.tokenize('the')).ids).toHaveLength(2);
      expect(await tokenizer.applyChatTemplate(messages)).toBe('<s>user: Hi\n');
      await tokenizer.dispose();
    }
    expect(hub.paths.some((each) => each.includes('safetensors'))).toBe(false);
  });

  test.each([
    [{ add_bos_token: true, bos_token: '<s>' }, [2, 0], [2, 0, 2, 1]],
    [{ add_eos_token: true, eos_token: { content: 'b' } }, [0, 1], [0, 1, 1, 1]],
    [{ add_bos_token: false, bos_token: '<s>' }, [0], [0, 1]],
    [{ add_bos_token: null, bos_token: '<s>' }, [0], [0, 1]],
  ])('has the ends that %j asks for, without a config.json', async (stated, ids, ofPair) => {
    const lone = new Map([
      ['tokenizer.json', json(byteLevel)],
      ['tokenizer_config.json', json(stated)],
    ]);
    await using tokenizer = await ambry.openTokenizer(lone);
    expect((await tokenizer.tokenize('a')).ids).toEqual(ids);
    expect((await tokenizer.tokenize('a', { pair: 'b' })).ids).toEqual(ofPair);
  });

  test('refuses an end whose token is missing', async () => {
    const lone = new Map([
      ['tokenizer.json', json(byteLevel)],
      ['tokenizer_config.json', json({ add_bos_token: true })],
    ]);
    await expect(ambry.openTokenizer(lone)).rejects.toMatchObject({
      code: 'NotFound',
      path: 'tokenizer_config.json',
    });
  });

  const list = [
    { name: 'tool_use', template: 'tools' },
    { name: 'default', template: 'usual' },
    { name: 'rag', template: 'papers of {{ bos_token }}' },
  ];

  test('prefers a template of its own file, and says what that leaves out', async () => {
    const jinja = new Map([...files, ['chat_template.jinja', utf8('own')]]);
    await using own = await ambry.openTokenizer(jinja);
    expect(own.chatTemplate).toBe('own');
    expect(own.tokenizer?.warnings).toMatchObject([{ path: 'tokenizer_config.json' }]);
    expect(own.chatTemplates).toEqual(['default']);
  });

  test.each<[string, Readonly<Record<string, Uint8Array>>]>([
    ['a list', { 'tokenizer_config.json': json({ chat_template: list, bos_token: '<s>' }) }],
    [
      'chat_template.json',
      {
        'tokenizer_config.json': json({ bos_token: '<s>' }),
        'chat_template.json': json({
          chat_template: Object.fromEntries(list.map((each) => [each.name, each.template])),
        }),
      },
    ],
    [
      'additional_chat_templates',
      {
        'special_tokens_map.json': json({ bos_token: { content: '<s>' } }),
        'chat_template.jinja': utf8('usual'),
        'additional_chat_templates/tool_use.jinja': utf8('tools'),
        'additional_chat_templates/rag.jinja': utf8('papers of {{ bos_token }}'),
      },
    ],
  ])('has the templates with names of %s, which are chosen by use or by name', async (name, its) => {
    const named = new Map([['tekken.json', tekkenFile()], ...Object.entries(its)]);
    const path = join(folder, `named ${name}`);
    await mkdir(join(path, 'additional_chat_templates'), { recursive: true });
    for (const [file, bytes] of named) {
      await writeFile(join(path, file), bytes);
    }
    for (const source of [named, path]) {
      await using tokenizer = await ambry.openTokenizer(source);
      expect([...tokenizer.chatTemplates].sort()).toEqual(['default', 'rag', 'tool_use']);
      expect(tokenizer.chatTemplate).toBe('usual');
      const render = (options?: object) => tokenizer.applyChatTemplate(messages, options);
      expect(await render()).toBe('usual');
      expect(await render({ variables: { tools: [] } })).toBe('tools');
      expect(await render({ variables: { documents: [] } })).toBe('papers of <s>');
      expect(await render({ template: 'tool_use' })).toBe('tools');
      expect(await failureOf(render({ template: 'odd' }))).toMatchObject({
        code: 'NotFound',
        path: 'chatTemplate',
      });
    }
  });

  test('has the templates with names that its model has, and those of the GGUF file of it', async () => {
    const model = decoderDirectory(3, {
      'tokenizer.json': byteLevel,
      'tokenizer_config.json': { chat_template: list, bos_token: '<s>' },
    });
    await using tokenizer = await ambry.openTokenizer(model);
    const gguf = await ambry.convert(await ambry.convert(model, { to: 'amb' }), { to: 'gguf' });
    await using ofFile = await ambry.openTokenizer(gguf);
    for (const opened of [tokenizer, ofFile]) {
      expect([...opened.chatTemplates].sort()).toEqual(['default', 'rag', 'tool_use']);
      expect(await opened.applyChatTemplate(messages, { template: 'tool_use' })).toBe('tools');
      expect(opened.tokenizer?.warnings).toBeUndefined();
    }
  });

  test('says whether its vocab.txt is uncased', async () => {
    const vocabulary = utf8('[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nCat\n');
    const cased = {
      'vocab.txt': vocabulary,
      'tokenizer_config.json': json({ do_lower_case: false }),
    };
    await using tokenizer = await ambry.openTokenizer(cased);
    expect((await tokenizer.tokenize('Cat', { special: false })).ids).toEqual([5]);
    expect(tokenizer.tokenizer?.warnings).toBeUndefined();
    const twice = await failureOf(ambry.openTokenizer(cased, { lowercase: false }));
    expect(twice).toMatchObject({ code: 'BadValue', path: 'lowercase' });
  });

  test('is refused without a tokenizer, or with settings that are none', async () => {
    const none = await failureOf(ambry.openTokenizer({ 'config.json': json({}) }));
    expect(none).toMatchObject({ code: 'NotFound', path: 'source' });
    const broken = new Map([...files, ['tokenizer_config.json', utf8('{')]]);
    expect(await failureOf(ambry.openTokenizer(broken))).toMatchObject({
      path: 'tokenizer_config.json',
    });
    const template = new Map([...files, ['chat_template.jinja', new Uint8Array([97, 255])]]);
    expect(await failureOf(ambry.openTokenizer(template))).toMatchObject({
      code: 'BadValue',
      path: 'chat_template.jinja',
      byteOffset: 1,
    });
  });
});

test('the module takes no more than it did, compressed', async () => {
  const module = new URL('../../../web/src/wasm/ambry-tokenizer-baseline.wasm', import.meta.url);
  expect(brotliCompressSync(await readFile(module)).length).toBeLessThan(187e3);
});

describe('a file without a tokenizer', () => {
  test('is named', async () => {
    const words = utf8('2 1\na 1\nb 2\n');
    const binary = await ambry.convert(words, { to: 'finalfusion' });
    const failure = await failureOf(ambry.openTokenizer(binary));
    expect(failure).toMatchObject({ code: 'NotFound', path: 'tokenizer' });
    expect(failure?.message).toContain('a finalfusion file');
  });
});

describe('conversations', () => {
  test('take the template that is given, and say that a file alone has none', async () => {
    await using tokenizer = await ambry.openTokenizer(tekkenFile());
    expect(tokenizer.chatTemplate).toBeNull();
    expect(await tokenizer.applyChatTemplate(messages, { template })).toBe('<s>user: Hi\n');
    expect(await failureOf(tokenizer.applyChatTemplate(messages))).toMatchObject({
      code: 'NotFound',
      path: 'chatTemplate',
    });
    const misspelled = { templates: template } as object;
    expect(await failureOf(tokenizer.applyChatTemplate(messages, misspelled))).toMatchObject({
      code: 'BadValue',
    });
  });
});
