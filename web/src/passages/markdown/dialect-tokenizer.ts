// Marked's rules, and those of the dialects of Markdown that documentation is written in: attributes in braces, containers between
// lines of colons, footnotes and formulas.
import type { Tokens } from 'marked';
import { BoundedTokenizer } from './bounded-tokenizer.ts';
import { fenceOf, fenceWithin } from './container.ts';

/** A formula between dollar signs. Prices are none: a formula has no space within its signs, and no letter or digit behind them. */
const formula =
  /^(?:\$\$([\s\S]+?)\$\$|\$(?![\s$])((?:[^$\\\n]|\\[^\n]|\n(?!\n))*?(?:[^\s\\$]|\\\S))\$(?!\w))/;

export interface Formula {
  readonly type: 'formula';
  readonly raw: string;
  readonly text: string;
}

export class DialectTokenizer extends BoundedTokenizer {
  /** Marked calls this before it reads a paragraph. The line of a container is a token of its own. */
  override lheading(source: string): Tokens.Heading | undefined {
    const fence = fenceOf(source);
    if (!fence) {
      const end = fenceWithin(source);
      return super.lheading(end < 0 ? source : source.slice(0, end + 1));
    }
    const { raw, title } = fence;
    const token = { type: 'container', raw, text: title, tokens: this.lexer.inline(title) };
    return token as unknown as Tokens.Heading;
  }

  /** A footnote is text, not the address of a link. */
  override def(source: string): Tokens.Def | undefined {
    const token = super.def(source);
    return token?.tag.startsWith('^') ? undefined : token;
  }

  /** Marked calls this first for each inline sign. */
  override escape(source: string): Tokens.Escape | undefined {
    const [raw = '', displayed, inline] = source.startsWith('$')
      ? (formula.exec(source) ?? [])
      : [];
    if (raw === '') {
      return super.escape(source);
    }
    const token: Formula = { type: 'formula', raw, text: (displayed ?? inline ?? '').trim() };
    return token as unknown as Tokens.Escape;
  }

  /** Ends before a formula. */
  override inlineText(source: string): Tokens.Text | undefined {
    const formulaAt = source.indexOf('$', 1);
    return super.inlineText(formulaAt < 0 ? source : source.slice(0, formulaAt));
  }
}
