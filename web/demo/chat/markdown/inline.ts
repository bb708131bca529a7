// Turns marked's tokens of emphasis, code and links into plain data. Raw HTML stays text, and a picture becomes a link.

import type { Token, Tokens } from 'marked';
import { type Inline, maxDepth, maxNodes } from './document.ts';

/** Counts the elements of one text. */
export class NodeBudget {
  #left = maxNodes;

  /** Throws a `RangeError` when the text has too many elements. */
  take(): void {
    this.#left -= 1;
    if (this.#left < 0) {
      throw new RangeError('The text has too many elements.');
    }
  }
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Replaces the entities that answers use. Others stay as they are written. */
export function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,4}));/g, (all, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) {
      return namedEntities[name] ?? all;
    }
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

function linkOf(href: string, inside: readonly Inline[]): Inline {
  return { kind: 'link', href: withoutEntities(href), inside };
}

function inlineOf(token: Token, depth: number, budget: NodeBudget): readonly Inline[] {
  budget.take();
  const inside = () => inlinesOf(token, depth + 1, budget);
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [{ kind: token.type, inside: inside() }];
    case 'codespan':
      return [{ kind: 'code', text: (token as Tokens.Codespan).text }];
    case 'br':
      return [{ kind: 'break' }];
    case 'link':
      return [linkOf((token as Tokens.Link).href, inside())];
    case 'image': {
      const { href, text } = token as Tokens.Image;
      return [linkOf(href, [withoutEntities(text) || href])];
    }
    case 'text':
      return 'tokens' in token && token.tokens ? inside() : [withoutEntities(token.text)];
    case 'escape':
      return [(token as Tokens.Escape).text];
    case 'checkbox':
      return [];
    default:
      return [token.raw];
  }
}

/** What stands inside a token. Where it is nested too deeply, its text as it is written. */
export function inlinesOf(
  token: { readonly tokens?: Token[] | undefined; readonly raw: string },
  depth: number,
  budget: NodeBudget,
): readonly Inline[] {
  if (depth > maxDepth || token.tokens === undefined) {
    return [token.raw];
  }
  return token.tokens.flatMap((inner) => inlineOf(inner, depth, budget));
}
