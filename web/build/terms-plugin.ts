// A plugin of Vite: what the words on a page mean, from the glossary of the documentation. `<!--terms:Encoder; Token-->` becomes
// a fold with their definitions.

import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const glossary = new URL('../../docs/glossary.md', import.meta.url);

export interface Term {
  readonly term: string;
  readonly definition: string;
}

const plain = (markdown: string): string =>
  markdown.replace(/[*`]/g, '').replace(/\s+/g, ' ').trim();

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** A definition follows its word in the glossary, and begins a line here. */
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The entries by their first name. An entry is a paragraph, such as `**Code**: the small integer …`. */
export function readTerms(markdown: string): ReadonlyMap<string, Term> {
  const entries = markdown.split(/\n{2,}/).flatMap((paragraph): [string, Term][] => {
    const [, first = '', more = '', definition = ''] =
      /^\*\*([^*]+)\*\*([^:]*):\s+(.+)$/s.exec(paragraph) ?? [];
    return first === ''
      ? []
      : [[first, { term: plain(first + more), definition: capital(plain(definition)) }]];
  });
  return new Map(entries);
}

/** The fold with these terms. `root` leads from the page to the site's root. */
export function termsFold(
  names: readonly string[],
  terms: ReadonlyMap<string, Term>,
  root: string,
): string {
  const rows = names.map((name) => {
    const found = terms.get(name);
    if (found === undefined) {
      throw new Error(`docs/glossary.md has no entry "${name}", which a page explains.`);
    }
    return `<dt>${escaped(found.term)}</dt><dd>${escaped(found.definition)}</dd>`;
  });
  return `<aside class="page terms" aria-label="Words on this page"><details class="fold"><summary>What the words on this page mean</summary><dl class="facts">${rows.join('')}</dl><p class="note"><a href="${root}docs/glossary.html">All words</a></p></details></aside>`;
}

export function glossaryTerms(): Plugin {
  return {
    name: 'ambry-terms',
    transformIndexHtml: {
      order: 'pre',
      handler(html, { path }) {
        const root = '../'.repeat(path.replace(/^\//, '').split('/').length - 1) || './';
        const fill = (_: string, names: string): string =>
          termsFold(names.split('; '), readTerms(readFileSync(glossary, 'utf8')), root);
        return html.replace(/<!--terms:([^>]+)-->/g, fill);
      },
    },
  };
}
