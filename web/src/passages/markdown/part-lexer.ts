// Splits Markdown into tokens with marked. A document gives its tokens some at a time, because they take many times the
// memory of its text.
import { getDefaults, Lexer, type Links, type Token } from 'marked';
import { withoutAttributes } from './attributes.ts';
import { type BoundedTokenizer, Pause } from './bounded-tokenizer.ts';
import { fenceWithin } from './container.ts';
import { DialectTokenizer } from './dialect-tokenizer.ts';
import { plainToken } from './plain-text.ts';

/** Longer paragraphs are read in pieces. Emphasis and links over a cut stay as they are written. */
const maxInlineUnits = 1 << 14;
/** Tokens are handed out after so many code units. */
const partUnits = 1 << 16;

/** What begins all inline markup but addresses, and these are read as they are written. */
const inlineMarkup = /[\\`*_[<~&$]/;

/** Gives the tokens of the document in order, some at a time: those of about `units` code units. */
export function* lexMarkdown(text: string, units = partUnits): Generator<readonly Token[]> {
  const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  const lexer = new PartLexer(units);
  if (mayDefineLinks(source)) {
    lexer.tokens.links = linksIn(source, units);
  }
  yield* lexer.parts(source);
}

/** A link may stand before its definition. */
function linksIn(source: string, units: number): Links {
  const lexer = new PartLexer(units);
  for (const _ of lexer.blockParts(source)) {
    lexer.inlineQueue = [];
  }
  return lexer.tokens.links;
}

/** Most documents define no links, and are read once only. */
function mayDefineLinks(source: string): boolean {
  return source.includes(']:') && /^[\s>*+\d.)-]*\[/m.test(source);
}

class PartLexer extends Lexer {
  readonly #tokenizer: BoundedTokenizer;
  readonly #units: number;

  constructor(units: number) {
    const tokenizer = new DialectTokenizer(units);
    // A container may begin within a paragraph.
    const extensions = { startBlock: [fenceWithin], renderers: {}, childTokens: {} };
    super({ ...getDefaults(), gfm: true, tokenizer, extensions });
    this.#tokenizer = tokenizer;
    tokenizer.cutLists();
    this.#units = units;
  }

  /** Like `lex`, but some at a time. */
  *parts(source: string): Generator<Token[]> {
    for (const tokens of this.blockParts(source)) {
      for (const inline of this.inlineQueue) {
        this.#readInline(withoutAttributes(inline.src), inline.tokens);
      }
      this.inlineQueue = [];
      yield tokens;
    }
  }

  /** Gives one token for a text. `tokens` has its checkbox, if there is one. */
  #readInline(source: string, tokens: Token[]): void {
    this.state.inRawBlock = false;
    const pieces =
      source.length > maxInlineUnits && inlineMarkup.test(source) ? piecesOf(source) : [source];
    for (const piece of pieces) {
      tokens.push(plainToken(this.inlineTokens(piece)));
    }
  }

  /** Gives the tokens without the inline ones, which are in the queue. The last token of a part is given with the next
   *  part, because white space that follows may join it. */
  *blockParts(source: string): Generator<Token[]> {
    let last: Token[] = [];
    for (let rest = source; ; ) {
      const tokens = last;
      rest = this.#readPart(rest, tokens);
      last = rest === '' ? [] : tokens.splice(-1);
      yield tokens;
      if (rest === '') {
        return;
      }
    }
  }

  /** Adds tokens, and returns the text after them. */
  #readPart(source: string, tokens: Token[]): string {
    this.#tokenizer.pauseAt = source.length - this.#units;
    try {
      this.blockTokens(source, tokens);
      return '';
    } catch (error) {
      if (error instanceof Pause) {
        return error.rest;
      }
      throw error;
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (inlineMarkup.test(source)) {
      return super.inlineTokens(source, tokens);
    }
    tokens.push({ type: 'text', raw: source, text: source });
    return tokens;
  }
}

/** Cuts at white space where there is some. */
function* piecesOf(source: string): Generator<string> {
  for (let at = 0; at < source.length; ) {
    const limit = at + maxInlineUnits;
    let end = Math.max(source.lastIndexOf('\n', limit), source.lastIndexOf(' ', limit)) + 1;
    if (limit >= source.length) {
      end = source.length;
    } else if (end <= at + maxInlineUnits / 2) {
      end = limit;
    }
    yield source.slice(at, end);
    at = end;
  }
}
