// Browsers that refuse to keep data, or to keep files, as their users set them or as they always do.

import { testKeeping } from './jobs/keeping-tests.ts';
import { firefox } from './support/puppeteer-engines.ts';
import { webkit } from './support/webkit-engine.ts';

testKeeping({
  title: 'all data of pages blocked',
  privacy: 'blocked',
  engines: [firefox],
  storage: true,
  jobs: ['search', 'chat'],
  conversations: false,
  downloads: false,
});

testKeeping({
  title: 'private window',
  privacy: 'private',
  engines: [firefox],
  storage: true,
  jobs: ['search', 'chat'],
  conversations: true,
  downloads: true,
});

testKeeping({
  title: 'no private files',
  privacy: 'usual',
  engines: [webkit],
  storage: true,
  jobs: ['search'],
  conversations: true,
  downloads: true,
});
