// Reads the pieces of text of a page with PDF.js, part by part, because a few bytes of a file may unpack to any amount of
// text.
import { AmbryError } from '../../base/errors.ts';
import type { Mark, Page, TextItem } from './pdfjs.ts';

/** What was read of a document so far. */
export interface Tally {
  /** Characters without a Unicode mapping. */
  unmapped: number;
  /** Code units of text. */
  units: number;
  /** Fields of forms. */
  fields: number;
}

/** The limit of what a small file may unpack to. */
const maxTextUnits = 1 << 26;

export async function itemsOf(page: Page, n: number, tally: Tally): Promise<TextItem[]> {
  const items: TextItem[] = [];
  const meaning = new ActualTexts();
  const reader = page.streamTextContent({ includeMarkedContent: true }).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const each of part.value.items) {
      const item = 'str' in each ? meaning.of(each) : meaning.at(each);
      if (item) {
        items.push(item);
        // An item takes memory even if its text is short.
        countText(item.str.length + 1, n, tally);
      }
    }
  }
  return items;
}

export function countText(units: number, n: number, tally: Tally): void {
  tally.units += units;
  if (tally.units > maxTextUnits) {
    const message = `The PDF has more than 64 million characters of text by page ${n}. Split it into smaller files.`;
    throw new AmbryError('LimitExceeded', message, { path: `page ${n}` });
  }
}

/** Puts the meaning of marked content in the place of its letters. A file states it where the letters are not those of the
 *  text, such as in a ligature, a drop cap or a hyphen at the end of a line. */
class ActualTexts {
  /** Levels of marked content, from the outermost that has a meaning. */
  #depth = 0;
  /** The meaning, until the first letters. */
  #pending: string | undefined;

  at({ type, actualText }: Mark): undefined {
    if (this.#depth > 0) {
      this.#depth += type === 'endMarkedContent' ? -1 : 1;
    } else if (typeof actualText === 'string') {
      this.#depth = 1;
      this.#pending = actualText;
    }
  }

  of(item: TextItem): TextItem {
    if (this.#depth === 0) {
      return item;
    }
    const isFirst = item.str.trim() !== '' && this.#pending !== undefined;
    const str = isFirst ? (this.#pending ?? '') : '';
    if (isFirst) {
      this.#pending = undefined;
    }
    return { ...item, str };
  }
}
