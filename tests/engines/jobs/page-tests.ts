// The main job of each page, under the site's own policy.

import { inject, test } from 'vitest';
import type { RunningEngine } from '../support/engine-page.ts';
import { expectNoProblems } from '../support/view.ts';
import { pageJobs } from './page-jobs.ts';

export function testPages(running: () => RunningEngine): void {
  for (const [name, job] of Object.entries(pageJobs)) {
    test(`${name} page`, async () => {
      await job(running(), inject('sites').pages, inject('files'));
      await expectNoProblems(running().page);
    });
  }
}
