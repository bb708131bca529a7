// Hands files that the user has given to one page over to another page of the site. The address of the other page has a mark,
// `#handed=ID`, which is taken once. Most visits hand nothing over, so the work is in kept-handover.ts, which is loaded when it is
// needed.

import type { GivenFiles } from '../files/given-files.ts';

const mark = /^#handed=([0-9a-f]{32}|none)$/;

/** Keeps the files for another page, and goes there. `page` is its path below the site's root, as in `check/index.html`, or
 *  with a query. Where the browser cannot keep the files, that page says that they must be chosen again. */
export async function handOver(given: GivenFiles, page: string): Promise<void> {
  const { goWith } = await import('./kept-handover.ts');
  await goWith(given, page);
}

/** The files that another page has handed over to this one; null if there are none. Call it at the start of the page. Rejects
 *  with a message for the user if files were handed over that are not there. */
export async function takeHandedOver(): Promise<GivenFiles | null> {
  const id = mark.exec(location.hash)?.[1];
  if (id === undefined) {
    return null;
  }
  // A reload, a bookmark and a copied link must not ask for them again.
  history.replaceState(history.state, '', location.pathname + location.search);
  const { taken } = await import('./kept-handover.ts');
  return taken(id);
}
