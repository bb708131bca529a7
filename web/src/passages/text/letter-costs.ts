// Scores how well a text fits a language: as in a code that gives short words to frequent letters, the cost of a text is
// the sum of the costs of its letters.
import type { Language } from './languages.ts';

/** Costs are negative logarithms of likelihoods. That of a letter of ASCII is the same in all languages with Latin
 *  letters, and words of ASCII are rare in others. */
const asciiLetter = 3;
const strangeAsciiLetter = 6.5;
/** Letters of ASCII that the language does not have. */
const foreignLetter = 3;
/** A letter that the language does not have, as in names. */
const otherLetter = 9;
/** Punctuation and signs beyond ASCII that texts have, that they seldom have, and controls. */
const usualSigns = '“”„‘’‚–—…«»‹›°§€£·•№¿¡\u00a0\u00ad';
const usualSign = 6;
const seldomSign = 9.5;
const control = 14;
/** Signs within a word. An apostrophe and a soft hyphen belong there. */
const signInWord = 5;
const joiners = '’·\u00ad';
/** A capital at the begin of a word, among capitals, and after a small letter. */
const capital = [1.5, 0.4, 6] as const;
/** The least frequent letter of a language occurs so many times as often as the most frequent one. */
const leastOften = 0.02;

/** Letters that only end words, and those that never begin one, in another place. */
const finals = 'םןךףץς';
const neverFirst = 'ðğъьыůěς';
const wrongPlace = 4;
/** A frequent word of the language makes it likelier. */
const wordBonus = 2.5;

type Before = 'none' | 'small' | 'capital';

export interface LetterCosts {
  readonly letters: ReadonlyMap<string, number>;
  readonly isLatin: boolean;
  readonly foreign: string;
  readonly words: ReadonlySet<string>;
}

/** The frequencies of letters fall evenly from the first to the last. */
export function letterCosts({ letters, share, words = '', foreign = '' }: Language): LetterCosts {
  const all = [...letters];
  const fall = leastOften ** (1 / Math.max(all.length - 1, 1));
  const sum = all.reduce((total, _, i) => total + fall ** i, 0);
  const isLatin = /\p{Script=Latin}/u.test(letters);
  // Costs of letters of ASCII are those of a language without others.
  const shared = isLatin ? share : 1;
  const costs = all.map((letter, i) => [letter, -Math.log((shared * fall ** i) / sum)] as const);
  return { letters: new Map(costs), isLatin, foreign, words: new Set(words.split(' ')) };
}

/** The cost of a text in a language. */
export function costOf(text: string, costs: LetterCosts): number {
  let cost = lettersCost(text, costs);
  if (costs.words.size > 1) {
    for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
      cost -= costs.words.has(word.toLowerCase()) ? wordBonus : 0;
    }
  }
  return cost;
}

function lettersCost(text: string, { letters, isLatin, foreign }: LetterCosts): number {
  let cost = 0;
  let before: Before = 'none';
  let signAfterLetter = 0;
  let wasFinal = false;
  for (const sign of text) {
    const small = sign.toLowerCase();
    const isLetter = isWordLetter(sign);
    if (!isLetter) {
      wasFinal = false;
      signAfterLetter = 0;
      if (sign > '\u007f') {
        cost += signCost(sign);
        signAfterLetter = before !== 'none' && !joiners.includes(sign) ? signInWord : 0;
      }
      before = joiners.includes(sign) ? before : 'none';
      continue;
    }
    cost += signAfterLetter;
    const isMisplaced = wasFinal || (before === 'none' && neverFirst.includes(small));
    cost += isMisplaced ? wrongPlace : 0;
    signAfterLetter = 0;
    wasFinal = finals.includes(sign);
    if (sign < '\u0080') {
      cost += isLatin ? asciiLetter : strangeAsciiLetter;
      cost += foreign.includes(small) ? foreignLetter : 0;
    } else {
      cost += letters.get(sign) ?? letters.get(small) ?? otherLetter;
    }
    const isCapital = sign !== small;
    if (isCapital) {
      cost += capital[before === 'none' ? 0 : before === 'capital' ? 1 : 2];
    }
    before = isCapital ? 'capital' : 'small';
  }
  return cost;
}

function isWordLetter(sign: string): boolean {
  return sign < '\u0080' ? /[A-Za-z]/.test(sign) : /[\p{L}\p{M}]/u.test(sign);
}

function signCost(sign: string): number {
  if (usualSigns.includes(sign)) {
    return usualSign;
  }
  return /[\p{Cc}\ufffd]/u.test(sign) ? control : seldomSign;
}
