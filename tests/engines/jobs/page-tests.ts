// The main job of each page, and what the pages do beside it, under the site's own policy.

import { inject, test } from 'vitest';
import type { RunningEngine } from '../support/engine-page.ts';
import { expectNoProblems, shownBy } from '../support/view.ts';
import { featureJobs } from './feature-jobs.ts';
import { pageJobs } from './page-jobs.ts';

export function testPages(running: () => RunningEngine): void {
  const pages = Object.entries(pageJobs).map(([name, job]) => [`${name} page`, job] as const);
  for (const [title, job] of [...pages, ...Object.entries(featureJobs)]) {
    test(title, async () => {
      const { page } = running();
      try {
        await job(running(), inject('sites').pages, inject('files'));
        await expectNoProblems(page);
      } catch (failure) {
        console.error(`${title}: the page shows\n${await shownBy(page)}`);
        throw failure;
      }
    });
  }
}
