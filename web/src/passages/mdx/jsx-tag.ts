// Reads a tag of JSX.

/** Returns the index behind the bracket that closes the one at `begin`, or -1. */
type FindEnd = (begin: number) => number;

export interface JsxTag {
  readonly name: string;
  /** The index behind the tag. */
  readonly end: number;
  readonly kind: 'open' | 'close' | 'empty';
  /** What the tag shows, such as its title. */
  readonly shown: string;
}

const start = /<(\/?)([A-Za-z_$][\w.$:-]*)?(?=[\s/>])/y;
const attribute = /\s*([\w$:.@-]+)(?:\s*=\s*("[^"]*"|'[^']*'|(?=\{)))?/y;
const space = /\s*/y;
/** Attributes that most components show as text. */
const shownNames = new Set('title label alt summary heading caption description'.split(' '));
const literal = /^\{\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*\}$/;
const voidElements = new Set(
  'area br col embed hr img input link meta source track wbr'.split(' '),
);
const maxAttributes = 1000;

/** Undefined where no tag begins. */
export function jsxTagAt(text: string, begin: number, endOfBrackets: FindEnd): JsxTag | undefined {
  start.lastIndex = begin;
  const [whole, slash, name = ''] = start.exec(text) ?? [];
  if (whole === undefined) {
    return undefined;
  }
  let at = begin + whole.length;
  const shown: string[] = [];
  for (let left = maxAttributes; left > 0; left--) {
    at = after(space, text, at);
    if (text[at] === '>') {
      return { name, end: at + 1, kind: kindOf(slash === '/', name), shown: shown.join(' ') };
    }
    if (text.startsWith('/>', at)) {
      return { name, end: at + 2, kind: 'empty', shown: shown.join(' ') };
    }
    const next = name === '' ? -1 : endOfAttribute(text, at, shown, endOfBrackets);
    if (next < 0) {
      return undefined;
    }
    at = next;
  }
  return undefined;
}

/** The text of an expression in braces that is a text, or an empty text. */
export function literalText(braced: string): string {
  const [, double, single, template] = literal.exec(braced) ?? [];
  return double ?? single ?? template ?? '';
}

function endOfAttribute(text: string, at: number, shown: string[], endOfBrackets: FindEnd): number {
  if (text[at] === '{') {
    return endOfBrackets(at);
  }
  attribute.lastIndex = at;
  const [whole = '', name = '', value] = attribute.exec(text) ?? [];
  if (whole === '') {
    return -1;
  }
  const end = at + whole.length;
  const isBraced = value === '';
  const valueEnd = isBraced ? endOfBrackets(end) : end;
  if (value !== undefined && valueEnd >= 0 && shownNames.has(name)) {
    shown.push(isBraced ? literalText(text.slice(end, valueEnd)) : value.slice(1, -1));
  }
  return valueEnd;
}

function kindOf(isClosing: boolean, name: string): JsxTag['kind'] {
  if (isClosing) {
    return 'close';
  }
  return voidElements.has(name) ? 'empty' : 'open';
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
