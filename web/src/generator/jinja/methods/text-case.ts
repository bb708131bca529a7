// Methods of texts about capitals, and about what their characters are.
import { charactersOf, spaceClass } from '../values/chars.ts';
import { type Methods, method } from './machine.ts';

const cased = /\p{Cased}/u;
const upper = /\p{Uppercase}/u;
const lower = /\p{Lowercase}/u;
const title = /\p{Lt}/u;

/** A character as the first one of a name: `ǆ` is `ǅ` there, `ß` is `Ss`. */
function titled(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code >= 0x1c4 && code <= 0x1cc) {
    return code < 0x1c7 ? 'ǅ' : code < 0x1ca ? 'ǈ' : 'ǋ';
  }
  if (code >= 0x1f1 && code <= 0x1f3) {
    return 'ǲ';
  }
  const isGeorgian = (code >= 0x10d0 && code <= 0x10fa) || (code >= 0x10fd && code <= 0x10ff);
  const isGreek = code >= 0x1f80 && code <= 0x1ffc;
  const capital = character.toUpperCase();
  if (isGeorgian) {
    return character;
  }
  if (isGreek && capital.length > 1 && capital.endsWith('Ι')) {
    return greekTitled(code, capital);
  }
  if (code === 0x149) {
    return capital;
  }
  const [first = '', ...rest] = capital;
  return first + rest.join('').toLowerCase();
}

/** Greek letters with an iota below have capitals of one character for names. */
function greekTitled(code: number, capital: string): string {
  const inRows = code < 0x1fb0 || [0x1fb3, 0x1fbc, 0x1fc3, 0x1fcc, 0x1ff3, 0x1ffc].includes(code);
  if (!inRows) {
    return `${capital.slice(0, -1)}\u0345`;
  }
  return String.fromCodePoint(code < 0x1fb0 ? code | 8 : (code & ~0xf) | 0xc);
}

export function capitalized(text: string): string {
  const [first = ''] = text;
  return titled(first) + text.slice(first.length).toLowerCase();
}

function inTitleCase(text: string): string {
  const lowered = charactersOf(text.toLowerCase());
  const characters = charactersOf(text);
  // Where a small letter is of several characters, the places differ, and each is made small by itself.
  const isAligned = lowered.length === characters.length;
  let made = '';
  let wasCased = false;
  characters.forEach((character, i) => {
    const small = isAligned ? (lowered[i] as string) : character.toLowerCase();
    made += wasCased ? small : titled(character);
    wasCased = cased.test(character);
  });
  return made;
}

/** Letters that are equal without regard to capitals become equal. */
function caseFolded(text: string): string {
  let made = '';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code === 0x131) {
      made += character;
    } else if (code >= 0x13f8 && code <= 0x13fd) {
      made += String.fromCodePoint(code - 8);
    } else if (code >= 0xab70 && code <= 0xabbf) {
      made += String.fromCodePoint(code - 0xab70 + 0x13a0);
    } else if ((code >= 0x13a0 && code <= 0x13f5) || code === 0x1e9e) {
      made += code === 0x1e9e ? 'ss' : character;
    } else {
      made += charactersOf(character.toUpperCase())
        .map((part) => part.toLowerCase())
        .join('');
    }
  }
  return made;
}

/** Whether all cased characters are as `isRight` says, and one is there. */
function isCase(text: string, isWrong: (character: string) => boolean): boolean {
  let isFound = false;
  for (const character of text) {
    if (isWrong(character)) {
      return false;
    }
    isFound ||= upper.test(character) || lower.test(character);
  }
  return isFound;
}

export const isLower = (text: string): boolean =>
  isCase(text, (character) => upper.test(character) || title.test(character));
export const isUpper = (text: string): boolean =>
  isCase(text, (character) => lower.test(character) || title.test(character));

function isTitle(text: string): boolean {
  let wasCased = false;
  let isFound = false;
  for (const character of text) {
    const isCapital = upper.test(character) || title.test(character);
    const isSmall = lower.test(character);
    if ((isCapital && wasCased) || (isSmall && !wasCased)) {
      return false;
    }
    wasCased = isCapital || isSmall;
    isFound ||= wasCased;
  }
  return isFound;
}

/** Numbers of the kind `Digit` that are no decimals. */
const digits =
  /[\p{Nd}²³¹፩-፱᧚⁰⁴-⁹₀-₉①-⑨⑴-⑼⒈-⒐⓪⓵-⓽⓿❶-❾➀-➈➊-➒\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]/u;

/** Letters of Chinese that are numbers. */
const numerals =
  /[\p{N}㐅㒃㠪㭍一七万三九二五亖亿什仟仨伍佰億兆兩八六十千卄卅卌叁参參叄四壱壹幺廾廿弌弍弎弐拾捌柒漆玖百肆萬貮貳贰阡陆陌陸零\u{f96b}\u{f973}\u{f978}\u{f9b2}\u{f9d1}\u{f9d3}\u{f9fd}\u{20001}\u{20064}\u{200e2}\u{20121}\u{2092a}\u{20983}\u{2098c}\u{2099c}\u{20aea}\u{20afd}\u{20b19}\u{22390}\u{22998}\u{23b1b}\u{2626d}\u{2f890}]/u;

const every = (pattern: RegExp, whenEmpty = false) =>
  method<string>('/', (text, _, { budget }) => {
    budget.work(text.length);
    return text === ''
      ? whenEmpty
      : charactersOf(text).every((character) => pattern.test(character));
  });

/** Makes a text that may be up to three times as long. */
const made = (make: (text: string) => string) =>
  method<string>('/', (text, _, { budget }) => {
    budget.takeText(text.length);
    return make(text);
  });

const asked = (ask: (text: string) => boolean) =>
  method<string>('/', (text, _, { budget }) => {
    budget.work(text.length);
    return ask(text);
  });

export const caseMethods: Methods<string> = {
  upper: made((text) => text.toUpperCase()),
  lower: made((text) => text.toLowerCase()),
  capitalize: made(capitalized),
  title: made(inTitleCase),
  casefold: made(caseFolded),
  swapcase: made((text) =>
    charactersOf(text)
      .map((one) =>
        upper.test(one) ? one.toLowerCase() : lower.test(one) ? one.toUpperCase() : one,
      )
      .join(''),
  ),
};

export const askMethods: Methods<string> = {
  islower: asked(isLower),
  isupper: asked(isUpper),
  istitle: asked(isTitle),
  isidentifier: asked((text) => /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text)),
  isalpha: every(/\p{L}/u),
  isdecimal: every(/\p{Nd}/u),
  isdigit: every(digits),
  isnumeric: every(numerals),
  isalnum: every(/[\p{L}\p{N}]/u),
  isspace: every(new RegExp(`[${spaceClass}]`)),
  isascii: every(/\p{ASCII}/u, true),
  isprintable: every(/[^\p{C}\p{Z}]| /u, true),
};
