// What the browser keeps of the site itself, so that it works offline. The footer finds it out (shell/offline/); panels of pages show
// it beside their own data.

import { Store } from '../base/store.ts';

/** Null until it is known, and if nothing is kept. */
export const keptSite = new Store<{ readonly bytes: number | null }>({ bytes: null });
