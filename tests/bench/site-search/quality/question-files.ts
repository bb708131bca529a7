// Questions that were written by hand before any engine was asked, each with the page that answers it. They do not change after.
import { readFileSync } from 'node:fs';
import type { KnownQuery } from './known-queries.ts';

const linesOf = (path: string): string[] =>
  readFileSync(new URL(path, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Lines of a page's path, a tab and a question. The path leaves out the folder that all pages of a repository have. */
export function questionsOf(
  file: string,
  pages: readonly { readonly path: string }[],
): KnownQuery[] {
  const paths = pages.map(({ path }) => path);
  return linesOf(`questions/${file}`).map((line) => {
    const [end = '', text = ''] = line.split('\t');
    const page = paths.find((path) => path === end || path.endsWith(`/${end}`));
    if (page === undefined) {
      throw new Error(`${file}: no page is ${end}.`);
    }
    return { text, page, without: [] };
  });
}

/** Queries that no page of a documentation answers: other subjects, nonsense, other alphabets, function words. */
export const outOfScope = (): string[] => linesOf('out-of-scope.txt');
