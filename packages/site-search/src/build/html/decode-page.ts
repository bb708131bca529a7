// Decodes a page of any encoding. UTF-8 is most of them; what else there is, `readDocument` of Ambry finds out.
import { AmbryError } from 'ambry/encoder';
import { readDocument } from 'ambry/passages';

/** The encoding is found in this many bytes. */
const sampleBytes = 64 * 1024;
const headBytes = 1024;

interface DecodedPage {
  readonly html: string;
  /** Sentences for the user. */
  readonly warnings: readonly string[];
}

/** Throws `Unsupported` for what is no text. */
export async function decodePage(
  bytes: Uint8Array,
  path: string,
  signal?: AbortSignal,
): Promise<DecodedPage> {
  const html = utf8Of(bytes);
  if (html !== undefined) {
    return { html, warnings: [] };
  }
  const { encoding, warnings } = await encodingOf(bytes, path, signal);
  // Zero bytes are no text. In UTF-16, halves of characters are, and these are gone here.
  const text = new TextDecoder(encoding).decode(bytes).replaceAll('\0', ' ');
  return { html: encoding === 'windows-1252' ? withWindowsSigns(text) : text, warnings };
}

/** Undefined if the bytes are not UTF-8, or if the page declares another encoding. */
function utf8Of(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, headBytes));
  const declared = /charset\s*=\s*["']?\s*([\w:.-]+)|encoding\s*=\s*["']([\w:.-]+)/i.exec(head);
  const name = declared?.[1] ?? declared?.[2] ?? 'utf-8';
  // A declaration that can be read as ASCII cannot be in UTF-16.
  if (!/^utf-?(8|16)/i.test(name) || head.includes('\0') || head.includes('\u001b')) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function encodingOf(bytes: Uint8Array, path: string, signal: AbortSignal | undefined) {
  const sample = bytes.subarray(0, sampleBytes & ~1);
  try {
    const { encoding, warnings } = await readDocument('page.html', sample, {
      ...(signal && { signal }),
    });
    return { encoding: encoding ?? 'utf-8', warnings };
  } catch (error) {
    if (!(error instanceof AmbryError)) {
      throw error;
    }
    const message = error.message.replaceAll('page.html', path);
    throw new AmbryError(error.code, message, { path, cause: error });
  }
}

/** Node 20 reads this encoding as Latin-1, which has control characters for these signs. */
const windowsSigns = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function withWindowsSigns(text: string): string {
  return text.replace(
    /[\u0080-\u009f]/g,
    (sign) => windowsSigns[sign.charCodeAt(0) - 0x80] ?? sign,
  );
}
