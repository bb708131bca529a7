// Copies the pages of the repository to a folder from which VitePress builds the site. Links lead to the pages of the site;
// a link to a file that is no page, such as source code, becomes plain text.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { apiPages } from './api-pages.ts';
import { commandPage } from './command-pages.ts';
import { sitePath } from './pages.ts';

/** Pages that describe only files of tests. */
const leftOut = /(^|\/)fixtures\//;

/** Writes the pages of the repository at `root` to `target`, which it empties first. Returns their paths in the repository. */
export async function stagePages(root: string, target: string): Promise<Set<string>> {
  rmSync(target, { recursive: true, force: true });
  const pages = new Map<string, string>();
  for (const path of trackedPages(root)) {
    pages.set(path, readFileSync(join(root, path), 'utf8'));
  }
  pages.set('docs/commands.md', await commandPage());
  for (const [path, text] of await apiPages(root, join(target, '../api'))) {
    pages.set(path, text);
  }
  const paths = new Set(pages.keys());
  for (const [path, text] of pages) {
    const file = join(target, sitePath(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, rewriteLinks(text, path, paths));
  }
  cpSync(join(root, 'docs/images'), join(target, 'images'), { recursive: true });
  return paths;
}

function trackedPages(root: string): string[] {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'];
  const listed = execFileSync('git', options, { cwd: root, encoding: 'utf8' });
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  return paths.filter((path) => !leftOut.test(path));
}

/** Changes the links of the page at `path`, outside of code blocks. */
export function rewriteLinks(text: string, path: string, pages: ReadonlySet<string>): string {
  const parts = text.split(/(^```.*?^```$)/ms);
  return parts.map((part, i) => (i % 2 ? part : rewriteProse(part, path, pages))).join('');
}

function rewriteProse(text: string, path: string, pages: ReadonlySet<string>): string {
  return text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, mark, label, href) => {
    if (/^([a-z][a-z0-9+.-]*:|#)/i.test(href)) {
      return whole;
    }
    const [file = '', anchor] = href.split('#');
    const target = posix.join(posix.dirname(path), file).replace(/\/$/, '');
    const page = [target, `${target}/README.md`].find((name) => pages.has(name));
    const isImage = mark === '!' && target.startsWith('docs/images/');
    if (page === undefined && !isImage) {
      return label;
    }
    const from = posix.dirname(sitePath(path));
    const relative = posix.relative(from, sitePath(page ?? target));
    const end = anchor === undefined ? '' : `#${anchor}`;
    return `${mark}[${label}](${relative.startsWith('.') ? '' : './'}${relative}${end})`;
  });
}
