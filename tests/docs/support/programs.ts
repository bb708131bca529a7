// Makes a program of a code block: what it imports, what it takes for granted, and the block itself.
import { type CodeBlock, isForPages } from './code-blocks.ts';
import { givenNames } from './given.ts';

const statement = /^import\s+(?:\{([^}]*)\}\s+from\s+)?'[^']+';?\n?/gm;

/** The program in TypeScript. It exports `run`. `names` are those that the package exports, by entry. */
export function programOf(block: CodeBlock, names: ReadonlyMap<string, readonly string[]>): string {
  const given = givenNames(block.page, block.code);
  const setUp = given.map(([name, expression]) => `const ${name} = ${expression};`);
  const imports = block.code.match(statement) ?? [];
  const own = new Set(
    imports
      .flatMap((line) => line.replace(/^[^{]*\{|\}[^}]*$/g, '').split(','))
      .map((name) => name.trim()),
  );
  const body = block.code.replaceAll(statement, '');
  const used = `${setUp.join('\n')}\n${body}`;
  const others = [...names].map(([entry, exported]) => {
    const wanted = exported.filter(
      (name) => !own.has(name) && new RegExp(`\\b${name}\\b`).test(used),
    );
    return wanted.length > 0 ? `import { ${wanted.join(', ')} } from '${entry}';\n` : '';
  });
  const helper = used.includes('readerFile')
    ? `import { readerFile } from './reader-file.ts';\n`
    : '';
  return [
    `// ${block.page}:${block.line}\n`,
    helper,
    ...others,
    ...imports.map((line) => `${line.trim()}\n`),
    'export async function run(): Promise<void> {\n',
    setUp.join('\n'),
    '\n  {\n',
    body,
    '\n  }\n}\n',
  ].join('');
}

/** `readerFile` for Node: the working directory has the files. */
export const readerFileInNode = `
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
export const readerFile = async (name: string): Promise<File> =>
  new File([await readFile(name)], basename(name));
`;

/** `readerFile` for pages: the server has the files. */
export const readerFileInPages = `
export const readerFile = async (name: string): Promise<File> => {
  const response = await fetch('/' + name);
  if (!response.ok) throw new Error(name + ': ' + response.status);
  return new File([await response.blob()], name.replace(/.*\\//, ''));
};
`;

export const fileOf = ({ page, line }: CodeBlock): string =>
  `${page.replaceAll(/[^\w]+/g, '-')}-${line}.ts`;

/** JavaScript and TypeScript that no other test runs. */
export const isProgram = ({ language, mark }: CodeBlock): boolean =>
  mark === undefined && /^(js|ts)$/.test(language);

export const runsInPage = (block: CodeBlock): boolean => isProgram(block) && isForPages(block.code);
