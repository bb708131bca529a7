// Reads Markdown with marked's lexer. It runs in a worker, because some texts take the lexer very long.

import { getDefaults, Lexer, type Token, type Tokens } from 'marked';
import { type Block, maxDepth } from './document.ts';
import { inlinesOf, NodeBudget } from './inline.ts';

/** The top-level blocks of a text. Throws a `RangeError` for a text with too many elements. */
export function parseMarkdown(text: string): readonly Block[] {
  const lexer = new Lexer({ ...getDefaults(), gfm: true });
  return blocksOf(lexer.lex(text), 0, new NodeBudget());
}

function blocksOf(tokens: readonly Token[], depth: number, budget: NodeBudget): readonly Block[] {
  return tokens.flatMap((token) => blockOf(token, depth, budget));
}

function blockOf(token: Token, depth: number, budget: NodeBudget): readonly Block[] {
  budget.take();
  if (depth > maxDepth) {
    return [plain(token)];
  }
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'heading':
      return [
        {
          kind: 'heading',
          level: (token as Tokens.Heading).depth,
          inside: inlinesOf(token as Tokens.Heading, 0, budget),
        },
      ];
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', inside: inlinesOf(token as Tokens.Paragraph, 0, budget) }];
    case 'code':
      return [codeOf(token as Tokens.Code)];
    case 'blockquote':
      return [{ kind: 'quote', blocks: blocksOf(token.tokens ?? [], depth + 1, budget) }];
    case 'list':
      return [listOf(token as Tokens.List, depth, budget)];
    case 'table':
      return [tableOf(token as Tokens.Table, budget)];
    case 'hr':
      return [{ kind: 'rule' }];
    default:
      return [plain(token)];
  }
}

const plain = ({ raw }: Token): Block => ({ kind: 'paragraph', inside: [raw.trimEnd()] });

function codeOf({ text, lang = '' }: Tokens.Code): Block {
  return { kind: 'code', text, language: (/^[\w+#.-]{1,30}/.exec(lang) ?? [''])[0] };
}

function listOf({ ordered, start, items }: Tokens.List, depth: number, budget: NodeBudget): Block {
  return {
    kind: 'list',
    start: ordered ? Number(start || 1) : null,
    items: items.map((item) => {
      budget.take();
      return {
        checked: item.task ? item.checked === true : null,
        blocks: blocksOf(item.tokens, depth + 1, budget),
      };
    }),
  };
}

function tableOf({ align, header, rows }: Tokens.Table, budget: NodeBudget): Block {
  const cell = ({ tokens, text }: Tokens.TableCell) => {
    budget.take();
    return inlinesOf({ tokens, raw: text }, 0, budget);
  };
  return {
    kind: 'table',
    alignments: align,
    head: header.map(cell),
    rows: rows.map((row) => row.map(cell)),
  };
}
