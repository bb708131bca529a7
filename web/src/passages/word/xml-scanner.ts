// Splits XML into tags and texts, in any number of parts. Entities of a document's own are not expanded, so they cannot fill the
// memory.

export type Attributes = Readonly<Record<string, string>>;

/** What is called for each tag and text. A text may come in several parts. */
export interface XmlHandler {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
}

/** A longer tag is none, and is skipped. */
const maxTagUnits = 1 << 16;
const maxEntityUnits = 12;
const tag = /^<([^\s<>/!?]+)((?:\s+[^\s<>=/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/;
const endTag = /^<\/([^\s<>]+)\s*>/;
const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const entity = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi;
const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};
/** What these begin with is no tag, and how it ends. */
const others = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

export class XmlScanner {
  readonly #handler: XmlHandler;
  /** What may go on in the next part. */
  #rest = '';

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  write(part: string): void {
    this.#read(this.#rest + part, false);
  }

  end(): void {
    this.#read(this.#rest, true);
  }

  #read(text: string, isLast: boolean): void {
    let at = 0;
    while (at < text.length) {
      const next = text[at] === '<' ? this.#markup(text, at, isLast) : this.#text(text, at, isLast);
      if (next < 0) {
        break;
      }
      at = next;
    }
    this.#rest = text.slice(at);
  }

  /** Returns where the text ends, or -1 if it may go on. */
  #text(text: string, begin: number, isLast: boolean): number {
    const found = text.indexOf('<', begin);
    let end = found < 0 ? text.length : found;
    if (found < 0 && !isLast) {
      const open = text.lastIndexOf('&');
      end = open >= begin && text.length - open < maxEntityUnits ? open : end;
    }
    if (end === begin) {
      return -1;
    }
    this.#handler.text(decoded(text.slice(begin, end)));
    return end;
  }

  /** Returns where the markup ends, or -1 if it may go on. */
  #markup(text: string, begin: number, isLast: boolean): number {
    const other = others.find(([start]) => text.startsWith(start, begin));
    if (other) {
      return this.#other(text, begin, other, isLast);
    }
    if (text.startsWith('<!', begin)) {
      return endOfDeclaration(text, begin, isLast);
    }
    const pattern = text[begin + 1] === '/' ? endTag : tag;
    const window = text.slice(begin, begin + maxTagUnits);
    const found = pattern.exec(window);
    if (found) {
      this.#tag(found, pattern === endTag);
      return begin + found[0].length;
    }
    return !isLast && text.length - begin < maxTagUnits ? -1 : begin + 1;
  }

  #tag([, name = '', attributes = '', slash]: RegExpExecArray, isEnd: boolean): void {
    if (isEnd) {
      this.#handler.close(name);
      return;
    }
    this.#handler.open(name, attributes === '' ? {} : attributesOf(attributes));
    if (slash) {
      this.#handler.close(name);
    }
  }

  /** A comment without an end loses its begin only. */
  #other(
    text: string,
    begin: number,
    [start, stop]: readonly [string, string],
    isLast: boolean,
  ): number {
    const found = text.indexOf(stop, begin + start.length);
    if (found < 0) {
      return isLast ? begin + start.length : -1;
    }
    if (start === '<![CDATA[') {
      this.#handler.text(text.slice(begin + start.length, found));
    }
    return found + stop.length;
  }
}

/** `<!DOCTYPE a [<!ENTITY b "c">]>` */
function endOfDeclaration(text: string, begin: number, isLast: boolean): number {
  const end = text.indexOf('>', begin);
  const bracket = text.indexOf('[', begin);
  const hasList = bracket >= 0 && (end < 0 || bracket < end);
  const found = hasList ? /\]\s*>/.exec(text.slice(bracket)) : undefined;
  const last = found ? bracket + found.index + found[0].length : hasList || end < 0 ? -1 : end + 1;
  return last < 0 && isLast ? text.length : last;
}

function attributesOf(text: string): Attributes {
  const attributes: Record<string, string> = {};
  for (const [, name = '', double, single] of text.matchAll(attribute)) {
    attributes[name] = decoded(double ?? single ?? '');
  }
  return attributes;
}

function decoded(text: string): string {
  if (!text.includes('&')) {
    return text;
  }
  return text.replace(entity, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) {
      return named[name.toLowerCase()] ?? whole;
    }
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
  });
}
