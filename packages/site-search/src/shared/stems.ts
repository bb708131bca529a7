// Removes the endings of words by the language of their page, so that "images" finds "image". The stemmers are Snowball's.
// A browser fetches those of the site's languages only, 1 to 3 KB each.

export type Stemmer = (word: string) => string;

interface StemmerModule {
  readonly stemmer: Stemmer;
}

/** By ISO 639-1. */
const stemmers: Readonly<Record<string, () => Promise<StemmerModule>>> = {
  ar: () => import('@orama/stemmers/arabic'),
  bg: () => import('@orama/stemmers/bulgarian'),
  da: () => import('@orama/stemmers/danish'),
  de: () => import('@orama/stemmers/german'),
  el: () => import('@orama/stemmers/greek'),
  en: () => import('@orama/stemmers/english'),
  es: () => import('@orama/stemmers/spanish'),
  fi: () => import('@orama/stemmers/finnish'),
  fr: () => import('@orama/stemmers/french'),
  ga: () => import('@orama/stemmers/irish'),
  hi: () => import('@orama/stemmers/indian'),
  hu: () => import('@orama/stemmers/hungarian'),
  hy: () => import('@orama/stemmers/armenian'),
  id: () => import('@orama/stemmers/indonesian'),
  it: () => import('@orama/stemmers/italian'),
  lt: () => import('@orama/stemmers/lithuanian'),
  ne: () => import('@orama/stemmers/nepali'),
  nl: () => import('@orama/stemmers/dutch'),
  no: () => import('@orama/stemmers/norwegian'),
  pt: () => import('@orama/stemmers/portuguese'),
  ro: () => import('@orama/stemmers/romanian'),
  ru: () => import('@orama/stemmers/russian'),
  sr: () => import('@orama/stemmers/serbian'),
  sv: () => import('@orama/stemmers/swedish'),
  ta: () => import('@orama/stemmers/tamil'),
  tr: () => import('@orama/stemmers/turkish'),
  uk: () => import('@orama/stemmers/ukrainian'),
};

/** Accents of Latin, Greek and Cyrillic letters, Hebrew points and Arabic vowel signs. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/gu;

/** The words of one language. */
export interface Language {
  readonly code: string;
  /** A word in lower case and without accents: what the reader has typed so far. */
  readonly fold: (word: string) => string;
  /** What all forms of a word have in common. */
  readonly stem: (word: string) => string;
}

/** A language without a stemmer keeps its words. */
export async function languageOf(code: string): Promise<Language> {
  const load = Object.hasOwn(stemmers, code) ? stemmers[code] : undefined;
  const found = (await load?.())?.stemmer ?? ((word: string) => word);
  const stemmer = code === 'en' ? (word: string) => withoutDouble(found(word)) : found;
  const lower = (word: string) => word.normalize('NFKC').toLocaleLowerCase(code);
  const fold = (word: string) => withoutAccents(lower(word));
  return { code, fold, stem: remembered((word) => withoutAccents(stemmer(lower(word)))) };
}

/** Snowball's English stemmer makes "pur" of "purring" and leaves "purr". */
function withoutDouble(stem: string): string {
  return stem.length > 3 ? stem.replace(/([^aeiouls])\1$/, '$1') : stem;
}

/** The code of a tag such as `de-AT`; `en` for what is no tag. */
export function languageCode(tag: string): string {
  try {
    const { language } = new Intl.Locale(tag.trim());
    return language === 'nb' || language === 'nn' ? 'no' : language;
  } catch {
    return 'en';
  }
}

function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(accents, '').normalize('NFC');
}

/** Most words of a site occur many times. */
function remembered(stem: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const made = stem(word);
    if (known.size >= 100_000) known.clear();
    known.set(word, made);
    return made;
  };
}
