// Makes HTML pages of the Markdown of a repository, so that every search engine indexes the same pages. Macros of site
// generators (mdBook, Hugo, MDX, Eleventy) are removed; what they would insert is in no page.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { marked } from 'marked';

const mostGitOutput = 1 << 29;

export interface DocPage {
  /** The page's file in the repository, without the extension, which is its address, too. */
  readonly path: string;
  readonly title: string;
  readonly html: string;
}

/** A repository: its folder or its git directory, and the folder of it that has the pages. */
export interface Repository {
  readonly folder: string;
  readonly under: string;
}

export function git({ folder }: Repository, ...args: string[]): string {
  const options = { encoding: 'utf8', maxBuffer: mostGitOutput } as const;
  return execFileSync('git', ['-C', folder, ...args], options);
}

/** The pages of the newest commit. Files and folders whose names begin with `_` or a dot are no pages. */
export function pagesOf({ folder, under }: Repository): DocPage[] {
  const temporary = mkdtempSync(join(tmpdir(), 'ambry-pages-'));
  try {
    const options = { maxBuffer: mostGitOutput };
    const archive = execFileSync(
      'git',
      ['-C', folder, 'archive', 'HEAD', `:(glob)${under === '.' ? '' : `${under}/`}**/*.md*`],
      options,
    );
    execFileSync('tar', ['-x', '-C', temporary], { input: archive });
    const names = readdirSync(temporary, { recursive: true, encoding: 'utf8' }).sort();
    const pages = names.filter(isPage);
    return pages.map((name) => pageOf(name, readFileSync(join(temporary, name), 'utf8')));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

export function isPage(name: string): boolean {
  return /\.mdx?$/.test(name) && !/(^|\/)[_.]/.test(name) && !/(^|\/)SUMMARY\.md$/.test(name);
}

export const pathOf = (name: string): string => name.replace(/\.mdx?$/, '');

/** Writes the pages below the folder. */
export function writePages(folder: string, pages: readonly DocPage[]): void {
  for (const { path, html } of pages) {
    const file = join(folder, `${path}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, html);
  }
}

function pageOf(name: string, source: string): DocPage {
  const { fields, text } = frontMatter(source);
  const body = marked.parse(withoutMacros(text), { async: false });
  const named = fields['title'];
  const title = named ?? firstHeading(body) ?? pathOf(name);
  const heading = named !== undefined && !/<h1/.test(body) ? `<h1>${escaped(named)}</h1>` : '';
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>` +
    `<body><main>${heading}\n${withAnchors(body)}</main></body></html>\n`;
  return { path: pathOf(name), title, html };
}

/** The text fields of YAML front matter; other fields do not matter. */
function frontMatter(source: string): { fields: Record<string, string>; text: string } {
  const found = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(source);
  if (!found) {
    return { fields: {}, text: source };
  }
  const lines = (found[1] as string).matchAll(/^(\w+): *(["']?)(.+?)\2\r?$/gm);
  const fields = Object.fromEntries([...lines].map(([, name, , value]) => [name, value]));
  return { fields, text: source.slice(found[0].length) };
}

function withoutMacros(text: string): string {
  return text
    .replace(/\{\{[#<%]?.*?[%>]?\}\}/g, '')
    .replace(/\{%.*?%\}/g, '')
    .replace(/\{\/\*(.*?)\*\/\}/g, '')
    .replace(/^:::.*$/gm, '')
    .replace(/^ *<\/?[A-Z][^>\n]*>\s*$/gm, '\n')
    .replace(/^(import|export) .* from .*$/gm, '');
}

function firstHeading(body: string): string | undefined {
  const found = /<h[12][^>]*>([\s\S]*?)<\/h[12]>/.exec(body)?.[1];
  return found === undefined ? undefined : plain(found);
}

/** Gives each heading an id, made of its words. */
function withAnchors(body: string): string {
  const taken = new Map<string, number>();
  return body.replace(/<h([1-6])>([\s\S]*?)<\/h\1>/g, (_, level: string, inner: string) => {
    const name = plain(inner)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '');
    const count = taken.get(name) ?? 0;
    taken.set(name, count + 1);
    return `<h${level} id="${name}${count > 0 ? `-${count}` : ''}">${inner}</h${level}>`;
  });
}

export function plain(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const text = html.replace(/<[^>]*>/g, '');
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '').trim();
}

export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
