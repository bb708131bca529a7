// Chromium, with which the others are compared. Its pages, a site that is searched, and work without a network are tests
// of Playwright (e2e).

import { describe } from 'vitest';
import { nothingIsKept, testKeeping } from './jobs/keeping-tests.ts';
import { testParity } from './jobs/parity-tests.ts';
import { chromium } from './support/puppeteer-engines.ts';
import { useEngine } from './support/use-engine.ts';

describe(chromium.name, () => {
  const running = useEngine(chromium);
  testParity(chromium, running);
  testKeeping(running, nothingIsKept);
});
