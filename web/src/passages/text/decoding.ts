// Decodes bytes whose encoding is known or assumed, and reports what could not be decoded.

export interface DecodedText {
  readonly text: string;
  /** The name in the Encoding Standard, in lower case: `utf-8`, `windows-1252`. Those of DOS are such as `ibm850`. */
  readonly encoding: string;
  readonly warnings: readonly string[];
  /** The length in bytes of the byte order mark before the first character. */
  readonly markBytes: number;
}

export function decodedText(
  text: string,
  encoding: string,
  warnings: readonly string[] = [],
): DecodedText {
  return { text, encoding, warnings, markBytes: 0 };
}

/** Windows-1252 at 0x80 to 0x9F. Node 20 decodes this encoding as Latin-1, which has control characters there. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

export function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  if (decoder.encoding !== 'windows-1252') {
    return text;
  }
  return text.replace(/[\u0080-\u009f]/g, (sign) => windows1252[sign.charCodeAt(0) - 0x80] ?? sign);
}

/** Returns undefined if any byte is invalid in the encoding. */
export function decodeStrictly(label: string, bytes: Uint8Array): string | undefined {
  try {
    return decodeWith(new TextDecoder(label, { fatal: true }), bytes);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the platform does not know the encoding. */
export function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** Counts the replacement characters that a decoder puts in place of invalid bytes. */
export function replacementWarnings(text: string, encoding: string): string[] {
  let count = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) {
    count++;
  }
  if (count === 0) {
    return [];
  }
  const places = count === 1 ? '1 place' : `${count} places`;
  return [`Bytes that are not valid ${encoding} were replaced by \uFFFD in ${places}.`];
}

export function guessWarning(encoding: string): string {
  return `The document does not declare its encoding. It was read as ${encoding}.`;
}

/** The offset in bytes of the character at `index`. Undefined if the encoding does not tell. */
export function byteOffsetOf(
  { text, encoding, markBytes }: DecodedText,
  index: number,
): number | undefined {
  if (encoding.startsWith('utf-16')) {
    return markBytes + 2 * index;
  }
  if (encoding !== 'utf-8') {
    return undefined;
  }
  return markBytes + new TextEncoder().encode(text.slice(0, index)).length;
}
