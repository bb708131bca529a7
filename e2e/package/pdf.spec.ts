// PDFs in a page without a bundler: the package ambry-pdf reads them, under the policy of docs/csp.md.
import { expect, type Page } from '@playwright/test';
import { paragraph, pdfFile } from '../../tests/web/support/files/pdf-file.ts';
import { test } from './package-origins.ts';

type Passages = typeof import('ambry/passages');

/** The texts of a PDF, or what went wrong. `entry` is a file of ambry-pdf that the page imports before. */
const readPdf = (page: Page, packages: string, entry?: string) =>
  page.evaluate(
    async ([url, first, bytes]) => {
      if (first) {
        await import(`${url}/pdf/dist/${first}`);
      }
      const { readDocument } = (await import(`${url}/passages/passages.js`)) as Passages;
      try {
        const { passages } = await readDocument('ferry.pdf', new Uint8Array(bytes));
        return passages.map(({ text }) => text);
      } catch (error) {
        const { code, path, message } = error as { code?: string; path?: string; message: string };
        return { code, path, message };
      }
    },
    [
      packages,
      entry,
      [...pdfFile([{ lines: paragraph(700, 'The ferry leaves at noon.') }])],
    ] as const,
  );

const texts = ['The ferry leaves at noon.'];
const isPdfjs = (path: string) => path.endsWith('/pdfjs.js');
/** `'unsafe-inline'` lets the test run its own code in the page. */
const strict =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:";

test('a worker reads PDFs under a strict policy, and PDF.js comes with the first', async ({
  origins: { own },
  page,
}) => {
  own.policy = strict;
  const scripts: string[] = [];
  page.on('worker', (worker) => scripts.push(new URL(worker.url()).pathname));
  await page.goto(own.url);
  await page.evaluate((url) => import(`${url}/pdf/dist/index.js`), own.url);
  expect(own.asked.filter(isPdfjs)).toEqual([]);
  expect(await readPdf(page, own.url, 'index.js')).toEqual(texts);
  expect(scripts).toEqual(['/pdf/dist/pdf-worker.js']);
  expect(own.asked.some(isPdfjs)).toBe(true);
});

test('a page without the package is told what to add, and asks for nothing', async ({
  origins: { own },
  page,
}) => {
  await page.goto(own.url);
  expect(await readPdf(page, own.url)).toMatchObject({
    code: 'Unsupported',
    path: 'ferry.pdf',
    message: expect.stringMatching(
      /npm install ambry-pdf, and add this line: import 'ambry-pdf';.*without a bundler/,
    ),
  });
  expect(own.asked.filter((path) => path.includes('pdf'))).toEqual([]);
});

test('the page reads PDFs itself where a bundler has left out the worker', async ({
  origins: { own },
  page,
  browserErrors,
}) => {
  own.hasWorkers = false;
  browserErrors.expect(/Failed to load module script/);
  await page.goto(own.url);
  expect(await readPdf(page, own.url, 'index.js')).toEqual(texts);
});

test('the package may come from another origin', async ({ origins: { own, other }, page }) => {
  await page.goto(own.url);
  expect(await readPdf(page, other.url, 'index.js')).toEqual(texts);
  expect(other.asked).toContain('/pdf/dist/pdf-worker.js');
});

test('the entry for service workers reads PDFs on the thread of the page', async ({
  origins: { own },
  page,
}) => {
  await page.goto(own.url);
  expect(await readPdf(page, own.url, 'in-thread.js')).toEqual(texts);
  expect(own.asked.filter((path) => path.includes('worker'))).toEqual([]);
});
