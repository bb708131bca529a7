// What the files of the search page begin with and what they are called. The compiler and tests compare them with the
// package's lists, which this page does not download at once.

import type { modelMagics, targetExtensions } from 'ambry/tables';

type EncoderMagic = Extract<(typeof modelMagics)[number], readonly [string, 'encoder']>[0];

export const modelMagic = 'EMBD' satisfies EncoderMagic;
export const modelExtension = '.weights' satisfies (typeof targetExtensions)['embd'];

export const indexMagic = 'AMBRYIDX';
export const indexExtension = '.ambryindex';

/** `passageFileTypes` of `ambry/passages`. */
export const documentTypes: readonly string[] = [
  '.txt',
  '.text',
  '.md',
  '.markdown',
  '.html',
  '.htm',
  '.csv',
  '.tsv',
  '.json',
  '.jsonl',
  '.ndjson',
  '.pdf',
];
