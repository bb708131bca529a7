// The pages of a site that is built, reduced to their titles and contents, so that every engine indexes the same.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocPage, escaped, plain } from './markdown-site.ts';
import type { BenchSite } from './sites.ts';

/** The pages below the folder. Those that lead to another page are none. */
export function builtPages(folder: string, { under, content, skip }: BenchSite): DocPage[] {
  const root = join(folder, under);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.slice(0, -'.html'.length))
    .filter((path) => !skip?.test(path))
    .sort();
  return names.flatMap((path) => {
    const source = readFileSync(join(root, `${path}.html`), 'utf8');
    return /http-equiv="?refresh/i.test(source) ? [] : [pageOf(path, source, content)];
  });
}

function pageOf(path: string, source: string, content: BenchSite['content']): DocPage {
  const title = plain(/<title>([\s\S]*?)<\/title>/.exec(source)?.[1] ?? path);
  const body = content ? between(source, content) : bodyOf(source);
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>` +
    `<body><main>${body}</main></body></html>\n`;
  return { path, title, html };
}

function bodyOf(source: string): string {
  const inner =
    /<main[^>]*>([\s\S]*)<\/main>/.exec(source) ?? /<body[^>]*>([\s\S]*)<\/body>/.exec(source);
  return inner?.[1] ?? '';
}

function between(source: string, [begin, end]: readonly [string, string]): string {
  const from = source.indexOf(begin);
  const to = source.indexOf(end, from);
  if (from < 0 || to < 0) {
    throw new Error(`No ${from < 0 ? begin : end} in the page.`);
  }
  return source.slice(from + begin.length, to);
}
