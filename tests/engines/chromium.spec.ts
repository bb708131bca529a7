// Chromium, with which the others are compared.

import { describe } from 'vitest';
import { nothingIsKept, testKeeping } from './jobs/keeping-tests.ts';
import { testOffline } from './jobs/offline-tests.ts';
import { testPages } from './jobs/page-tests.ts';
import { testParity } from './jobs/parity-tests.ts';
import { testSiteSearch } from './jobs/site-search-tests.ts';
import { chromium } from './support/puppeteer-engines.ts';
import { useEngine } from './support/use-engine.ts';

describe(chromium.name, () => {
  const running = useEngine(chromium);
  testPages(running);
  testParity(chromium, running);
  testSiteSearch(running);
  testOffline(running);
  testKeeping(running, nothingIsKept);
});
