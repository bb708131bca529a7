// Removes the endings of words by the language of their page, so that "images" finds "image". A browser fetches the
// stemmers of the site's languages only, 1 to 3 KB each.
import { languageOf as codeOf, foldWord, type Stemmer, stemmerOf } from 'ambry/terms';

/** The words of one language. */
export interface Language {
  readonly code: string;
  /** A word in lower case and without accents: what the reader has typed so far. */
  readonly fold: (word: string) => string;
  /** What all forms of a word have in common. */
  readonly stem: (word: string) => string;
}

const languages = new Map<string, Promise<Language>>();

/** A language without a stemmer keeps its words. The next search has the stems of this one. */
export function languageOf(code: string): Promise<Language> {
  const made = languages.get(code) ?? makeLanguage(code);
  languages.set(code, made);
  made.catch(() => languages.delete(code));
  return made;
}

async function makeLanguage(code: string): Promise<Language> {
  const stemmer = code === 'en' ? await englishStemmer() : await stemmerOf(code);
  const lower = (word: string) => word.normalize('NFKC').toLocaleLowerCase(code);
  const fold = (word: string) => foldWord(lower(word), code);
  const stem = (word: string) => foldWord(stemmer(lower(word)), code);
  return { code, fold: remembered(fold), stem: remembered(stem) };
}

/** The stemmer of `ambry` removes fewer endings: it is made for indexes that are searched word for word, too. */
async function englishStemmer(): Promise<Stemmer> {
  const { stemmer } = await import('@orama/stemmers/english');
  return (word) => withoutDouble(stemmer(word));
}

/** Snowball's English stemmer makes "pur" of "purring" and leaves "purr". */
function withoutDouble(stem: string): string {
  return stem.length > 3 ? stem.replace(/([^aeiouls])\1$/, '$1') : stem;
}

/** The code of a tag such as `de-AT`; `en` for what is no tag. */
export const languageCode = (tag: string): string => codeOf(tag.trim()) ?? 'en';

/** Most words of a site occur many times. */
function remembered(of: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) {
      return found;
    }
    const made = of(word);
    if (known.size >= 100_000) {
      known.clear();
    }
    known.set(word, made);
    return made;
  };
}
