// A small model of language as AMB: a llama with made-up weights whose tokens are the 256 bytes, in the
// spelling of byte-level BPE, and the two that begin and end a text.
import { ambOf } from './amb-file.ts';

export const beginId = 256;
export const endId = 257;
export const vocabulary = 258;

export const chatTemplate =
  '{{ bos_token }}{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}';

export interface LanguageShape {
  readonly layers: number;
  readonly width: number;
  readonly context: number;
  /** The chat template. */
  readonly template: string;
  /** More of the config. */
  readonly config: object;
  /** Texts of further tokens, with ids from `vocabulary` on. No text is turned into them. */
  readonly moreTokens: readonly string[];
}

const testSmall: LanguageShape = {
  layers: 2,
  width: 64,
  context: 64,
  template: chatTemplate,
  config: {},
  moreTokens: [],
};

export function languageFile(
  shape: Partial<LanguageShape> = {},
  change: (name: string, numbers: Float32Array) => void = () => {},
): Uint8Array<ArrayBuffer> {
  const { layers, width, context, template, config: more, moreTokens } = { ...testSmall, ...shape };
  const config = JSON.stringify({
    architecture: 'llama',
    n_vocab: vocabulary + moreTokens.length,
    n_embd: width,
    n_layers: layers,
    n_heads: 4,
    max_seq_len: context,
    tokenizer: { pretokenizer: 'gpt2', add_bos: true, chat_template: template },
    ...more,
  });
  const scaled = (name: string, numbers: Float32Array) => {
    // Norms near 1, matrices that keep the size of numbers.
    const isNorm = name.includes('norm');
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? 0;
      numbers[i] = isNorm ? 1 + number / 4 : (number * 4) / Math.sqrt(width);
    }
    change(name, numbers);
  };
  const tensors = tensorsOf(layers, width, vocabulary + moreTokens.length);
  return ambOf(config, byteTokenizer(moreTokens), tensors, scaled);
}

function tensorsOf(layers: number, width: number, tokens: number): [string, number[]][] {
  const layer = (i: number): [string, number[]][] => [
    [`model.layers.${i}.input_layernorm.weight`, [width]],
    ...['q', 'k', 'v', 'o'].map((name): [string, number[]] => [
      `model.layers.${i}.self_attn.${name}_proj.weight`,
      [width, width],
    ]),
    [`model.layers.${i}.post_attention_layernorm.weight`, [width]],
    ...['gate', 'up', 'down'].map((name): [string, number[]] => [
      `model.layers.${i}.mlp.${name}_proj.weight`,
      [width, width],
    ]),
  ];
  return [
    ['model.embed_tokens.weight', [tokens, width]],
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    ['model.norm.weight', [width]],
  ];
}

/** AMB's section of byte-level BPE without merges: special ids, pairs, tokens. */
export function byteTokenizer(moreTokens: readonly string[] = []): Buffer {
  const spellings = byteSpellings();
  const spelled = (text: string) =>
    Array.from(Buffer.from(text), (byte) => spellings[byte]).join('');
  const tokens = [...spellings, '<s>', '</s>', ...moreTokens.map(spelled)];
  const head = Buffer.alloc(1 + 10 + 4 + 4);
  [beginId, endId, 0xffff, 0xffff, 0xffff].forEach((id, i) => {
    head.writeUInt16LE(id, 1 + 2 * i);
  });
  head.writeUInt32LE(tokens.length, 15);
  const entries = tokens.map((token, id) => {
    const text = Buffer.from(token);
    const entry = Buffer.alloc(6 + text.length);
    entry.writeUInt32LE(id, 0);
    entry.writeUInt16LE(text.length, 4);
    text.copy(entry, 6);
    return entry;
  });
  return Buffer.concat([head, ...entries]);
}

/** How byte-level BPE spells the bytes 0 … 255: printable ones as themselves, the others from U+0100 on. */
export function byteSpellings(): string[] {
  const isPrintable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) ||
    (byte >= 0xa1 && byte <= 0xac) ||
    (byte >= 0xae && byte <= 0xff);
  let others = 0;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isPrintable(byte) ? byte : 0x100 + others++),
  );
}
