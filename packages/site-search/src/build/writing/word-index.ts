// Collects the words of a site, and makes the shards of them.
import { functionWordsOf, lastWords } from 'ambry/terms';
import { otherForm } from '../../shared/english-plurals.ts';
import { wordsInside } from '../../shared/names.ts';
import { impactOf, type Posting, rarityOf } from '../../shared/postings.ts';
import { type Language, languageCode, languageOf } from '../../shared/stems.ts';
import { passageTerms } from '../../shared/terms.ts';
import { encodeEntry, keyOf, noStem, type StoredEntry } from '../../shared/word-shard.ts';
import { PrefixEntries } from './prefix-entries.ts';

/** Words of a heading or a title say more than those of the text: they count so many times as often. */
const headingWeight = 2;
const titleWeight = 3;
/** A word that more parts have than this share says little. Queries are searched without it, if they have other words. */
const commonShare = 0.5;
/** If more parts than this share have a word, only those where it counts most are listed. */
const frequentShare = 0.25;
const mostOfFrequent = 512;
/** If so many parts of a large site have a word, only those where it counts most are listed: what all of them take
 *  would be the most of an answer. */
const mostListed = 2048;
/** A word inside of another one, such as `user` in `getUserById`, counts so much. */
const pieceShare = 0.5;
/** With fewer parts, rare words may be in many of them. */
const commonFrom = 50;

interface WordField {
  readonly text: string;
  readonly weight: number;
}

/** The words of a part of a page. */
export interface PartWords {
  /** The tag of its language. */
  readonly language: string;
  /** Only the first part of a page has it. */
  readonly title?: string;
  readonly headings: readonly string[];
  readonly texts: readonly WordField[];
}

interface Word {
  readonly forms: Set<string>;
  readonly parts: number[];
  readonly frequencies: number[];
  /** Whether the word is in a heading or in the title. */
  readonly isName: boolean[];
}

interface KnownWord {
  readonly own: Word;
  readonly pieces: readonly Word[];
}

export class WordIndex {
  /** By the key. */
  readonly #words = new Map<string, Word>();
  /** By the language, and as it stands in texts. */
  readonly #byWriting = new Map<string, Map<string, KnownWord>>();
  readonly #languages = new Map<string, Language>();
  readonly #partsIn = new Map<string, number>();
  readonly #lengths: number[] = [];

  /** Parts are numbered in the order in which they are added. */
  async add({ language: tag, title = '', headings, texts }: PartWords): Promise<void> {
    const language = await this.#language(tag);
    const part = this.#lengths.length;
    let length = 0;
    const read = (text: string, weight: number, isName = false) => {
      for (const { word } of passageTerms(text.normalize('NFKC'))) {
        length++;
        const { own, pieces } = this.#known(word, language);
        count(own, part, weight, isName);
        for (const piece of pieces) {
          count(piece, part, weight * pieceShare, false);
        }
      }
    };
    read(title, titleWeight, true);
    for (const heading of headings) {
      read(heading, headingWeight, true);
    }
    for (const { text, weight } of texts) {
      read(text, weight);
    }
    this.#lengths.push(length);
    this.#partsIn.set(language.code, (this.#partsIn.get(language.code) ?? 0) + 1);
  }

  /** The number of parts in each language, by code. */
  get parts(): Record<string, number> {
    return Object.fromEntries([...this.#partsIn].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The stems of the words that say little, for each language. */
  get common(): Record<string, string[]> {
    const common = new Map([...this.#partsIn.keys()].sort().map((code) => [code, [] as string[]]));
    for (const [key, { parts }] of this.#words) {
      const [code = '', stem = ''] = key.split(' ');
      if (this.#isCommon(parts.length, code)) {
        common.get(code)?.push(stem);
      }
    }
    return Object.fromEntries([...common].map(([code, stems]) => [code, stems.sort()]));
  }

  /** The function words of each language, in the order of their letters. */
  get little(): Record<string, string[]> {
    const words = ({ code, fold }: Language) => [...new Set([...functionWordsOf(code)].map(fold))];
    const languages = [...this.#languages.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
    return Object.fromEntries(languages.map((one) => [one.code, words(one).sort()]));
  }

  /** Adds the last words of compounds, when all words of the site are known. */
  #addCompounds(): void {
    for (const [code, language] of this.#languages) {
      const own = [...this.#words].filter(([key]) => key.startsWith(keyOf(code, '')));
      const known = new Set(own.flatMap(([, { forms }]) => [...forms]));
      for (const [key, word] of own) {
        const ends = [...word.forms].flatMap((form) =>
          lastWords(form, code, (part) => known.has(part)),
        );
        for (const [end, form] of new Map(
          ends.map((one) => [keyOf(code, language.stem(one)), one]),
        )) {
          if (end !== key) {
            const old = this.#words.get(end);
            this.#words.set(end, merged(old, word, (old?.forms ?? new Set()).add(form)));
          }
        }
      }
    }
  }

  /** The words as they are written, in small letters: those that most parts have, and at most so many. */
  frequentForms(most: number): string[] {
    const sorted = [...this.#words.values()].sort((a, b) => b.parts.length - a.parts.length);
    return sorted.flatMap(({ forms }) => [...forms].sort()).slice(0, most);
  }

  /** All words in the order of their keys, with those for the first letters. */
  *entries(): Generator<StoredEntry> {
    this.#addCompounds();
    const mean = this.#lengths.reduce((sum, length) => sum + length, 0) / this.#lengths.length || 1;
    const prefixes = new PrefixEntries(this.#lengths.length);
    const little = new Map(Object.entries(this.little).map(([code, all]) => [code, new Set(all)]));
    for (const key of [...this.#words.keys()].sort()) {
      const { forms, parts, frequencies, isName } = this.#words.get(key) as Word;
      const [code = '', stem = ''] = key.split(' ');
      const inLanguage = this.#partsIn.get(code) ?? 0;
      const postings = parts.map((part, i): Posting => {
        const share = (this.#lengths[part] as number) / mean;
        return { part, impact: impactOf(frequencies[i] as number, share, isName[i] as boolean) };
      });
      if (![...forms].every((form) => little.get(code)?.has(form))) {
        prefixes.add(key, rarityOf(parts.length, inLanguage) / rarityOf(1, inLanguage), postings);
      }
      const written = forms.delete(stem) ? [...forms].sort() : [noStem, ...[...forms].sort()];
      const isFrequent = parts.length > frequentShare * inLanguage;
      const listed = heaviest(postings, isFrequent ? mostOfFrequent : mostListed);
      yield encodeEntry({
        key,
        holders: parts.length,
        forms: written,
        postings: listed,
      });
    }
    yield* prefixes.finish();
  }

  #isCommon(holders: number, code: string): boolean {
    const inLanguage = this.#partsIn.get(code) ?? 0;
    return inLanguage >= commonFrom && holders > commonShare * inLanguage;
  }

  /** A word as it stands in a text. Its stem and its pieces are found once. */
  #known(word: string, language: Language): KnownWord {
    const words = this.#byWriting.get(language.code) ?? new Map<string, KnownWord>();
    this.#byWriting.set(language.code, words);
    const before = words.get(word);
    if (before) {
      return before;
    }
    const own = this.#withForm(word, language);
    const other = language.code === 'en' ? otherForm(language.fold(word)) : undefined;
    const pieces = [...piecesOf(word), ...(other === undefined ? [] : [other])].map((piece) =>
      this.#withForm(piece, language),
    );
    const made = { own, pieces };
    words.set(word, made);
    return made;
  }

  #withForm(word: string, { code, stem, fold }: Language): Word {
    const key = keyOf(code, stem(word));
    const known = this.#words.get(key) ?? {
      forms: new Set(),
      parts: [],
      frequencies: [],
      isName: [],
    };
    this.#words.set(key, known);
    known.forms.add(fold(word));
    return known;
  }

  async #language(tag: string): Promise<Language> {
    const code = languageCode(tag);
    const known = this.#languages.get(code) ?? (await languageOf(code));
    this.#languages.set(code, known);
    return known;
  }
}

/** Parts are counted one after another. */
function count(word: Word, part: number, weight: number, isName: boolean): void {
  const { parts, frequencies, isName: names } = word;
  const last = parts.length - 1;
  if (parts[last] === part) {
    frequencies[last] = (frequencies[last] as number) + weight;
    names[last] ||= isName;
    return;
  }
  parts.push(part);
  frequencies.push(weight);
  names.push(isName);
}

/** The words in an identifier, and its ends: `user`, `by`, `id`, `userById` and `byId` of `getUserById`. */
function piecesOf(word: string): string[] {
  const inside = wordsInside(word);
  return [...inside, ...inside.slice(1, -1).map((_, i) => inside.slice(i + 1).join(''))];
}

/** The parts of both, in their order, with the frequencies of the second one as pieces. */
function merged(own: Word | undefined, { parts, frequencies }: Word, forms: Set<string>): Word {
  const all = new Map(
    own?.parts.map((part, i) => [part, [own.frequencies[i], own.isName[i]] as const]),
  );
  parts.forEach((part, i) => {
    const [frequency = 0, isName = false] = all.get(part) ?? [];
    all.set(part, [frequency + (frequencies[i] as number) * pieceShare, isName]);
  });
  const sorted = [...all].sort(([a], [b]) => a - b);
  return {
    forms,
    parts: sorted.map(([part]) => part),
    frequencies: sorted.map(([, [frequency]]) => frequency as number),
    isName: sorted.map(([, [, isName]]) => isName as boolean),
  };
}

function heaviest(postings: readonly Posting[], most: number): readonly Posting[] {
  if (postings.length <= most) {
    return postings;
  }
  const sorted = postings.toSorted((a, b) => b.impact - a.impact || a.part - b.part);
  return sorted.slice(0, most).sort((a, b) => a.part - b.part);
}
