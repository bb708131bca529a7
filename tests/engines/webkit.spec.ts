// WebKitGTK. It has no private files, and a browser that is driven keeps everything else in memory.

import { describe } from 'vitest';
import { nothingIsKept, testKeeping } from './jobs/keeping-tests.ts';
import { testOffline } from './jobs/offline-tests.ts';
import { testPages } from './jobs/page-tests.ts';
import { testParity } from './jobs/parity-tests.ts';
import { testSiteSearch } from './jobs/site-search-tests.ts';
import { useEngine } from './support/use-engine.ts';
import { webkit } from './support/webkit-engine.ts';

describe(webkit.name, () => {
  const running = useEngine(webkit);
  testPages(running);
  testParity(webkit, running);
  testSiteSearch(running);
  testOffline(running);
  testKeeping(running, nothingIsKept);
  testKeeping(running, {
    title: 'no private files',
    storage: true,
    jobs: ['search'],
    conversations: true,
    downloads: true,
  });
});
