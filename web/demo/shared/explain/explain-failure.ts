// Finds out more about a failure, for the plan of a job. The code for that comes with the first failure.

import type { GivenFiles } from '../files/given-files.ts';
import type { JobPlan } from '../jobs/jobs.ts';
import type { FilePage } from '../recognize/file-pages.ts';

type Explain = NonNullable<JobPlan['explain']>;

/** For opening files that the user gave to the page. */
export const explainGiven =
  (given: GivenFiles, page: FilePage): Explain =>
  async (error) => {
    const { explainFiles } = await import('./explain.ts');
    return explainFiles(error, given, page);
  };

/** For opening a model from an address. */
export const explainAddress =
  (url: string, page: FilePage): Explain =>
  async (error) => {
    const { explainUrl } = await import('./explain.ts');
    return explainUrl(error, url, page);
  };
