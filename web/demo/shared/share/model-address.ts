// What a program writes for the model of a page.

import { siteRoot } from '../site/site-root.ts';
import type { SnippetModel } from './snippets.ts';

/** A local file lies beside the program, under its own name. */
export function snippetModel(source: unknown, name: string): SnippetModel {
  if (source instanceof URL) {
    return { address: source.href };
  }
  if (typeof source === 'string') {
    return { address: source.startsWith('hf:') ? source : new URL(source, siteRoot()).href };
  }
  return { address: `./${source instanceof File ? source.name : name}` };
}
