// `ambry/terms`: what a search for words needs, the terms of texts and the stemmers of their languages.

export { foldWord, withoutAccents } from '../search/words/fold.ts';
export {
  languageOf,
  languages,
  type StemmedLanguage,
  type Stemmer,
  stemmerOf,
} from '../search/words/languages.ts';
export { passageTerms, queryTerms, type Term } from '../search/words/terms.ts';
