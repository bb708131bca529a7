// A plugin of Vite that makes the pages: of their rows (demo/shell/pages.ts), the shell that all of them share, and what each
// shows.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { type Accent, homePage, type PageShell, sitePages } from '../demo/shell/pages.ts';

const shell = fileURLToPath(new URL('../demo/shell/', import.meta.url));

/** What a page may do, also where the server sends no header of its own. Models come from any address
 *  that the person at the page types in, hence the open connect-src. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self' https: http:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const shellPart = (name: string): string => readFileSync(`${shell}${name}.html`, 'utf8');

/** The pages, and the documentation, which docs/site/build.ts adds to the built site. On narrow screens the button before
 *  it opens it as a menu. */
function navigation(current: string, root: string): string {
  const items = sitePages.map(({ path, name }) => {
    const mark = path === current ? ' aria-current="page"' : '';
    return `<li><a href="${root}${path}"${mark}>${name}</a></li>`;
  });
  const docs = `<li><a href="${root}docs/">Docs</a></li>`;
  return `<nav class="nav" id="site-menu" popover aria-label="Site"><ul>${items.join('')}${docs}</ul></nav>`;
}

/** `words/index.html` → `words`. The styles know by it which accent the page has. */
const roomOf = (page: string): string => (page.includes('/') ? page.split('/')[0] : '') || 'home';

/** The links of the page for a wrong address. */
const pageLinks = (root: string): string =>
  sitePages
    .filter(({ about }) => about !== undefined)
    .map(({ path, name, about }) => `<li><a href="${root}${path}">${name}</a>: ${about}</li>`)
    .join('\n');

/** The whole HTML of a page around what is in its file. */
function pageOf(page: PageShell, content: string, root: string): string {
  const { path, title, description, scripts = [], styles, skip, terms, drop } = page;
  const room = roomOf(path);
  const assets = [
    ...scripts.map((script) => `<script src="${root}${script}" vite-ignore></script>`),
    ...styles.map((style) => `<link rel="stylesheet" href="${root}${style}" />`),
    `<script type="module" src="${root}${room}/main.ts"></script>`,
  ];
  const overlay = `<div class="drop-overlay" id="drop-overlay" aria-hidden="true" hidden>\n<p>${drop}</p>\n</div>`;
  const parts: Readonly<Record<string, string>> = {
    title,
    description,
    assets: assets.join('\n'),
    skip: skip[0],
    'skip-text': skip[1],
    room,
    content,
    terms: terms === undefined ? '' : `<!--terms:${terms}-->`,
    drop: drop === undefined ? '' : overlay,
  };
  return shellPart('page').replace(/%([a-z-]+)%/g, (_, name: string) => parts[name] ?? '');
}

/** A part of the shell. `%label%` in it stands for the attribute `label` of the comment that asks for the part. */
function partWith(attributes: string, name: string): string {
  let part = shellPart(name);
  for (const [, attribute, value = ''] of attributes.matchAll(/([a-z]+)="([^"]*)"/g)) {
    part = part.replace(`%${attribute}%`, value);
  }
  return part;
}

/** Fills `<!--shell:name-->` with demo/shell/name.html, so that the pages share one head, header and footer. */
function fillShell(html: string, page: string, root: string): string {
  const current = sitePages.find((one) => one.path === page)?.name ?? 'Pages';
  const home = page === homePage.path ? ' aria-current="page"' : '';
  return html.replace(/<!--shell:([a-z]+)(.*?)-->/g, (_, part: string, attributes: string) =>
    partWith(attributes, part)
      .replaceAll('%root%', root)
      .replace('%nav%', navigation(page, root))
      .replaceAll('%current%', current)
      .replace('%home%', home),
  );
}

export function pages(): Plugin {
  let building = false;
  return {
    name: 'ambry-pages',
    configResolved: (config) => {
      building = config.command === 'build';
    },
    transformIndexHtml: {
      order: 'pre',
      handler(content, { path }) {
        const name = path.replace(/^\//, '');
        const root = '../'.repeat(name.split('/').length - 1) || './';
        const page = [homePage, ...sitePages].find((one) => one.path === name);
        const html = page ? pageOf(page, content, root) : content;
        const policy = `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}" />`;
        // The development server injects inline styles, so the policy is for the built site only.
        return fillShell(html.replace('<!--pages-->', pageLinks(root)), name, root)
          .replace('<html lang="en">', `<html lang="en" data-page="${roomOf(name)}">`)
          .replace('<meta charset="utf-8" />', (charset) =>
            building ? charset + policy : charset,
          );
      },
    },
  };
}

function accentRules(room: string, { light, dark }: Accent): string {
  return `:root[data-page="${room}"],
[data-accent="${room}"] {
  --accent: ${light[0]};
  --accent-wash: ${light[1]};
}

:root[data-page="${room}"][data-theme="dark"],
:root[data-theme="dark"] [data-accent="${room}"] {
  --accent: ${dark[0]};
  --accent-ink: ${dark[2]};
  --accent-wash: ${dark[1]};
}
`;
}

/** Adds the accents of all pages to the styles of the site. On the landing page, the card of a page has that page's accent. */
export function accents(): Plugin {
  const rules = sitePages.map(({ path, accent }) => accent && accentRules(roomOf(path), accent));
  return {
    name: 'ambry-accents',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('/demo/styles/site.css')
        ? `${code}\n@layer site {\n${rules.filter(Boolean).join('\n')}}\n`
        : undefined,
  };
}
