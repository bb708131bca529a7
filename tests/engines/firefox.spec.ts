// Firefox, as usual and as its users may set it.

import { describe } from 'vitest';
import { nothingIsKept, testKeeping } from './jobs/keeping-tests.ts';
import { testOffline } from './jobs/offline-tests.ts';
import { testPages } from './jobs/page-tests.ts';
import { testParity } from './jobs/parity-tests.ts';
import { testSiteSearch } from './jobs/site-search-tests.ts';
import { firefox } from './support/puppeteer-engines.ts';
import { useEngine } from './support/use-engine.ts';

describe(firefox.name, () => {
  const running = useEngine(firefox);
  testPages(running);
  testParity(firefox, running);
  testSiteSearch(running);
  testOffline(running);
  testKeeping(running, nothingIsKept);
});

describe(`${firefox.name}, all data of pages blocked`, () => {
  testKeeping(useEngine(firefox, 'blocked'), {
    title: 'all data of pages blocked',
    storage: true,
    jobs: ['search', 'chat'],
    conversations: false,
    downloads: false,
  });
});

// In a private window the database is in memory, and there are no private files.
describe(`${firefox.name}, private windows`, () => {
  testKeeping(useEngine(firefox, 'private'), {
    title: 'private window',
    storage: true,
    jobs: ['search', 'chat'],
    conversations: true,
    downloads: true,
  });
});
