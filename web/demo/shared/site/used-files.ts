// The files of the site that a page has used, as far as the browser does not list them: models, which workers fetch, and samples.

import { Store } from '../base/store.ts';

/** Paths below the site's root. The footer has them kept (shell/offline/). */
export const usedFiles = new Store<{ readonly paths: readonly string[] }>({ paths: [] });

export function noteUsed(...paths: readonly string[]): void {
  usedFiles.update({ paths: [...usedFiles.state.paths, ...paths] });
}
