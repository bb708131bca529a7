// Finds the languages of passages by their frequent words. Browsers fetch franc only where two languages have the same words,
// or where a text of another script has none of them.
import type { Yielder } from '../../base/yielder.ts';
import type { Doc } from '../base/types.ts';
import { languagesByWords } from './frequent-words.ts';
import { languages } from './languages.ts';

/** So many passages are looked at, spread over all of them. */
const mostSampled = 200;
/** So many characters of each passage are looked at. */
const mostLength = 500;
/** Shorter passages are looked at together. */
const leastLength = 50;
/** A language counts if one of ten passages has it, or one of fifty and at least three. */
const isFrequent = (n: number, all: number): boolean => n * 10 >= all || (n * 50 >= all && n >= 3);
/** Letters of other scripts than Latin that franc needs for an answer that is worth something. */
const leastLetters = 30;

/** Says in which language a text is. Undefined where the text does not show it. */
type Detector = (text: string) => Promise<string | undefined>;

/**
 * The codes of the languages of these passages, the most frequent first. Passages that do not show theirs, such as titles and
 * names, have no say, and `en` is the answer where none shows it.
 */
export async function languagesOf(
  docs: readonly Doc[],
  yielder: Yielder,
): Promise<readonly string[]> {
  const step = Math.max(1, docs.length / mostSampled);
  const count = Math.min(docs.length, mostSampled);
  const sample = Array.from({ length: count }, (_, i) => docs[Math.floor(i * step)] as Doc);
  const texts = joined(sample.map(startOf).filter((text) => /\p{L}{2}/u.test(text)));
  const counts = new Map<string, number>();
  const detect = detector();
  for (const text of texts) {
    await yielder.yieldIfDue();
    const code = await detect(text);
    if (code !== undefined) {
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  const known = [...counts.values()].reduce((sum, n) => sum + n, 0);
  const frequent = [...counts].filter(([, n]) => isFrequent(n, known));
  const codes = frequent.sort((a, b) => b[1] - a[1]).map(([code]) => code);
  return codes.length > 0 ? codes : ['en'];
}

/** The texts, and the short ones in groups. */
function joined(texts: readonly string[]): string[] {
  const found: string[] = [];
  let short = '';
  for (const text of texts) {
    if (text.length >= leastLength) {
      found.push(text);
    } else {
      short += `${text}\n`;
    }
    if (short.length < leastLength) {
      continue;
    }
    found.push(short);
    short = '';
  }
  return short === '' ? found : [...found, short];
}

/** Tells these languages apart, or all that are known. */
export function detector(codes?: readonly string[]): Detector {
  return async (text) => {
    const [first, ...equal] = languagesByWords(text, codes);
    if (first !== undefined) {
      return equal.length === 0 ? first : ((await byLetters(text, [first, ...equal])) ?? first);
    }
    const letters = text.match(/(?!\p{sc=Latn})\p{L}/gu)?.length ?? 0;
    const isOther = letters >= leastLetters && letters * 2 > text.length;
    return isOther ? byLetters(text, codes ?? Object.keys(languages)) : undefined;
  };
}

/** The language whose groups of letters are most like those of the text. */
async function byLetters(text: string, codes: readonly string[]): Promise<string | undefined> {
  const named = codes.filter((code) => Object.hasOwn(languages, code));
  const byName = new Map(named.map((code) => [languages[code]?.detected ?? code, code]));
  if (byName.size === 0) {
    return undefined;
  }
  const { franc } = await import('franc');
  return byName.get(franc(text, { only: [...byName.keys()], minLength: 3 }));
}

export const startOf = ({ text }: Doc): string => text.slice(0, mostLength);
