// Joins the lines of a paragraph. A hyphen at the end of a line belongs to a word, or it shows that the word goes on.

/** What a line may end in within a word: signs of this kind after a letter or a digit. */
const hyphens = /[-\u00ad\u2010\u2011–]$/u;
const lastWord = /[\p{L}\p{N}\p{M}'’]+(?=.$)/u;
const firstWord = /^[\p{L}\p{N}\p{M}]+/u;
const words = /[\p{L}\p{N}\p{M}'’]+(?:-[\p{L}\p{N}\p{M}'’]+)*/gu;
/** Longer words are not looked at as a whole. */
const maxWord = 64;
/** A hyphen before one of these words stands for a part that is left out: `two- and three-fold`, `Ein- und Ausgang`. */
const joiningWord =
  /^(?:and|or|to|und|oder|bis|et|ou|à|y|o|e|og|och|eller|en|of|tot|ja|tai|ve|i|lub|a|nebo|и|или|і|та|або)$/u;
/** Small words within words such as `state-of-the-art`. */
const innerWord = /^(?:of|to|in|the|by|a|and|on|up|out|off|for|at)-\p{L}/iu;
/** First parts of words that mostly have a hyphen, and the ends that make a word of them without one. */
const hyphenated = /^(?:self|well)$/u;
const suffix = /^(?:ish|less|ness|ing|ings|ed|er|ers)$/u;

/** A word that is parted by the end of a line, in small letters. */
interface CutWord {
  readonly first: string;
  readonly last: string;
  readonly hyphen: string;
}

/** Knows how the words of a document that stand at the ends of lines are written elsewhere. */
export class LineEnds {
  readonly #found = new Map<string, number>();

  /** `lines` gives those of the whole document, twice. */
  constructor(lines: () => Iterable<string>) {
    let before = '';
    for (const line of lines()) {
      const word = cutWord(before, line);
      if (word) {
        this.#found.set(`${word.first}${word.last}`, 0);
        this.#found.set(`${word.first}-${word.last}`, 0);
      }
      before = line;
    }
    if (this.#found.size > 0) {
      this.#count(lines());
    }
  }

  #count(lines: Iterable<string>): void {
    for (const line of lines) {
      for (const [word] of line.toLowerCase().matchAll(words)) {
        const found = this.#found.get(word);
        if (found !== undefined) {
          this.#found.set(word, found + 1);
        }
      }
    }
  }

  /** The line, without a hyphen that only shows that the word goes on, and with a space if the next line does not belong
   *  to the same word. */
  ended(line: string, next: string): string {
    const word = cutWord(line, next);
    if (!word || (joiningWord.test(word.last) && !innerWord.test(next))) {
      return `${line} `;
    }
    return this.#keepsHyphen(line, next, word) ? line : line.slice(0, -1);
  }

  #keepsHyphen(line: string, next: string, { first, last, hyphen }: CutWord): boolean {
    if (hyphen === '\u00ad' || hyphen === '\u2011' || hyphen === '–') {
      return hyphen !== '\u00ad';
    }
    const joined = this.#found.get(`${first}${last}`) ?? 0;
    const parted = this.#found.get(`${first}-${last}`) ?? 0;
    if (joined !== parted) {
      return parted > joined;
    }
    const tail = line.slice(-maxWord);
    // Syllables of a word in capitals are in capitals, too.
    const isShouted = /\p{Lu}{2}.$/u.test(tail) && /^\p{Lu}{2}/u.test(next);
    const goesOn = /^\p{Ll}/u.test(next) || isShouted;
    const isCompound = /[\p{L}\p{N}][-\u2010][\p{L}\p{N}\p{M}'’]+.$/u.test(tail);
    const isUsual = hyphenated.test(first) && !suffix.test(last);
    return !goesOn || isCompound || isUsual || innerWord.test(next) || /\p{N}$/u.test(first);
  }
}

function cutWord(line: string, next: string): CutWord | undefined {
  if (!hyphens.test(line.slice(-1))) {
    return undefined;
  }
  const first = lastWord.exec(line.slice(-maxWord))?.[0];
  const last = firstWord.exec(next.slice(0, maxWord))?.[0];
  if (first === undefined || last === undefined) {
    return undefined;
  }
  return { first: first.toLowerCase(), last: last.toLowerCase(), hyphen: line.slice(-1) };
}
