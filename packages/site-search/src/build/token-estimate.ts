// How many tokens a text has, about, where no model is there to count them: pages are then cut as if a model read them.

/** A word has a token for each of so many letters begun. */
const lettersOfToken = 6;
/** From here on, most scripts write words without spaces, and each of their signs is a token. */
const firstSign = 0x2e80;

export function estimatedTokens(text: string): number {
  let tokens = 0;
  let letters = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isLetter(code)) {
      tokens += letters % lettersOfToken === 0 ? 1 : 0;
      letters++;
      continue;
    }
    letters = 0;
    tokens += isSpace(code) ? 0 : 1;
  }
  return tokens;
}

/** ASCII letters and digits, and all other characters that are written as words with spaces. */
const isLetter = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0xc0 && code < firstSign);

const isSpace = (code: number): boolean => code <= 0x20 || code === 0xa0;
