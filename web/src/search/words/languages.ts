// Part of `ambry/terms`: the languages whose words have a stemmer.
import { AmbryError } from '../../base/errors.ts';
import { stemOf as englishStem } from './english-stem.ts';

/** Removes the endings of a word in lower case, so that all its forms are equal. */
export type Stemmer = (word: string) => string;

/** A language that has a stemmer. */
export interface StemmedLanguage {
  /** ISO 639-3, as franc names it. */
  readonly detected: string;
  readonly load: () => Promise<Stemmer>;
}

const from = async (module: Promise<{ readonly stemmer: Stemmer }>) => (await module).stemmer;

/** By ISO 639-1. The stemmers are Snowball's. A browser fetches those of its passages only, 1 to 3 KB each. */
export const languages: Readonly<Record<string, StemmedLanguage>> = {
  ar: { detected: 'arb', load: () => from(import('@orama/stemmers/arabic')) },
  bg: { detected: 'bul', load: () => from(import('./bulgarian-stemmer.ts')) },
  da: { detected: 'dan', load: () => from(import('@orama/stemmers/danish')) },
  de: { detected: 'deu', load: () => from(import('@orama/stemmers/german')) },
  el: { detected: 'ell', load: () => from(import('@orama/stemmers/greek')) },
  en: { detected: 'eng', load: async () => englishStem },
  es: { detected: 'spa', load: () => from(import('@orama/stemmers/spanish')) },
  fi: { detected: 'fin', load: () => from(import('@orama/stemmers/finnish')) },
  fr: { detected: 'fra', load: () => from(import('@orama/stemmers/french')) },
  ga: { detected: 'gle', load: () => from(import('@orama/stemmers/irish')) },
  hi: { detected: 'hin', load: () => from(import('@orama/stemmers/indian')) },
  hu: { detected: 'hun', load: () => from(import('@orama/stemmers/hungarian')) },
  hy: { detected: 'hye', load: () => from(import('@orama/stemmers/armenian')) },
  id: { detected: 'ind', load: () => from(import('@orama/stemmers/indonesian')) },
  it: { detected: 'ita', load: () => from(import('@orama/stemmers/italian')) },
  lt: { detected: 'lit', load: () => from(import('@orama/stemmers/lithuanian')) },
  ne: { detected: 'npi', load: () => from(import('@orama/stemmers/nepali')) },
  nl: { detected: 'nld', load: () => from(import('@orama/stemmers/dutch')) },
  no: { detected: 'nob', load: () => from(import('@orama/stemmers/norwegian')) },
  pt: { detected: 'por', load: () => from(import('@orama/stemmers/portuguese')) },
  ro: { detected: 'ron', load: () => from(import('@orama/stemmers/romanian')) },
  ru: { detected: 'rus', load: () => from(import('@orama/stemmers/russian')) },
  sr: { detected: 'srp', load: () => from(import('@orama/stemmers/serbian')) },
  sv: { detected: 'swe', load: () => from(import('@orama/stemmers/swedish')) },
  ta: { detected: 'tam', load: () => from(import('@orama/stemmers/tamil')) },
  tr: { detected: 'tur', load: () => from(import('@orama/stemmers/turkish')) },
  uk: { detected: 'ukr', load: () => from(import('@orama/stemmers/ukrainian')) },
};

/**
 * Loads the stemmer of a language by its code, such as `de`. A language without one keeps its words.
 *
 * @example
 * import { stemmerOf } from 'ambry/terms';
 *
 * const stem = await stemmerOf('de');
 * stem('katzen'); // 'katz'
 */
export async function stemmerOf(code: string): Promise<Stemmer> {
  if (typeof code !== 'string') {
    throw new AmbryError('BadValue', `Must be a text, not ${typeof code}.`, { path: 'code' });
  }
  return (
    (await (Object.hasOwn(languages, code) ? languages[code]?.load() : undefined)) ??
    ((word) => word)
  );
}

/** The code of a language tag: `de` for `de-AT`, `no` for both kinds of Norwegian. Undefined for a text that is no tag. */
export function languageOf(tag: string): string | undefined {
  try {
    const { language } = new Intl.Locale(tag);
    return language === 'nb' || language === 'nn' ? 'no' : language;
  } catch {
    return undefined;
  }
}
