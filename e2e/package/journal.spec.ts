// A session with a journal in IndexedDB: a reload in the middle of an answer, and the same answer without one.
import type { Page } from '@playwright/test';
import type { Generator } from 'ambry';
import { languageFile } from '../../tests/web/support/files/language-file.ts';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { expect } from '../fixtures.ts';
import { test } from './package-site.ts';

interface Answered {
  readonly isResumed: boolean;
  readonly ids: readonly number[];
  readonly messages: number;
  readonly left: string;
}

/** Goes on with the answer of the journal, or asks for one. Reloads the page after some tokens. */
function answer(page: Page, journal: string, reloadAfter = 0): Promise<Answered> {
  return page.evaluate(
    async ([name, after]) => {
      const { open, openJournal } = await import(`${location.origin}/index.js`);
      const model: Generator = await open('/language.amb', { kind: 'generator' });
      const kept = openJournal(name);
      const how = { temperature: 0.9, ignoreEos: true, maxTokens: 700, seed: 4 };
      const chat = await model.resumeSession(kept, how);
      const resumed = chat.resume();
      const run = resumed ?? chat.send('Hello');
      for await (const { index } of run) {
        if (after > 0 && index >= after) {
          location.reload();
          await new Promise(() => undefined);
        }
      }
      const { ids } = await run.result;
      const { length: messages } = chat.messages;
      await kept.clear();
      return { isResumed: resumed !== null, ids, messages, left: await kept.read() };
    },
    [journal, reloadAfter] as const,
  );
}

test('goes on after a reload with the same tokens', async ({ page, packageSite }) => {
  // So slow that a fast machine does not end the answer before the page is gone.
  const file = Buffer.from(languageFile({ layers: 12, width: 192, context: 1024 }));
  packageSite.serve({ content: contentOf(file) }, 'language.amb');
  const whole = await answer(page, 'whole');
  expect(whole).toMatchObject({ isResumed: false, messages: 2, left: '' });
  expect(whole.ids).toHaveLength(700);
  const reloaded = page.waitForEvent('load');
  const interrupted = answer(page, 'interrupted', 100);
  await Promise.all([reloaded, interrupted.catch(() => undefined)]);
  const rest = await answer(page, 'interrupted');
  expect(rest).toEqual({ ...whole, isResumed: true });
});

test('says why a page cannot keep a journal', async ({ page, packageSite }) => {
  packageSite.serve();
  const error = await page.evaluate(async () => {
    const { openJournal } = await import(`${location.origin}/index.js`);
    Object.defineProperty(globalThis, 'indexedDB', {
      value: {
        open: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      },
    });
    const { code, path, message } = await openJournal('notes')
      .read()
      .catch((caught: Error) => caught);
    return { code, path, message };
  });
  expect(error).toMatchObject({ code: 'Unsupported', path: 'notes' });
  expect(error.message).toContain('denied');
});
