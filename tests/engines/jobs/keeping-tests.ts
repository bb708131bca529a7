// The tests of a browser that keeps nothing, or not in files: the jobs of the pages work, the pages and the package say
// what is not kept, and nothing fails unhandled.

import { expect, inject, test } from 'vitest';
import type { Kept } from '../site/keeping.ts';
import type { RunningEngine } from '../support/engine-page.ts';
import { expectNoProblems, textOf, waitForScript, waitForText } from '../support/view.ts';
import { deleteDownloads, pageJobs } from './page-jobs.ts';

const searchSaysNothingIsKept =
  /This browser does not let the page save data\. A reload discards what you added\./;
const chatSaysNothingIsKept = /This browser does not let the page save conversations/;
const vectorsAreNotKept = 'The vectors are not kept: This browser keeps no files for this page.';
const downloadIsNotKept = 'This browser keeps no files for this page; the download is not kept.';

export interface KeepingCase {
  /** What the browser lacks. */
  readonly title: string;
  /** False takes every way to keep data from the pages and the workers. */
  readonly storage: boolean;
  /** The pages. */
  readonly jobs: readonly (keyof typeof pageJobs)[];
  /** What it keeps all the same, in memory, until the window is closed. */
  readonly conversations: boolean;
  readonly downloads: boolean;
}

export function testKeeping(running: () => RunningEngine, given: KeepingCase): void {
  const { title, jobs, storage, conversations, downloads } = given;
  const sites = () => inject(storage ? 'sites' : 'sitesWithoutStorage');

  for (const name of jobs) {
    test(`${name} page, ${title}`, async ({ task }) => {
      const { page } = running();
      await pageJobs[name](running(), sites().pages, inject('files'));
      if (name === 'search') {
        await waitForText(page, '#saved-problem', searchSaysNothingIsKept);
        task.meta.detail = (await textOf(page, '#saved-problem')) ?? '';
      }
      if (name === 'chat' && !conversations) {
        await waitForText(page, '#history-problem', chatSaysNothingIsKept);
        task.meta.detail = (await textOf(page, '#history-problem')) ?? '';
      }
      await expectNoProblems(page);
    });
  }

  if (downloads) {
    test(`downloads are kept and deleted, ${title}`, async () => {
      await deleteDownloads(running().page, sites().pages);
      await expectNoProblems(running().page);
    });
  }

  test(`package, ${title}`, async ({ task }) => {
    const { page } = running();
    await page.goto(sites().package);
    await waitForScript(page, 'runKeeping');
    const kept = await page.evaluate<Kept>('runKeeping("valid.weights")');
    task.meta.detail = kept.notes.join(' ');
    expect(kept.found).toBe('Bread needs water and fire.');
    expect(kept.notes).toContain(vectorsAreNotKept);
    expect(kept.notes.includes(downloadIsNotKept)).toBe(!downloads);
    expect(kept).toMatchObject({
      downloads: downloads ? 1 : 0,
      vectors: 0,
      deleted: [downloads, false],
      doctor: { ok: false, found: 'no origin-private file system' },
    });
    expect(kept.doctor.fix).toMatch(/vectors are not kept without it/);
    await expectNoProblems(page);
  });
}

/** A browser without any way to keep data. */
export const nothingIsKept: KeepingCase = {
  title: 'without storage',
  storage: false,
  jobs: ['search', 'check', 'words', 'classify', 'chat', 'convert'],
  conversations: false,
  downloads: false,
};
