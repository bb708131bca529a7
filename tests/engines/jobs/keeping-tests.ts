// The tests of a browser that keeps nothing, or not in files: the jobs of the pages work, the pages and the package say what is
// not kept, and nothing fails unhandled.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Kept } from '../site/keeping.ts';
import type { Engine, Privacy } from '../support/engine-page.ts';
import { engines, useEngine } from '../support/engines.ts';
import { makeTestFiles, type TestFiles } from '../support/test-files.ts';
import { servePages, serveParityPage, type TestSite } from '../support/test-site.ts';
import { expectNoProblems, textOf, waitForScript, waitForText } from '../support/view.ts';
import { deleteDownloads, pageJobs } from './page-jobs.ts';

const searchSaysNothingIsKept =
  /This browser does not let the page save data\. A reload discards what you added\./;
const chatSaysNothingIsKept = /This browser does not let the page save conversations/;

export interface KeepingCase {
  /** What the browser lacks. */
  readonly title: string;
  readonly privacy: Privacy;
  readonly engines: readonly Engine[];
  /** False takes every way to keep data from the pages and the workers. */
  readonly storage: boolean;
  /** The pages. */
  readonly jobs: readonly (keyof typeof pageJobs)[];
  /** What it keeps all the same, in memory, until the window is closed. */
  readonly conversations: boolean;
  readonly downloads: boolean;
}

export function testKeeping(one: KeepingCase): void {
  const { title, privacy, storage, jobs } = one;
  const chosen = engines.filter((engine) => one.engines.includes(engine));

  describe.skipIf(chosen.length === 0)(title, () => {
    let files: TestFiles;
    let pages: TestSite;
    let keeping: TestSite;

    beforeAll(async () => {
      files = await makeTestFiles();
      pages = await servePages({ storage });
      const model = new Map([['tiny.weights', await readFile(files.valid)]]);
      keeping = await serveParityPage(model, { storage });
    });
    afterAll(async () => {
      await pages?.close();
      await keeping?.close();
      await files?.remove();
    });

    describe.each(chosen)(`$name, ${title}`, (engine) => {
      const running = useEngine(engine, privacy);

      for (const name of jobs) {
        test(`${name} page, ${title}`, async ({ task }) => {
          const { page } = running();
          await pageJobs[name](running(), pages.url, files);
          if (name === 'search') {
            await waitForText(page, '#saved-problem', searchSaysNothingIsKept);
            task.meta.detail = (await textOf(page, '#saved-problem')) ?? '';
          }
          if (name === 'chat' && !one.conversations) {
            await waitForText(page, '#history-problem', chatSaysNothingIsKept);
            task.meta.detail = (await textOf(page, '#history-problem')) ?? '';
          }
          await expectNoProblems(page);
        });
      }

      if (one.downloads) {
        test(`downloads are kept and deleted, ${title}`, async () => {
          await deleteDownloads(running().page, pages.url);
          await expectNoProblems(running().page);
        });
      }

      test(`package, ${title}`, async ({ task }) => {
        const { page } = running();
        await page.goto(keeping.url);
        await waitForScript(page, 'runKeeping');
        const kept = await page.evaluate<Kept>('runKeeping("tiny.weights")');
        expect(kept.found).toBe('Bread needs water and fire.');
        expect(kept.notes).toContain(
          'The vectors are not kept: This browser keeps no files for this page.',
        );
        const note = 'This browser keeps no files for this page; the download is not kept.';
        expect(kept.notes.includes(note)).toBe(!one.downloads);
        expect(kept).toMatchObject({
          downloads: one.downloads ? 1 : 0,
          vectors: 0,
          deleted: [one.downloads, false],
          doctor: { ok: false, found: 'no origin-private file system' },
        });
        expect(kept.doctor.fix).toMatch(/private window/);
        task.meta.detail = kept.notes.join(' ');
        await expectNoProblems(page);
      });
    });
  });
}
