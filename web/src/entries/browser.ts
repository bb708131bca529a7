// The browser's platform: the packaged workers that a page can start.
import { pagePlatform } from '../platform/page-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { scripts } from './built/workers/scripts.ts';

/** A page that has converted has downloaded that worker, which also inspects. */
let hasConverted = false;

export const browser: Platform = pagePlatform(
  {
    ...scripts,
    inspect: () => (hasConverted ? scripts.convert() : scripts.inspect()),
    convert: () => {
      hasConverted = true;
      return scripts.convert();
    },
  },
  () => import('./workers/in-thread.ts'),
);
