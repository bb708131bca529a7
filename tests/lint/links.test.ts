import { describe, expect, it } from 'vitest';
import { checkCitations, checkPage, makeTree, readPage, slug } from './links.mjs';

const guide = `# The Guide

Some text.

<a id="rule-1"></a>
## Rules: the \`first\` of [many](https://example.org)

| | |
|---|---|
| <a id="in-a-table"></a>a | b |

## Rules: the first of many
`;
const pages = [
  { path: 'README.md', text: '# Home\n' },
  { path: 'core/README.md', text: guide },
];
const tree = makeTree(['README.md', 'core/README.md', 'core/io/a.h', 'docs/picture.png'], pages);

const page = (text: string, path = 'core/io/README.md') => checkPage({ path, text }, tree);
const code = (text: string, path = 'core/io/a.h') => checkCitations({ path, text }, tree);
const fault = (part: string) => [{ message: expect.stringContaining(part) as string }];

describe('anchors', () => {
  it('are those of headings, as GitHub names them, and of HTML', () => {
    expect(readPage(guide).anchors).toEqual([
      { name: 'the-guide', line: 1 },
      { name: 'rule-1', line: 5 },
      { name: 'rules-the-first-of-many', line: 6 },
      { name: 'in-a-table', line: 10 },
      { name: 'rules-the-first-of-many-1', line: 12 },
    ]);
  });

  it('keep letters, numbers, hyphens and underscores', () => {
    expect(slug(' What `_x` is: 2 × 3 – änders? ')).toBe('what-_x-is-2--3--änders');
  });

  it('occur once', () => {
    expect(page('<a id="x"></a>\n\n# X\n')).toMatchObject(fault('#x occurs twice'));
  });
});

describe('links', () => {
  it('may lead to files, folders, anchors and other sites', () => {
    const text = [
      '[a](../README.md) [b](../README.md#rule-1) [c](../README.md#rules-the-first-of-many-1)',
      '![d](../../docs/picture.png) [e](../../docs/) [f](a.h) [g](#here) [h](/core/README.md)',
      '<img src="../../docs/picture.png"> [i](https://example.org/x#y) [j](mailto:a@example.org)',
      '`[k](nowhere.md)`',
      '',
      '# Here',
    ].join('\n');
    expect(page(text, 'core/io/a.h')).toEqual([]);
  });

  it('to a missing file are faults, with their line', () => {
    const text = 'One line.\n\nSee [it](../missing.md).\n';
    expect(page(text)).toEqual([
      {
        path: 'core/io/README.md',
        line: 3,
        message: 'links to ../missing.md: there is no core/missing.md',
      },
    ]);
    expect(page('[a]: ./b.md\n\nSee [a].\n')).toMatchObject(fault('core/io/b.md'));
    expect(page('<a href="b.md">b</a>\n')).toMatchObject(fault('core/io/b.md'));
  });

  it('to a missing anchor are faults', () => {
    expect(page('[it](../README.md#rule-2)')).toMatchObject(fault('#rule-2'));
    expect(page('[it](#rule-1)', 'README.md')).toMatchObject(fault('#rule-1'));
  });
});

describe('citations in code', () => {
  it('may name a page beside the file or a path from the root', () => {
    expect(code('// See README.md#rule-1 and core/README.md#in-a-table.', 'core/a.h')).toEqual([]);
    expect(code('// core/README.md says why.', 'tests/web/a.ts')).toEqual([]);
    expect(code('// README.md is the page.', 'core/a.h')).toEqual([]);
  });

  it('of a missing page are faults, with their line', () => {
    expect(code('int a;\n// See core/io/README.md.\n')).toEqual([
      {
        path: 'core/io/a.h',
        line: 2,
        message: 'cites core/io/README.md: there is no core/io/README.md',
      },
    ]);
    expect(code('// As notes.md 5 says.')).toMatchObject(fault('there is no notes.md'));
    expect(code('// See core/README.md#rule-1', 'e2e/a.ts')).toEqual([]);
    expect(code('// See core/formats/x.md', 'e2e/a.ts')).toMatchObject(fault('core/formats/x.md'));
  });

  it('of a missing anchor are faults', () => {
    expect(code('// README.md#rule-2', 'core/a.h')).toMatchObject(fault('#rule-2'));
    expect(code('// core/README.md#rule-2', 'tests/web/a.ts')).toMatchObject(fault('#rule-2'));
    // A page beside the file comes before that of the root, which has no such anchor either.
    expect(code('// README.md#rule-1', 'wasm/a.cpp')).toMatchObject(fault('#rule-1'));
  });

  it('are not names of files that tests create', () => {
    const text = "await write('docs/a.md'); expect(id).toBe('a.md#1'); // notes.md";
    expect(code(text, 'tests/web/a.test.ts')).toEqual([]);
    expect(code('// core/*/README.md', 'tests/web/a.test.ts')).toEqual([]);
  });
});
