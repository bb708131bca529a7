// A document gives its tokens some at a time. Their blocks are those that marked gives for the whole.
import { Lexer, type Token, type Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import type { TablePart } from '../../../../web/src/passages/markdown/bounded-tokenizer.ts';
import { lexMarkdown } from '../../../../web/src/passages/markdown/part-lexer.ts';
import { plainText } from '../../../../web/src/passages/markdown/plain-text.ts';
import { passagesOf } from '../reading.ts';

/** Lines that begin, end and interrupt every kind of block. */
const lines = [
  ...[
    '',
    '',
    '',
    ' ',
    '\t',
    'text',
    'more text  ',
    'two *words',
    'of* `code',
    'and` www.a.b',
    '===',
  ],
  ...['# heading', '## a # b ##', '---', '***', '> quote', '> - item', '>', '- item', '  - inner'],
  ...['1. one', '7) seven', '    indented', '\tcode', '```', '~~~ js', '<div>', '</div>', '<b>'],
  ...[
    '<!-- note',
    '-->',
    '| a | b |',
    '|---|--:|',
    'a | b',
    '-|-',
    '- [ ] task',
    '\\*star',
    '&amp;',
  ],
  ...[
    '[x]: /to "title',
    'goes on"',
    '[y]: <z>',
    '> [z]: q',
    '[x] and [y][z]',
    '![i][x]',
    '**b [y]',
  ],
];

/** Random numbers, which a seed repeats. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function documentOf(seed: number, length: number): string {
  const below = numbersFrom(seed);
  // Few kinds of lines meet more often than many.
  const some = Array.from({ length: 4 + below(20) }, () => lines[below(lines.length)] ?? '');
  const picked = Array.from({ length }, () => some[below(some.length)] ?? '');
  return picked.join(seed % 5 === 0 ? '\r\n' : '\n');
}

/** The blocks with their lines. Items and rows are blocks, because long lists and tables may come in parts. */
function blocksOf(tokens: readonly Token[]): string[] {
  let line = 1;
  return tokens.flatMap((token) => {
    const blocks =
      token.type === 'list'
        ? itemsOf(token as Tokens.List, line)
        : token.type === 'table'
          ? rowsOf(token as TablePart, line)
          : [`${line} ${token.type} ${token.raw.trimEnd()} = ${textOf([token])}`];
    line += token.raw.split('\n').length - 1;
    return token.type === 'space' ? [] : blocks;
  });
}

/** Rows without text count for nothing. */
function rowsOf({ header, rows, goesOn }: TablePart, line: number): string[] {
  const names = header.map(({ tokens }) => textOf(tokens)).join();
  const lines = rows.map((row, i) => {
    const text = row.map(({ tokens }) => textOf(tokens)).join();
    return /[^,]/.test(text) ? `${line + i + (goesOn ? 0 : 2)} ${names}: ${text}` : '';
  });
  return [goesOn ? '' : `${line} ${names}`, ...lines].filter((each) => each !== '');
}

function itemsOf({ items, ordered, start }: Tokens.List, firstLine: number): string[] {
  let line = firstLine;
  return items.map(({ raw, tokens }, i) => {
    const block = `${line} ${ordered ? Number(start || 1) + i : ''} ${textOf(tokens)}`;
    line += raw.split('\n').length - 1;
    return block;
  });
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(textOfOne).join('').replace(/\s+/g, ' ').trim();
}

function textOfOne(token: Token): string {
  if (token.type === 'list') {
    return itemsOf(token as Tokens.List, 1).join(';');
  }
  if (token.type === 'table') {
    return rowsOf(token as TablePart, 1).join(';');
  }
  const isBlock = token.type === 'blockquote' || token.type === 'list_item';
  return isBlock ? textOf(token.tokens ?? []) : plainText([token]);
}

describe('parts', () => {
  test.each([1, 40, 1000])('of %i code units have the blocks of the whole', (units) => {
    for (let seed = 1; seed <= 400; seed++) {
      const text = documentOf(seed, 60);
      const parts = [...lexMarkdown(text, units)];
      expect(blocksOf(parts.flat()), text).toEqual(blocksOf(new Lexer().lex(text)));
    }
  });

  test('are many, and short', () => {
    const text = 'A paragraph.\n\n## A heading\n'.repeat(10_000);
    const sizes = Array.from(lexMarkdown(text), (tokens) => tokens.length);
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThan(10_000);
  });

  test('of a table have its header', async () => {
    const found = await passagesOf(
      'a.md',
      `| name | sound |\n|-|-|\n${'| owl | hoot |\n'.repeat(45_000)}`,
    );
    const rows = found.flatMap(({ text }) => text.split('\n'));
    expect(rows).toEqual(Array.from({ length: 45_000 }, () => 'name: owl; sound: hoot'));
    const last = found.at(-1);
    expect(last?.position).toBe(45_003 - (last?.text.split('\n').length ?? 0));
  });

  test('of a numbered list go on with its numbers', async () => {
    const found = await passagesOf('a.md', '1. item\n'.repeat(40_000));
    const numbers = found.flatMap(({ text }) => text.match(/\d+/g) ?? []);
    expect(numbers).toEqual(Array.from({ length: 40_000 }, (_, i) => `${i + 1}`));
    expect(found.at(-1)?.text).toMatch(/\n40000\. item$/);
  });
});

test('a link in a part before its definition is a link', async () => {
  const text = `See [the owls][o] and [x].\n\n${'Filler.\n\n'.repeat(20_000)}[o]: /owls\n`;
  const [passage] = await passagesOf('a.md', text);
  expect(passage?.text).toMatch(/^See the owls and \[x\]\. Filler\./);
});

test('lines are counted over all parts', async () => {
  const text = `${'Filler.\n\n'.repeat(20_000)}# The end\n\nLast words.`;
  const last = (await passagesOf('a.md', text)).at(-1);
  expect(last).toMatchObject({ text: 'The end: Last words.', position: 40_003 });
});
