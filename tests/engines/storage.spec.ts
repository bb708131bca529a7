// Browsers that have no way to keep data.

import { testKeeping } from './jobs/keeping-tests.ts';
import { chromium, firefox } from './support/puppeteer-engines.ts';
import { webkit } from './support/webkit-engine.ts';

testKeeping({
  title: 'without storage',
  privacy: 'usual',
  engines: [chromium, firefox, webkit],
  storage: false,
  jobs: ['search', 'check', 'words', 'classify', 'chat', 'convert'],
  conversations: false,
  downloads: false,
});
