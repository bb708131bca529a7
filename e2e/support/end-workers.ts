import type { Page } from '@playwright/test';

/** Has all workers of a page fail, as if they had crashed. */
export async function endWorkers(page: Page): Promise<void> {
  for (const worker of page.workers()) {
    await worker.evaluate(() => {
      setTimeout(() => {
        throw new Error('The test ends this worker.');
      });
    });
  }
}
