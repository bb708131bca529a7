import { describe, expect, it } from 'vitest';
import { checkComments, commentsOf } from './comments.mjs';

const starts = (text: string, path = 'core/a.h') =>
  commentsOf({ path, text }).map(({ line, start }) => `${line} ${start}`);
const faults = (text: string, path = 'core/a.h') =>
  checkComments({ path, text }).map(({ line }) => line);

describe('where a comment starts', () => {
  it('is the first of several lines, before code or after it', () => {
    const text = 'int a;  // One\n        // goes on.\nint b;\n// Two\n// goes on.\n\n// Three.\n';
    expect(starts(text)).toEqual(['1 One', '4 Two', '7 Three.']);
  });

  it('is the first text in a block', () => {
    const text = '/** One. */\nf(); /* Two. */\n/**\n * Three\n * goes on.\n *\n * Its end. */\n';
    expect(starts(text, 'web/src/a.ts')).toEqual(['1 One.', '2 Two.', '4 Three']);
  });

  it('is after a mark in scripts, and in docstrings of Python', () => {
    expect(starts('#!/bin/sh\n# One\n# goes on.\nls  # Two.\n', 'a.sh')).toEqual([
      '2 One',
      '4 Two.',
    ]);
    expect(starts('def a():\n    """One."""\n', 'a.py')).toEqual(['2 One.']);
  });

  it('is not in an address', () => {
    expect(starts("const a = 'https://example.org';\n", 'web/src/a.ts')).toEqual([]);
  });
});

describe('a comment in mid-air', () => {
  it.each([
    'Of the block.',
    'The same for bytes.',
    'Those of the file.',
    'Its size.',
    'It ends.',
    'Their sum.',
    'They end.',
    'That of a row.',
  ])('%s', (comment) => {
    expect(faults(`// ${comment}\nint a;\n`)).toEqual([1]);
    expect(faults(`/** ${comment} */\n`, 'web/src/a.ts')).toEqual([1]);
    expect(faults(`/**\n * ${comment}\n */\n`, 'web/src/a.ts')).toEqual([2]);
    expect(faults(`# ${comment}\n`, 'CMakeLists.txt')).toEqual([1]);
  });

  it('is none where the word is within a comment, or the comment goes on from its line', () => {
    expect(faults('// The block, and\n// Its size.\nint size;  // of the block\n')).toEqual([]);
    expect(faults('// Items, Often many.\n// Italic.\n')).toEqual([]);
  });
});
