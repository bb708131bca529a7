// Results under the pointer stay where they are when meaning joins.
import type { SiteAnswer } from '../client/base/types.ts';

/** The next answer to the same question, with the pages that are shown first, and those that it adds after them. */
export function steadyAnswer(shown: SiteAnswer | undefined, next: SiteAnswer): SiteAnswer {
  if (shown?.query !== next.query || shown.by !== 'words' || next.by !== 'hybrid') {
    return next;
  }
  const urls = new Set(shown.pages.map(({ url }) => url));
  const pages = [...shown.pages, ...next.pages.filter(({ url }) => !urls.has(url))];
  return pages.length === 0
    ? next
    : { ...next, state: 'found', pages, total: Math.max(next.total, pages.length) };
}
