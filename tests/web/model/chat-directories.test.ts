// What a language model's directory says of conversations: its templates and the ends of answers, from everywhere.
import { afterAll, describe, expect, test } from 'vitest';
import { languageDirectory, onDisk, onServer } from '../support/directories/model-directories.ts';
import { byteSpellings } from '../support/files/language-file.ts';
import { openGenerator } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const clean: (() => unknown)[] = [];
afterAll(async () => {
  for (const each of clean) {
    await each();
  }
});

const encode = (text: string) => new TextEncoder().encode(text);
const json = (value: object) => encode(JSON.stringify(value));

/** The bytes, and two tokens that begin and end a turn. */
const tokenizer = {
  added_tokens: [
    { id: 256, content: '<|im_start|>', special: true },
    { id: 257, content: '<|im_end|>', special: true },
  ],
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
  post_processor: null,
  decoder: { type: 'ByteLevel' },
  model: {
    type: 'BPE',
    vocab: Object.fromEntries(byteSpellings().map((token, id) => [token, id])),
    merges: [],
  },
};

async function directory(more: Readonly<Record<string, Uint8Array<ArrayBuffer>>>) {
  const files = await languageDirectory();
  files.set('tokenizer.json', json(tokenizer));
  return new Map([...files, ...Object.entries(more)]);
}

const files = await directory({
  'chat_template.jinja': encode('{{ messages[0].content }}\n'),
  'additional_chat_templates/tool_use.jinja': encode('tools'),
  'tokenizer_config.json': json({ chat_template: 'old' }),
  'generation_config.json': json({ eos_token_id: [256, 300] }),
});

async function opened(source: Parameters<typeof openGenerator>[0]) {
  await using model = await openGenerator(source);
  const { chatTemplate, chatTemplates, endIds } = model.info.generator;
  const paths = model.info.warnings?.map(({ path }) => path);
  return { chatTemplate, chatTemplates, endIds, paths };
}

const expected = {
  chatTemplate: '{{ messages[0].content }}\n',
  chatTemplates: ['default', 'tool_use'],
  endIds: [256, 257],
  paths: ['generation_config.json.eos_token_id[1]', 'tokenizer_config.json'],
};

describe('a directory’s templates and ends', () => {
  test('are those of its files, as a map', async () => {
    expect(await opened(files)).toEqual(expected);
  });

  test('are those of its files, by its path', async () => {
    const { path, remove } = await onDisk(files);
    clean.push(remove);
    expect(await opened(path)).toEqual(expected);
  });

  test('are those of its files, by its address', async () => {
    const server = await onServer(files);
    clean.push(server.close);
    expect(await opened(server.url)).toEqual(expected);
  });

  test('are told before it is opened', async () => {
    const { generator } = await ambry.runReport(files);
    expect(generator).toEqual({ endIds: [256, 257], chatTemplates: ['default', 'tool_use'] });
  });

  test('stay in AMB and GGUF', async () => {
    const { chatTemplate, chatTemplates, endIds } = expected;
    const amb = await ambry.convert(files, { to: 'amb' });
    expect(await opened(amb)).toMatchObject({ chatTemplate, chatTemplates, endIds });
    const gguf = await ambry.convert(amb, { to: 'gguf' });
    const { generator } = (await ambry.inspect(gguf)).run;
    expect(generator).toEqual({ chatTemplates, endIds: expect.arrayContaining(endIds) });
  });

  test('are refused by the name of their file', async () => {
    for (const [name, bytes] of [
      ['chat_template.json', json({ template: 'a' })],
      ['chat_template.jinja', new Uint8Array([0xff])],
      ['generation_config.json', json({ eos_token_id: 1.5 })],
    ] as const) {
      const broken = await directory({ [name]: bytes });
      await expect(openGenerator(broken)).rejects.toMatchObject({
        code: 'BadValue',
        path: expect.stringContaining(name),
      });
    }
  });
});
