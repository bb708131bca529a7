// The sites of the benchmark. Those with `isAside` are kept aside: nobody may look at their queries to choose a weight.
import type { outsideSources } from './outside-queries.ts';

export interface BenchSite {
  /** A repository of Markdown pages, or a folder of built pages. */
  readonly form: 'repository' | 'built';
  /** The folder with the pages, below the repository or the unpacked package. */
  readonly under: string;
  /** The text of a built page is between the first place of these; the whole body otherwise. */
  readonly content?: readonly [begin: string, end: string];
  /** Pages that are lists of others, or no documentation. */
  readonly skip?: RegExp;
  /** The names of many pages begin with this name of a tool. */
  readonly tool?: string;
  /** Elements whose ids are the names of an API. */
  readonly symbol?: RegExp;
  readonly outside?: keyof typeof outsideSources;
  /** The file with questions, in `questions`. */
  readonly questions?: string;
  readonly isAside?: boolean;
}

export const sites: Readonly<Record<string, BenchSite>> = {
  /** Debian's git-doc. */
  git: {
    form: 'built',
    under: 'usr/share/doc/git-doc',
    skip: /^(index|howto-index|everyday|git-bisect-lk2009)$|^RelNotes|^technical|^howto/,
    tool: 'git',
    questions: 'git.tsv',
  },
  /** Debian's rust-doc: the crate `alloc`. */
  alloc: {
    form: 'built',
    under: 'usr/share/doc/rust-doc/html/alloc',
    skip: /^all$/,
    symbol: /<section id="(?:method|tymethod|variant)\.(\w+)" class="(?:method|tymethod|variant)/g,
    questions: 'alloc.tsv',
  },
  /** Debian's python3.11-doc: the library reference. */
  python: {
    form: 'built',
    under: 'usr/share/doc/python3.11/html',
    content: ['<div class="body" role="main">', '<div class="sphinxsidebar"'],
    skip: /^(?!library\/|tutorial\/|howto\/)|index$/,
    symbol: /<dt class="sig[^>]* id="([\w.]+)"/g,
    questions: 'python.tsv',
  },
  /** rust-lang/book. */
  'rust-book': { form: 'repository', under: 'src', questions: 'rust-book.tsv' },
  /** reactjs/react.dev. */
  react: { form: 'repository', under: 'src/content', questions: 'react.tsv' },
  /** eslint/eslint. */
  eslint: { form: 'repository', under: 'docs/src', outside: 'eslint' },
  /** denoland/docs. */
  deno: {
    form: 'repository',
    under: '.',
    tool: 'deno',
    questions: 'deno.tsv',
    isAside: true,
  },
  /** Debian's postgresql-doc-15. */
  postgresql: {
    form: 'built',
    under: 'usr/share/doc/postgresql-doc-15/html',
    content: ['<hr /></div>', '<div class="navfooter">'],
    skip: /^(bookindex|index|legalnotice)$/,
    questions: 'postgresql.tsv',
    isAside: true,
  },
};
