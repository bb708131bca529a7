// Guesses the encoding of a text that is not UTF-8: the one in which it costs least as a text of some language. Loaded with
// the first such text.
import {
  type DecodedText,
  decodedText,
  decoderFor,
  decodeWith,
  guessWarning,
  replacementWarnings,
} from './decoding.ts';
import { decodeDos, dosEncodings } from './dos-encodings.ts';
import { eastAsian, eastAsianCost } from './east-asian.ts';
import { languages } from './languages.ts';
import { costOf, letterCosts } from './letter-costs.ts';

/** So many bytes of a text are decoded in each encoding. */
const maxSampleBytes = 2048;
/** The most usual encodings. Texts are so often in the first ones that these seem to cost less. */
const usual = ['windows-1252', 'windows-1251', 'windows-1250', 'iso-8859-2', 'windows-1257'];
const usualBonus = [2, 1.5, 0.5];
/** What ISO-2022-JP has before its characters. No other text has it. */
const japaneseEscape = '\x1b$';
const [lineFeed, space] = [0x0a, 0x20];

export function guessEncoding(bytes: Uint8Array, sample: Uint8Array): DecodedText {
  const damaged = decodeDamagedUtf8(bytes);
  if (damaged !== undefined) {
    return decodedText(damaged, 'utf-8', replacementWarnings(damaged, 'UTF-8'));
  }
  const found = likeliest(sampleOf(sample));
  const text = decodeAs(found, bytes) ?? '';
  const warnings = [guessWarning(found), ...replacementWarnings(text, found)];
  return decodedText(text, found, warnings);
}

/** Decodes UTF-8 with a few invalid bytes, such as at a cut-off end, and plain ASCII with escape bytes. Returns
 *  undefined if the text is more likely in another encoding. */
function decodeDamagedUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  let valid = 0;
  let invalid = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) {
      invalid++;
    } else if (unit >= 0x80) {
      valid++;
    }
  }
  const isJapanese = valid + invalid === 0 && text.includes(japaneseEscape);
  return valid >= 4 * invalid && !isJapanese ? text : undefined;
}

interface Guess {
  readonly encoding: string;
  readonly text: string;
  readonly cost: number;
}

function likeliest(sample: Uint8Array): string {
  if (!sample.some((byte) => byte >= 0x80)) {
    return 'iso-2022-jp';
  }
  const guesses = [...guessesOf(sample)];
  const best = guesses.reduce((a, b) => (b.cost < a.cost ? b : a));
  // Encodings differ in a few characters, which the text may not have.
  const same = guesses.filter(({ text }) => text === best.text);
  const [found = best] = same.sort((a, b) => rank(a) - rank(b));
  return found.encoding;
}

function rank({ encoding }: Guess): number {
  const at = usual.indexOf(encoding);
  return at < 0 ? usual.length : at;
}

function* guessesOf(sample: Uint8Array): Generator<Guess> {
  const texts = new Map<string, string | undefined>();
  const textIn = (encoding: string) => {
    if (!texts.has(encoding)) {
      texts.set(encoding, decodeAs(encoding, sample));
    }
    return texts.get(encoding);
  };
  for (const language of Object.values(languages)) {
    const costs = letterCosts(language);
    for (const encoding of language.encodings) {
      const text = textIn(encoding);
      if (text !== undefined) {
        const bonus = usualBonus[usual.indexOf(encoding)] ?? 0;
        yield { encoding, text, cost: costOf(text, costs) - bonus };
      }
    }
  }
  for (const { encodings, ...language } of eastAsian) {
    for (const encoding of encodings) {
      const text = textIn(encoding);
      if (text !== undefined) {
        yield { encoding, text, cost: eastAsianCost(text, language) };
      }
    }
  }
}

/** Undefined if the platform does not know the encoding. */
function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  const table = dosEncodings[encoding];
  if (table !== undefined) {
    return decodeDos(table, bytes);
  }
  const decoder = decoderFor(encoding);
  // Vietnamese has marks apart from their letters here, and nowhere else.
  const isApart = encoding === 'windows-1258';
  const text = decoder && decodeWith(decoder, bytes);
  return isApart ? text?.normalize('NFC') : text;
}

/** Some of the text around bytes above ASCII: lines that have some, or the words from the first one on. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < maxSampleBytes; ) {
    const found = bytes.indexOf(lineFeed, at);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(at, end);
    at = end;
    const high = line.findIndex((byte) => byte >= 0x80);
    if (high >= 0) {
      const begin = high < maxSampleBytes / 2 ? 0 : line.lastIndexOf(space, high) + 1;
      const part = line.subarray(begin, begin + maxSampleBytes - length);
      parts.push(part);
      length += part.length;
    }
  }
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
