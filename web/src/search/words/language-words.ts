// The words of the passages in one language.
import type { Yielder } from '../../base/yielder.ts';
import { foldWord } from './fold.ts';
import { functionWordsOf } from './function-words.ts';
import { stemmerOf } from './languages.ts';
import { wordsInside } from './names.ts';
import { passageTerms, queryTerms, type Term } from './terms.ts';
import { type PlacedWord, WordTable } from './word-table.ts';

export interface Entry {
  readonly id: number;
  readonly text: string;
}

/** A word inside of another one, such as `user` in `getUserById`, counts so much. */
const insideCount = 0.5;
/** So many words are remembered with their stems: most words of a text come again. */
const mostRemembered = 100_000;

const words = (terms: readonly Term[]): string[] => terms.map(({ word }) => word);
export const passageWords = (text: string): string[] => words(passageTerms(text.normalize('NFKC')));
export const queryWords = (query: string): string[] => words(queryTerms(query.normalize('NFKC')));

export class LanguageWords {
  readonly code: string;
  readonly table = new WordTable();
  /** In lower case and in plain letters. */
  readonly foldOf: (word: string) => string;
  /** What all forms of a word have in common. */
  readonly stemOf: (word: string) => string;
  /** Whether the word says nothing beside others. It is in lower case. */
  readonly isFunctionWord: (word: string) => boolean;

  private constructor(code: string, stem: (word: string) => string) {
    this.code = code;
    const functionWords = functionWordsOf(code);
    const lower = (word: string) => word.toLocaleLowerCase(code);
    this.foldOf = remembered((word) => foldWord(lower(word), code));
    this.stemOf = remembered((word) => foldWord(stem(lower(word)), code));
    this.isFunctionWord = (word) => functionWords.has(lower(word));
  }

  static async of(code: string): Promise<LanguageWords> {
    return new LanguageWords(code, await stemmerOf(code));
  }

  /** Other tasks of the page run meanwhile. */
  async add(entries: readonly Entry[], yielder: Yielder): Promise<void> {
    for (const { id, text } of entries) {
      await yielder.yieldIfDue();
      const written = passageWords(text);
      this.table.add(id, written.length, this.#placed(written));
    }
  }

  *#placed(written: readonly string[]): Generator<PlacedWord> {
    for (const word of written) {
      yield { stem: this.stemOf(word), form: this.foldOf(word), count: 1 };
      for (const inside of wordsInside(word)) {
        yield { stem: this.stemOf(inside), form: this.foldOf(inside), count: insideCount };
      }
    }
  }
}

function remembered(of: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const made = known.get(word) ?? of(word);
    if (known.size >= mostRemembered) {
      known.clear();
    }
    known.set(word, made);
    return made;
  };
}
