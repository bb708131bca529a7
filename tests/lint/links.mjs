// Fails on a link in a Markdown page that leads nowhere, and on code that cites a page or an anchor
// that does not exist. Checks the files that git knows, and new ones that it does not ignore.
//
//   node tests/lint/links.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';

/**
 * @typedef {{ path: string, text: string }} SourceFile path from the root, with forward slashes
 * @typedef {{ path: string, line: number, message: string }} Fault
 * @typedef {{ name: string, line: number }} Named
 * @typedef {{ paths: Set<string>, anchors: Map<string, Set<string>> }} Tree all files and folders,
 *   and the anchors of every page
 */

/** The anchor that GitHub gives a heading of this text. */
export function slug(/** @type {string} */ heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** What a heading reads as, without emphasis, links and HTML. */
function plainText(/** @type {import('marked').Token[]} */ tokens) {
  let text = '';
  for (const token of tokens) {
    if (token.type === 'html') {
      continue;
    }
    const inner = 'tokens' in token ? token.tokens : undefined;
    text += inner ? plainText(inner) : 'text' in token ? token.text : '';
  }
  return text;
}

/**
 * The anchors of a page in their order, and the targets of its links.
 * @param {string} text
 * @returns {{ anchors: Named[], links: Named[] }}
 */
export function readPage(text) {
  /** @type {Named[]} */
  const anchors = [];
  /** @type {Named[]} */
  const links = [];
  /** @type {Map<string, number>} */
  const headings = new Map();
  let at = 0;
  marked.walkTokens(marked.lexer(text), (token) => {
    if (!['heading', 'link', 'image', 'html'].includes(token.type)) {
      return;
    }
    const found = text.indexOf(token.raw, at);
    if (found >= 0) {
      at = found;
    }
    const line = text.slice(0, at).split('\n').length;
    if (token.type === 'heading') {
      const base = slug(plainText(token.tokens ?? []));
      const before = headings.get(base) ?? 0;
      headings.set(base, before + 1);
      anchors.push({ name: before === 0 ? base : `${base}-${before}`, line });
    } else if (token.type === 'html') {
      for (const [, name = ''] of token.raw.matchAll(/\b(?:id|name)="([^"]*)"/g)) {
        anchors.push({ name, line });
      }
      for (const [, name = ''] of token.raw.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
        links.push({ name, line });
      }
    } else if ('href' in token) {
      links.push({ name: token.href, line });
    }
  });
  return { anchors, links };
}

/**
 * @param {Iterable<string>} paths of all files
 * @param {SourceFile[]} pages those of them that are Markdown
 * @returns {Tree}
 */
export function makeTree(paths, pages) {
  const all = new Set(['.']);
  for (const path of paths) {
    for (let part = path; part !== '.'; part = posix.dirname(part)) {
      all.add(part);
    }
  }
  const anchors = new Map(
    pages.map(({ path, text }) => [path, new Set(readPage(text).anchors.map(({ name }) => name))]),
  );
  return { paths: all, anchors };
}

/**
 * Why a link to `anchor` of `target`, a path from the root, is broken; undefined when it is not.
 * @param {string} target
 * @param {string | undefined} anchor
 * @param {Tree} tree
 */
function targetFault(target, anchor, { paths, anchors }) {
  if (!paths.has(target)) {
    return `there is no ${target}`;
  }
  const known = anchors.get(target);
  if (!anchor || !known || known.has(anchor)) {
    return undefined;
  }
  return `${target} has no anchor #${anchor}`;
}

/**
 * @param {SourceFile} page
 * @param {Tree} tree
 * @returns {Fault[]}
 */
export function checkPage({ path, text }, tree) {
  const { anchors, links } = readPage(text);
  /** @type {Fault[]} */
  const faults = [];
  const seen = new Set();
  for (const { name, line } of anchors) {
    if (seen.has(name)) {
      faults.push({ path, line, message: `the anchor #${name} occurs twice` });
    }
    seen.add(name);
  }
  for (const { name, line } of links) {
    if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(name)) {
      continue; // another site
    }
    const [file = '', anchor] = decodeURIComponent(name).split('#');
    const from = file.startsWith('/') ? '.' : posix.dirname(path);
    const target = file === '' ? path : posix.join(from, file.replace(/\?.*$/, ''));
    const message = targetFault(target.replace(/\/$/, ''), anchor, tree);
    if (message) {
      faults.push({ path, line, message: `links to ${name}: ${message}` });
    }
  }
  return faults;
}

/** A page's name as code writes it: `README.md#anchor`, `core/formats/amb/README.md`. */
const citation = /(?<![\w/.}*>-])((?:[\w.-]+\/)*)([\w-]+\.md)\b(?:#([\w-]+))?/g;
/** Paths that start in one of these folders are those of the repository. */
const ownFolders = /^(core|wasm|web|tests|e2e|packages)\//;
/** C++ code, which names no Markdown file but to cite it. */
const citesOnly = /^(core|wasm|tests\/(core|fuzz|bench|reference))\//;

/**
 * Tests and the package's code also name Markdown files that they make up, so elsewhere than in C++ only
 * a README and its like count, or a path from the root.
 * @param {SourceFile} file
 * @param {Tree} tree
 * @returns {Fault[]}
 */
export function checkCitations({ path, text }, tree) {
  /** @type {Fault[]} */
  const faults = [];
  for (const match of text.matchAll(citation)) {
    const [whole, folder = '', name = '', anchor] = match;
    const isUsualPage = /^[A-Z_]+\.md$/.test(name) && (folder !== '' || anchor !== undefined);
    if (!citesOnly.test(path) && !isUsualPage && !ownFolders.test(folder)) {
      continue;
    }
    const beside = posix.join(posix.dirname(path), folder, name);
    const target = tree.paths.has(beside) ? beside : posix.join(folder, name);
    const message = targetFault(target, anchor, tree);
    if (!message) {
      continue;
    }
    const line = text.slice(0, match.index).split('\n').length;
    faults.push({ path, line, message: `cites ${whole}: ${message}` });
  }
  return faults;
}

const codeFile = /(\.(h|cpp|[mc]?[jt]s|py|sh|html|css|ya?ml|cmake)|CMakeLists\.txt|Dockerfile)$/;
/** Text of their own, and examples of links. */
const notOurs = /(^|\/)(fixtures|corpus)\/|^tests\/(lint\/links|docs\/site)\./;

/**
 * Every fault in the tree at `root`.
 * @param {string} root
 * @returns {Fault[]}
 */
export function checkTree(root) {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 },
  );
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  const read = (/** @type {string} */ path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  });
  const pages = paths.filter((path) => path.endsWith('.md')).map(read);
  const code = paths.filter((path) => codeFile.test(path) && !notOurs.test(path)).map(read);
  const tree = makeTree(paths, pages);
  return [
    ...pages.flatMap((page) => checkPage(page, tree)),
    ...code.flatMap((file) => checkCitations(file, tree)),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const faults = checkTree(root);
  for (const { path, line, message } of faults) {
    console.error(`${path}:${line}: ${message}`);
  }
  process.exit(faults.length > 0 ? 1 : 0);
}
