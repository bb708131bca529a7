// Finds the languages of passages. Browsers fetch franc only if some passages do not look English.
import type { Doc } from '../base/types.ts';
import { languages } from './languages.ts';

/** So many passages are looked at, spread over all of them. */
const mostSampled = 200;
/** So many characters of each passage are looked at. */
const mostLength = 500;
/** Shorter passages are looked at together. */
const leastLength = 50;
/** A language counts if one of ten passages has it, or one of fifty and at least three. */
const isFrequent = (n: number, all: number): boolean => n * 10 >= all || (n * 50 >= all && n >= 3);

/** Frequent words of English that are rare in other languages. */
const common = new Set(
  'the and to that for it with are this by from which you can your has or not when they'.split(' '),
);

/** The codes of the languages of these passages, the most frequent first: one at least, `en` if none is known. */
export async function languagesOf(docs: readonly Doc[]): Promise<readonly string[]> {
  const step = Math.max(1, docs.length / mostSampled);
  const count = Math.min(docs.length, mostSampled);
  const sample = Array.from({ length: count }, (_, i) => docs[Math.floor(i * step)] as Doc);
  const texts = joined(sample.map(startOf).filter((text) => /\p{L}{2}/u.test(text)));
  const others = texts.filter((text) => !looksEnglish(text));
  const counts = new Map([['en', texts.length - others.length]]);
  if (isFrequent(others.length, texts.length)) {
    const detect = await detector(Object.keys(languages));
    for (const text of others) {
      const code = detect(text);
      if (code !== undefined) {
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
    }
  }
  const frequent = [...counts].filter(([, n]) => n > 0 && isFrequent(n, texts.length));
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

/** A function that says in which of these languages a text is. */
export async function detector(
  codes: readonly string[],
): Promise<(text: string) => string | undefined> {
  const { franc } = await import('franc');
  const byName = new Map(codes.map((code) => [languages[code]?.detected ?? code, code]));
  const only = [...byName.keys()];
  return (text) => byName.get(franc(text, { only, minLength: 3 }));
}

export const startOf = ({ text }: Doc): string => text.slice(0, mostLength);

/** Whether one of eight words is a frequent one. */
function looksEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => common.has(word)).length * 8 >= words.length;
}
