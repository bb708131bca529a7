// Texts that are not UTF-8: which of the old encodings they may be in. Loaded with the first of them.
import { analyse } from 'chardet';
import { type Decoded, decodeBy, plain, strictly, warningOf } from './decode.ts';

/** What Western texts are in, and the guess when there is no better one. */
const kWestern = 'windows-1252';
/** Confidence that chardet must have, in percent, when most letters are in question, and when few are. */
const kSureOfMany = 20;
const kSureOfFew = 30;
const kMany = 0.3;
/** Fewer bytes than this tell single-byte encodings apart by chance only. */
const kFewest = 12;
const kManyBytes = /^(Shift_JIS|Big5|EUC|GB|ISO-2022)/;

export function guess(bytes: Uint8Array, sample: Uint8Array): Decoded {
  const damaged = damagedUtf8(bytes);
  if (damaged !== undefined) {
    return { ...plain(damaged, 'utf-8'), warnings: warningOf(damaged, 'UTF-8') };
  }
  const label = likely(sample).find((each) => strictly(each, bytes) !== undefined) ?? kWestern;
  const decoder = new TextDecoder(label);
  const { encoding } = decoder;
  const warnings = [`It does not say its encoding and was read as ${encoding}.`];
  return { ...plain(decodeBy(decoder, bytes), encoding), warnings };
}

/** UTF-8 in which a few bytes went wrong, such as at a cut-off end; also plain ASCII with an escape in it. */
function damagedUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  let right = 0;
  let wrong = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) wrong++;
    else if (unit >= 0x80) right++;
  }
  const isJapanese = right + wrong === 0 && (text.includes('\x1b$') || text.includes('\x1b('));
  return right >= 4 * wrong && !isJapanese ? text : undefined;
}

function likely(sample: Uint8Array): string[] {
  let high = 0;
  for (const byte of sample) if (byte >= 0x80) high++;
  const isMany = high > kMany * sample.length;
  return analyse(sample)
    .filter(({ confidence }) => confidence >= (isMany ? kSureOfMany : kSureOfFew))
    .map(({ name }) => name)
    .filter((name) =>
      isMany || high >= kFewest ? !/^(UTF|ASCII)/.test(name) : kManyBytes.test(name),
    );
}
