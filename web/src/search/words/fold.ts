// Part of `ambry/terms`: folds the letters of a word that readers write in several ways, or without what stands on them.
import { checkedText } from '../../base/checked-text.ts';

/** Accents of Latin, Greek and Cyrillic letters, Hebrew points, Arabic vowel signs, the Arabic line that makes words
 *  longer, the dot of Indic letters, joiners, and the signs that choose the picture of an emoji. Other marks are letters of
 *  their own. */
const accents =
  /[\ufe0e\ufe0f\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u093c\u09bc\u200c\u200d]/gu;

/** Letters without an accent that could be taken off. Keyboards of other languages do not have them. */
const letters: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ı', 'i'],
  ['œ', 'oe'],
  ['æ', 'ae'],
  ['þ', 'th'],
  ['ß', 'ss'],
  // Arabic and Persian keyboards have different letters for these, and some writers leave the dots away.
  ['\u06cc', '\u064a'],
  ['\u0649', '\u064a'],
  ['\u06a9', '\u0643'],
  ['\u0629', '\u0647'],
  ['\u06c0', '\u0647'],
  // The Devanagari sign of a nasal vowel, with and without the moon.
  ['\u0901', '\u0902'],
]);
const letterPattern = new RegExp(`[${[...letters.keys()].join('')}]`, 'gu');
/** A nasal letter before a consonant of Devanagari is also written as a sign. */
const nasal = /[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])/gu;
/** Without ä, ö and ü, Germans write ae, oe and ue. */
const germanPair = /([aou])e/g;

/**
 * The word without accents, and with one letter for those that readers confuse: `ł` is `l`, `œ` is `oe`. Words should be in
 * lower case.
 *
 * @example
 * import { withoutAccents } from 'ambry/terms';
 *
 * withoutAccents('łódź'); // 'lodz'
 */
export function withoutAccents(word: string): string {
  return checkedText(word)
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFC')
    .replace(letterPattern, (letter) => letters.get(letter) as string)
    .replace(nasal, '\u0902');
}

/**
 * What the ways to write a word in a language have in common: `withoutAccents`, and in German (`de`) `ae`, `oe` and `ue` are `a`,
 * `o` and `u`, as `ä`, `ö` and `ü` are.
 *
 * @example
 * import { foldWord } from 'ambry/terms';
 *
 * foldWord('geraet', 'de') === foldWord('gerät', 'de'); // true
 */
export function foldWord(word: string, language: string): string {
  const folded = withoutAccents(word);
  return language === 'de' ? folded.replace(germanPair, '$1') : folded;
}
