// Questions that were written by hand before any engine was asked, each with the page that answers it. They do not change after.
import { readFileSync } from 'node:fs';
import type { KnownQuery } from './known-queries.ts';

const linesOf = (path: string): string[] =>
  readFileSync(new URL(path, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Lines of a page's path, a tab and a question. */
export function questionsOf(file: string): KnownQuery[] {
  return linesOf(`questions/${file}`).map((line) => {
    const [page = '', text = ''] = line.split('\t');
    return { text, page, without: [] };
  });
}

/** Queries that no page of a documentation answers: other subjects, nonsense, other alphabets, function words. */
export const outOfScope = (): string[] => linesOf('out-of-scope.txt');
