// Ruby: small signs beside a text that tell how it is read. The text stays whole, because signs between its letters would hide
// its words. The readings follow in brackets where the next word ends.

const parts = new Set(['ruby', 'rb', 'rt', 'rtc', 'rp']);
/** A longer reading is a text whose end tag is missing. */
const maxReadingUnits = 500;
const maxDepth = 64;
const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;
const endsInEastAsian = new RegExp(`${eastAsian.source}$`, 'u');
const wordEnd = /[^\p{L}\p{M}\p{N}]/u;

export class Ruby {
  /** The elements that are open, outermost first. */
  #open: string[] = [];
  /** What is read of the element that is open, and of those before. */
  #part = '';
  #readings = '';
  /** Whether text follows the last reading. */
  #isApart = false;
  #endsInEastAsian = false;

  /** Whether there is anything to do for a text. */
  get isActive(): boolean {
    return this.#open.length > 0 || this.#readings !== '';
  }

  start(name: string): void {
    if (!parts.has(name) || this.#open.length > maxDepth) {
      return;
    }
    if (name === 'ruby') {
      this.#open.push(name);
    } else if (this.#open.length > 0) {
      const holders = name === 'rt' || name === 'rp' ? ['ruby', 'rtc'] : ['ruby'];
      this.#closeTo(this.#open.findLastIndex((each) => holders.includes(each)));
      this.#open.push(name);
    }
  }

  end(name: string): void {
    if (parts.has(name) && this.#open.includes(name)) {
      this.#closeTo(this.#open.lastIndexOf(name) - 1);
    }
  }

  /** Returns what a text adds to the text of the page. */
  read(text: string): string {
    const top = this.#open.at(-1);
    if (top === 'rp') {
      return '';
    }
    if (top === 'rt' || top === 'rtc') {
      this.#part += text;
      return this.#part.length > maxReadingUnits ? this.#giveUp() : '';
    }
    const base = top === undefined ? text : this.#baseOf(text);
    if (base !== '') {
      this.#endsInEastAsian = endsInEastAsian.test(base);
    }
    return this.#withReadings(base);
  }

  /** A block ends: returns the readings that are left. */
  finish(): string {
    if (this.#open.length > 0) {
      this.#closeTo(-1);
    }
    return this.#bracketed();
  }

  #closeTo(index: number): void {
    if (this.#part !== '') {
      this.#addReading(this.#part.trim());
      this.#part = '';
    }
    this.#open.length = index + 1;
  }

  #addReading(reading: string): void {
    const isJoined = !this.#isApart && eastAsian.test(reading);
    const space = isJoined || this.#readings === '' || reading === '' ? '' : ' ';
    this.#readings += space + reading;
    this.#isApart = false;
  }

  /** Spaces that lay out the source of East Asian text are no part of it. */
  #baseOf(text: string): string {
    if (eastAsian.test(text)) {
      return text.trim();
    }
    return this.#endsInEastAsian && text.trim() === '' ? '' : text;
  }

  #withReadings(text: string): string {
    if (this.#readings === '' || text === '') {
      return text;
    }
    const end = this.#open.length > 0 ? -1 : text.search(wordEnd);
    if (end >= 0) {
      return text.slice(0, end) + this.#bracketed() + text.slice(end);
    }
    this.#isApart ||= this.#open.length === 0;
    // Without an end of a word, the readings would be of any length.
    return this.#readings.length > maxReadingUnits ? text + this.#bracketed() : text;
  }

  #bracketed(): string {
    const readings = this.#readings;
    this.#readings = '';
    this.#isApart = false;
    if (readings === '') {
      return '';
    }
    return eastAsian.test(readings) ? `（${readings}）` : ` (${readings})`;
  }

  #giveUp(): string {
    const text = this.#part;
    this.#part = '';
    this.#open = [];
    return ` ${text}`;
  }
}
