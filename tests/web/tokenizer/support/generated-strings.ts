// The strings that tokenizers of directories get, ours and those of other libraries.
import { generateString, makeRandom } from '../../../reference/tokenizers/string-generator.mjs';
import { fuzzSize } from './fuzz-size.ts';

const nTexts = fuzzSize(20_000);
/** How many texts other libraries get at once. */
export const batch = 2000;
export const utf8 = new TextEncoder();
const wellFormed = (text: string) => new TextDecoder().decode(utf8.encode(text));

/** A corpus to train on, and texts with words of `spice`. The same in every run. */
export function generatedStrings(seed: number, nLines: number, spice: readonly string[]) {
  const random = makeRandom(seed);
  const lines = Array.from({ length: nLines }, () => generateString(random));
  const corpus = wellFormed(lines.join('\n'));
  const texts = Array.from({ length: nTexts }, () => {
    const text = generateString(random, [...spice]);
    return wellFormed(random.below(3) ? text : text + random.pick(spice) + random.pick(spice));
  });
  return { corpus, texts };
}
