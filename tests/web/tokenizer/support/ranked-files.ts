// Vocabularies of byte strings with ranks, as files of tiktoken and as tekken.json, and a second implementation that encodes
// by trying.
import { Buffer } from 'node:buffer';

/** The 256 bytes, and pieces of these words that pairs of shorter ones make. */
const words = [
  'the',
  ' the',
  ' there',
  'ing',
  ' cat',
  ' Cats',
  '123',
  '\n\n',
  '  ',
  'ß',
  '漢字',
  "'s",
];

export const rankedTokens: readonly Buffer[] = (() => {
  const tokens = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]));
  const known = new Set(tokens.map((token) => token.toString('hex')));
  for (const word of words.map((text) => Buffer.from(text))) {
    for (let length = 2; length <= word.length; length++) {
      const piece = word.subarray(0, length);
      if (!known.has(piece.toString('hex'))) {
        known.add(piece.toString('hex'));
        tokens.push(piece);
      }
    }
  }
  return tokens;
})();

export const tiktokenFile = (tokens = rankedTokens): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(
    tokens.map((token, rank) => `${token.toString('base64')} ${rank}\n`).join(''),
  );

export interface Pattern {
  /** As tiktoken has it. */
  readonly written: string;
  /** As JavaScript has it. */
  readonly regex: RegExp;
}

const contraction = "'(?:[sdmtSDMTſ]|[lL][lL]|[vV][eE]|[rR][eE])";
const upper = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const lower = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';

export const patterns = {
  gpt2: {
    written:
      "'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s++$|\\s+(?!\\S)|\\s",
    regex: /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s/gu,
  },
  cl100k: {
    written:
      "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+|\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s",
    regex: new RegExp(
      `${contraction}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s+$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s`,
      'gu',
    ),
  },
  tekken: {
    written:
      '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
    regex: new RegExp(
      `[^\\r\\n\\p{L}\\p{N}]?${upper}*${lower}+|[^\\r\\n\\p{L}\\p{N}]?${upper}+${lower}*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`,
      'gu',
    ),
  },
} satisfies Record<string, Pattern>;

/** Version v3 has the special tokens that are not listed. */
export function tekkenFile(
  config: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
): Uint8Array<ArrayBuffer> {
  const file = {
    config: {
      pattern: patterns.tekken.written,
      num_vocab_tokens: rankedTokens.length,
      default_vocab_size: rankedTokens.length + 30,
      default_num_special_tokens: 30,
      version: 'v3',
      ...config,
    },
    vocab: rankedTokens.map((token, rank) => ({
      rank,
      token_bytes: token.toString('base64'),
      token_str: null,
    })),
    ...more,
  };
  return new TextEncoder().encode(JSON.stringify(file));
}

/** The ranks of a text: neighbours whose bytes together are the token of lowest rank merge first. */
export function ranksByTrying({ regex }: Pattern, text: string): number[] {
  const ranks = new Map(rankedTokens.map((token, rank) => [token.toString('hex'), rank]));
  const rankOf = (bytes: Buffer | undefined) => (bytes && ranks.get(bytes.toString('hex'))) ?? -1;
  return [...text.matchAll(regex)].flatMap(([word]) => {
    let parts: Buffer[] = [...Buffer.from(word)].map((byte) => Buffer.from([byte]));
    for (;;) {
      const joined = parts.slice(1).map((part, i) => Buffer.concat([parts[i] as Buffer, part]));
      const known = joined.map(rankOf).filter((rank) => rank >= 0);
      if (known.length === 0) {
        return parts.map(rankOf);
      }
      const at = joined.map(rankOf).indexOf(Math.min(...known));
      parts = [...parts.slice(0, at), joined[at] as Buffer, ...parts.slice(at + 2)];
    }
  });
}
