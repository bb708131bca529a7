// What the files of the search page are called. The compiler and tests compare them with the package's lists, which this
// page does not download at once.

import type { targetExtensions } from 'ambry/tables';

export const modelExtension = '.weights' satisfies (typeof targetExtensions)['embd'];

export const indexExtension = '.ambryindex';

/** `passageFileTypes` of `ambry/passages`. */
export const documentTypes: readonly string[] = [
  '.txt',
  '.text',
  '.md',
  '.markdown',
  '.mdx',
  '.html',
  '.htm',
  '.rst',
  '.rest',
  '.adoc',
  '.asciidoc',
  '.ipynb',
  '.docx',
  '.pdf',
  '.csv',
  '.tsv',
  '.json',
  '.jsonl',
  '.ndjson',
  '.yaml',
  '.yml',
  '.log',
];
