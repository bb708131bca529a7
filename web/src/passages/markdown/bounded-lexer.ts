// Splits Markdown into tokens with marked. Its work grows with the square of some parts, so these are limited.
import { getDefaults, Lexer, type Token, Tokenizer, type Tokens, type TokensList } from 'marked';
import { AmbryError } from '../../errors.ts';

/** Longer paragraphs are read in pieces. Emphasis and links over a cut stay as they are written. */
const maxInlineUnits = 1 << 14;
/** How often a quotation may go on without its marker. A new quotation begins then. */
const maxLazyRuns = 100;
/** A table may have so many cells without text, and one more for each code unit. */
const freeCells = 100_000;

export function lexMarkdown(text: string): TokensList {
  return new BoundedLexer({ ...getDefaults(), gfm: true, tokenizer: new BoundedTokenizer() }).lex(
    text,
  );
}

class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= maxInlineUnits) return super.inlineTokens(source, tokens);
    for (const piece of piecesOf(source)) super.inlineTokens(piece, tokens);
    return tokens;
  }
}

class BoundedTokenizer extends Tokenizer {
  override blockquote(source: string): Tokens.Blockquote | undefined {
    return super.blockquote(source.slice(0, endOfQuote(source)));
  }

  /** Missing cells of a row are filled in. */
  override table(source: string): Tokens.Table | undefined {
    const header = source.slice(0, (source.indexOf('\n') + 1 || source.length + 1) - 1);
    const columns = header.split('|').length;
    if (columns > Math.sqrt(freeCells)) checkCells(source, columns);
    return super.table(source);
  }
}

/** Cuts at white space where there is some. */
function* piecesOf(source: string): Generator<string> {
  for (let at = 0; at < source.length; ) {
    const limit = at + maxInlineUnits;
    let end = Math.max(source.lastIndexOf('\n', limit), source.lastIndexOf(' ', limit)) + 1;
    if (limit >= source.length) end = source.length;
    else if (end <= at + maxInlineUnits / 2) end = limit;
    yield source.slice(at, end);
    at = end;
  }
}

/** Where a quotation ends that goes on without its marker too often: `> a`, `b`, `> c`, `d`, … */
function endOfQuote(source: string): number {
  if (!/^ {0,3}>/.test(source)) return source.length;
  let runs = 0;
  let wasQuote = true;
  for (let at = 0; at < source.length; ) {
    const found = source.indexOf('\n', at);
    const end = found < 0 ? source.length : found;
    const isQuote = /^ {0,3}>/.test(source.slice(at, Math.min(end, at + 5)));
    if (!isQuote && source.slice(at, end).trim() === '') return source.length;
    if (isQuote && !wasQuote && ++runs > maxLazyRuns) return at;
    wasQuote = isQuote;
    at = end + 1;
  }
  return source.length;
}

function checkCells(source: string, columns: number): void {
  const end = source.indexOf('\n\n');
  const table = end < 0 ? source : source.slice(0, end);
  const rows = table.split('\n').length;
  if (rows * columns <= freeCells + 2 * table.length) return;
  const message = `A table has ${columns - 1} columns and ${rows} rows, and most cells are missing. Fill them in, or split the table.`;
  throw new AmbryError('LimitExceeded', message);
}
