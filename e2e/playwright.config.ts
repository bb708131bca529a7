// Drives the built site in Debian's Chromium without its windows, which halve the speed of the tests. Build first:
// `npm run build`.

import { defineConfig, devices } from '@playwright/test';
import { chromiumPath } from './support/chromium.ts';

/** More than half of the time: every state for axe, every width, llama.cpp beside us, sites without their server, every link
 *  and program that pages give, other formats, faults of addresses, maps, histories, and jobs that are interrupted. */
const long = [
  'access/**',
  'chat/{form,history}.spec.ts',
  'docs/{code-blocks,tutorial}.spec.ts',
  'every-page/{links,other-formats,remote-models,screenshots,scrolling,second-tab,shell,snippets}.spec.ts',
  'gguf/**',
  'offline/**',
  'search/{access,bad-urls,documents,isolated,map,models,permalink,workspace}.spec.ts',
  'words/map.spec.ts',
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
    { name: 'pages', testIgnore: long },
    { name: 'long', testMatch: long },
  ],
  reporter: [['list'], ['json', { outputFile: '../build/e2e/report.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 900 },
    // What a service worker requests is not seen by `page.route`. The specs about service workers allow them.
    serviceWorkers: 'block',
    // A trace of every test would take a quarter of their time; `--trace retain-on-failure` records them.
    screenshot: 'only-on-failure',
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
