// `ambry/passages/in-thread` reads on the caller's thread, and no code is loaded later. web/build/bundle.mjs puts this in the
// place of web-readers.ts.
import type { StartReader } from '../../passages/reading/reader-pool.ts';

export const startWebReader: StartReader | undefined = undefined;
