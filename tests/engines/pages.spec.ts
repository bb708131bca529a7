// The main job of each page in each browser, under the site's own policy.

import { afterAll, beforeAll, describe, test } from 'vitest';
import { pageJobs } from './jobs/page-jobs.ts';
import { engines, useEngine } from './support/engines.ts';
import { makeTestFiles, type TestFiles } from './support/test-files.ts';
import { servePages, type TestSite } from './support/test-site.ts';
import { expectNoProblems } from './support/view.ts';

let site: TestSite;
let files: TestFiles;

beforeAll(async () => {
  site = await servePages({ storage: true });
  files = await makeTestFiles();
});

afterAll(async () => {
  await site?.close();
  await files?.remove();
});

describe.each(engines)('$name', (engine) => {
  const running = useEngine(engine);

  for (const [name, job] of Object.entries(pageJobs)) {
    test(`${name} page`, async () => {
      await job(running(), site.url, files);
      await expectNoProblems(running().page);
    });
  }
});
