// The code blocks of the documentation: those of its pages, and the examples of the docstrings, which the API reference shows.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface CodeBlock {
  /** Where it is, from the root. */
  readonly page: string;
  readonly line: number;
  /** The word after the fence; `text` for a block without one. */
  readonly language: string;
  readonly code: string;
  /** A comment before the block: `not run: reason`, or `run by tests/…`, which names the test that runs it. */
  readonly mark?: { readonly kind: 'not run' | 'run by'; readonly text: string };
}

const fence = /(?:^<!-- (not run|run by):? (.+?) -->\n+)?^( *)```(\S*)[^\n]*\n(.*?)^\3```$/gms;

/** The blocks of a Markdown page. */
export function blocksOf(page: string, text: string): CodeBlock[] {
  return [...text.matchAll(fence)].map((match) => {
    const [whole, kind, reason = '', indent = '', language, code = ''] = match;
    const line = lineOf(text, match.index + whole.indexOf('```'));
    const plain = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const block = { page, line, language: language || 'text', code: plain };
    return kind ? { ...block, mark: { kind: kind as 'not run' | 'run by', text: reason } } : block;
  });
}

/** The examples of the docstrings of a source file. */
export function docExamples(page: string, text: string): CodeBlock[] {
  const example = /^ *\* @example\n((?: *\*(?! @|\/).*\n)+)/gm;
  return [...text.matchAll(example)].map((match) => ({
    page,
    line: lineOf(text, match.index),
    language: 'ts',
    code: (match[1] as string).replaceAll(/^ *\* ?/gm, ''),
  }));
}

const markedAs = (block: CodeBlock, test: string): CodeBlock => ({
  ...block,
  mark: { kind: 'run by', text: test },
});

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

/** The files that git knows, and new ones that it does not ignore. */
function files(...patterns: string[]): string[] {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns];
  const listed = execFileSync('git', options, { cwd: root, encoding: 'utf8' });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

/** Pages whose blocks follow one another. The test does all that the page says. */
const runAsAWhole: ReadonlyMap<string, string> = new Map([
  ['docs/tutorial.md', 'e2e/docs/tutorial.spec.ts'],
]);

/** The README of a package has one program, which a test of the package runs. */
function testOfProgram(page: string, { language }: CodeBlock): string | undefined {
  const [, folder] = /^(packages\/[\w-]+)\/README\.md$/.exec(page) ?? [];
  return folder && language !== 'sh' ? `${folder}/tests/readme.test.ts` : undefined;
}

/** All code blocks of the documentation. */
export function allBlocks(): CodeBlock[] {
  const pages = files('*.md').filter((path) => !path.includes('fixtures/'));
  const sources = files('web/src/*.ts').filter((path) => !path.startsWith('web/src/cli/'));
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return [
    ...pages.flatMap((page) => {
      return blocksOf(page, read(page)).map((block) => {
        const test = runAsAWhole.get(page) ?? testOfProgram(page, block);
        return test && !block.mark ? markedAs(block, test) : block;
      });
    }),
    ...sources.flatMap((page) => docExamples(page, read(page))),
  ];
}

const pageOnly = /(['"`])\/(?!\/)[\w./-]+\1|\b(navigator|document|crossOriginIsolated)\b/;

/** Whether code is for a page: it names an address of the page's own server, or what only pages have. */
export const isForPages = (code: string): boolean => pageOnly.test(code);
