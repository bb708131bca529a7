// Splits HTML into tags and text, as the HTML standard does ("tokenization"). Comments are left out.
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';

export type Token = 'text' | 'start' | 'end' | 'eof';

/** What begins after a `<`. Any other `<` is text. */
const markup = /<(?:[a-z!?]|\/(?=[\s\S]))/gi;
const nameEnd = /[\t\n\f />]/g;
const commentEnd = /--!?>/g;
const scriptPart = /<!--|-->|<\/?script(?=[\t\n\f />])/gi;
/** The text in these has no tags. That of the second has character references. */
const rawText = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);
const escapableText = new Set(['title', 'textarea']);
/** The attributes that are read. */
const readAttributes = new Set('alt alttext aria-hidden class encoding role start'.split(' '));
const maxAttributeUnits = 11;
/** Longer names are of no element that is known. */
const maxNameUnits = 16;

const [tab, lineFeed, formFeed, space, slash, equals, greater] = [9, 10, 12, 32, 47, 61, 62];
const [quote, apostrophe] = [34, 39];

export interface Place {
  readonly at: number;
  readonly line: number;
  readonly lineFeed: number;
}

export class HtmlScanner {
  /** The name of the tag in lower case. */
  name = '';
  /** Whether the tag ends in `/>`. */
  isSelfClosing = false;
  /** The text of a text. */
  value = '';
  /** The attributes of the tag that are read, with their quotes and character references. */
  readonly #attributes = new Map<string, string>();
  /** The line where the token begins. */
  line: number;
  /** Where the next token begins. */
  at = 0;
  readonly #text: string;
  /** The next line feed that is not counted. */
  #lineFeed: number;

  /** The text begins at `line`, and has no carriage returns. */
  constructor(text: string, line: number) {
    this.#text = text;
    this.line = line;
    this.#lineFeed = this.#lineFeedFrom(0);
  }

  next(): Token {
    for (;;) {
      const begin = this.at;
      if (begin >= this.#text.length) {
        return 'eof';
      }
      this.#countLines(begin);
      markup.lastIndex = begin;
      const found = markup.exec(this.#text);
      if (!found || found.index > begin) {
        this.at = found?.index ?? this.#text.length;
        this.#setText(begin, this.at);
        return 'text';
      }
      const token = this.#markup(begin, found[0]);
      if (token) {
        return token;
      }
    }
  }

  /** The value of an attribute of the tag, or an empty text. */
  attribute(name: string): string {
    const value = this.#attributes.get(name);
    return value === undefined ? '' : decodeHTMLAttribute(withoutQuotes(value));
  }

  /** Where the next token begins, to go back there. */
  get place(): Place {
    return { at: this.at, line: this.line, lineFeed: this.#lineFeed };
  }

  goTo({ at, line, lineFeed }: Place): void {
    this.at = at;
    this.line = line;
    this.#lineFeed = lineFeed;
  }

  /** Reads the text of an element that has no tags in it, and goes behind its end tag. */
  skipRawText(name: string): string | undefined {
    const isRaw = rawText.has(name);
    if (!isRaw && !escapableText.has(name)) {
      return undefined;
    }
    const begin = this.at;
    const end = name === 'script' ? this.#endOfScript() : this.#endOfRaw(name);
    this.at = end;
    if (end < this.#text.length) {
      this.#skipTag(end + 2 + name.length);
    }
    const text = this.#text.slice(begin, end);
    return isRaw || !text.includes('&') ? text : decodeHTML(text);
  }

  #setText(begin: number, end: number): void {
    const text = this.#text.slice(begin, end);
    this.value = text.includes('&') ? decodeHTML(text) : text;
  }

  /** Returns undefined for what is no token, such as a comment. */
  #markup(begin: number, found: string): Token | undefined {
    const sign = found[1] ?? '';
    if (sign === '/') {
      return this.#endTag(begin + 2);
    }
    if (sign === '!' || sign === '?') {
      this.#skipComment(begin + 2);
      return undefined;
    }
    return this.#tag(begin + 1) ? 'start' : 'eof';
  }

  #endTag(begin: number): Token | undefined {
    if (/[a-z]/i.test(this.#text[begin] ?? '')) {
      return this.#tag(begin) ? 'end' : 'eof';
    }
    this.#skipTo('>', begin);
    return undefined;
  }

  #skipComment(begin: number): void {
    if (!this.#text.startsWith('--', begin)) {
      this.#skipTo('>', begin);
      return;
    }
    // The dashes of `<!-->` and `<!--->` are also those of its end.
    commentEnd.lastIndex = begin;
    const early = /^--(?:>|->)/.exec(this.#text.slice(begin, begin + 4));
    commentEnd.lastIndex = begin + 2;
    const end = early
      ? begin + early[0].length
      : commentEnd.exec(this.#text) && commentEnd.lastIndex;
    this.at = end ?? this.#text.length;
  }

  #skipTo(sign: string, from: number): void {
    const found = this.#text.indexOf(sign, from);
    this.at = found < 0 ? this.#text.length : found + 1;
  }

  /** Returns false if the text ends within the tag. */
  #tag(begin: number): boolean {
    nameEnd.lastIndex = begin;
    const end = nameEnd.exec(this.#text)?.index ?? this.#text.length;
    const isKnown = end - begin <= maxNameUnits;
    this.name = isKnown ? this.#text.slice(begin, end).toLowerCase() : '';
    return this.#skipTag(end);
  }

  /** Goes behind the `>` of a tag whose name ends at `from`. Of two attributes with one name, the first counts. */
  #skipTag(from: number): boolean {
    const text = this.#text;
    let at = from;
    this.#attributes.clear();
    for (;;) {
      let code = text.charCodeAt(at);
      this.isSelfClosing = false;
      while (isSpace(code) || code === slash) {
        this.isSelfClosing = code === slash;
        code = text.charCodeAt(++at);
      }
      if (at >= text.length || code === greater) {
        break;
      }
      const nameBegin = at++;
      at = endOfName(text, at);
      const name = readName(text, nameBegin, at);
      at = skipSpaces(text, at);
      let value = '';
      if (text.charCodeAt(at) === equals) {
        const begin = skipSpaces(text, at + 1);
        at = endOfValue(text, begin);
        value = name === undefined ? '' : text.slice(begin, at);
      }
      if (name !== undefined && !this.#attributes.has(name)) {
        this.#attributes.set(name, value);
      }
    }
    this.at = Math.min(at + 1, text.length);
    return at < text.length;
  }

  #endOfRaw(name: string): number {
    const text = this.#text;
    if (name === 'plaintext') {
      return text.length;
    }
    for (let at = text.indexOf('</', this.at); at >= 0; at = text.indexOf('</', at + 2)) {
      const end = at + 2 + name.length;
      const isEnd = isSpace(text.charCodeAt(end)) || /[/>]/.test(text[end] ?? '');
      if (isEnd && text.slice(at + 2, end).toLowerCase() === name) {
        return at;
      }
    }
    return text.length;
  }

  /** A script in a comment in a script does not end it. */
  #endOfScript(): number {
    scriptPart.lastIndex = this.at;
    let depth = 0;
    for (let found = scriptPart.exec(this.#text); found; found = scriptPart.exec(this.#text)) {
      const part = found[0].toLowerCase();
      if (part === '<!--') {
        depth = Math.max(depth, 1);
      } else if (part === '-->') {
        depth = 0;
      } else if (part === '<script') {
        depth = depth === 0 ? 0 : 2;
      } else if (depth < 2) {
        return found.index;
      } else {
        depth = 1;
      }
    }
    return this.#text.length;
  }

  #countLines(to: number): void {
    while (this.#lineFeed < to) {
      this.line++;
      this.#lineFeed = this.#lineFeedFrom(this.#lineFeed + 1);
    }
  }

  #lineFeedFrom(at: number): number {
    const found = this.#text.indexOf('\n', at);
    return found < 0 ? Infinity : found;
  }
}

function isSpace(code: number): boolean {
  return code === space || code === lineFeed || code === tab || code === formFeed;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) {
    at++;
  }
  return at;
}

function endOfName(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || code === slash || code === greater || code === equals) {
      break;
    }
  }
  return at;
}

/** The name of an attribute that is read. */
function readName(text: string, begin: number, end: number): string | undefined {
  if (end - begin > maxAttributeUnits) {
    return undefined;
  }
  const name = text.slice(begin, end).toLowerCase();
  return readAttributes.has(name) ? name : undefined;
}

/** The end of a value with its quotes. */
function endOfValue(text: string, begin: number): number {
  const first = text.charCodeAt(begin);
  if (first === quote || first === apostrophe) {
    const end = text.indexOf(first === quote ? '"' : "'", begin + 1);
    return end < 0 ? text.length : end + 1;
  }
  let at = begin;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || code === greater) {
      break;
    }
  }
  return at;
}

function withoutQuotes(value: string): string {
  return /^["']/.test(value) ? value.slice(1, -1) : value;
}
