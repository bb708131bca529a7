// Drives the built site in Debian's Chromium without its windows, which halve the speed of the tests. Build first:
// `npm run build`.

import { defineConfig, devices } from '@playwright/test';
import { chromiumPath } from './support/chromium.ts';

/** What every change runs: what each page is for, one spec a page, and the package in a page. The rest are details of pages,
 *  what all pages have in common, kinds of models, faults of a network, and jobs that are interrupted. */
const short = [
  '{chat/chat,check/check,classify/classify,convert/convert,docs/docs,home/home,search/search,words/words}.spec.ts',
  'package/{open,parity}.spec.ts',
];

export default defineConfig({
  testDir: '.',
  outputDir: '../build/e2e/output',
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  // A browser on a busy machine loses a race now and then. tests/run.mjs names what passed only the second time.
  retries: 1,
  // `npm test` runs the first, `npm run check` the second.
  projects: [
    { name: 'pages', testMatch: short },
    { name: 'long', testIgnore: short },
  ],
  reporter: [['list'], ['json', { outputFile: '../build/e2e/report.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 900 },
    // What a service worker requests is not seen by `page.route`. The specs about service workers allow them.
    serviceWorkers: 'block',
    // A trace of every test would take a quarter of their time; `--trace retain-on-failure` records them.
    screenshot: 'only-on-failure',
    // Playwright waits until what it clicks stands still. Tests of what moves ask for motion.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-default-apps',
        '--disable-sync',
        '--no-first-run',
        '--no-default-browser-check',
      ],
    },
  },
});
