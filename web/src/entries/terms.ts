// `ambry/terms`: what a search for words needs, the terms of texts, the stemmers of their languages, names,
// words that are nearly alike, and an index of words.

export { editDistance } from '../base/edit-distance.ts';
export { AmbryError } from '../base/errors.ts';
export { compoundEnds, lastWords } from '../search/words/compounds.ts';
export { foldWord, withoutAccents } from '../search/words/fold.ts';
export { functionWordsOf } from '../search/words/function-words.ts';
export {
  languageOf,
  languages,
  type StemmedLanguage,
  type Stemmer,
  stemmerOf,
} from '../search/words/languages.ts';
export { nameKey, plainLetters, wordsInside, wordsOfName } from '../search/words/names.ts';
export { havePhrases, phrasesOf } from '../search/words/phrases.ts';
export { passageTerms, queryTerms, type Term } from '../search/words/terms.ts';
export {
  createWordIndex,
  type WordHit,
  type WordIndex,
  type WordIndexOptions,
  type WordSearchOptions,
} from '../search/words/word-index.ts';
