// How many tokens texts have, for whoever splits documents or bills texts. Loaded with the first call.
import { AmbryError } from '../base/errors.ts';
import type { Connection } from '../runtime/connect.ts';
import type { TokenCalls } from './protocol.ts';

/** As many as there are. */
const noLimit = 2 ** 32 - 1;
/** A longer text is counted in parts, so that a cancel arrives between them. */
const unitsOfAPart = 1 << 18;

export interface CountSettings {
  readonly most?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `type` is that of the tokenizer. */
export async function tokenCounts(
  texts: readonly string[],
  type: string | undefined,
  { channel }: Pick<Connection<TokenCalls>, 'channel'>,
  { most = noLimit, signal }: CountSettings,
): Promise<Uint32Array<ArrayBuffer>> {
  if (!Number.isInteger(most) || most < 1 || most > noLimit) {
    const message = `Must be an integer from 1 to ${noLimit}, not ${String(most)}.`;
    throw new AmbryError('BadValue', message, { path: 'options.most' });
  }
  // No word piece goes over the end of a line. Only the core knows when there are enough tokens.
  const inParts = type === 'wordpiece' && most === noLimit;
  const parts = texts.map((text) => (inParts ? linesOf(text) : [text]));
  const input = { texts: parts.flat(), most };
  const counted = await channel.call('countTokens', input, { signal });
  let at = 0;
  return Uint32Array.from(parts, ({ length }) => {
    const own = counted.subarray(at, at + length);
    at += length;
    return own.reduce((sum, count) => sum + count, 0);
  });
}

/** The text cut at ends of lines, where it has some. */
function linesOf(text: string): readonly string[] {
  const parts: string[] = [];
  let begin = 0;
  while (text.length - begin > unitsOfAPart) {
    const last = text.lastIndexOf('\n', begin + unitsOfAPart);
    const end = last >= begin ? last : text.indexOf('\n', begin + unitsOfAPart);
    if (end < 0) {
      break;
    }
    parts.push(text.slice(begin, end + 1));
    begin = end + 1;
  }
  return [...parts, text.slice(begin)];
}
