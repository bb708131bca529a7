// A page works after its server has ended.

import { expect, test } from 'vitest';
import type { RunningEngine } from '../support/engine-page.ts';
import { serveBuiltPages } from '../support/test-site.ts';
import { textOf, waitForText } from '../support/view.ts';

export function testOffline(running: () => RunningEngine): void {
  test('offline', async () => {
    const { page } = running();
    const site = await serveBuiltPages();
    const address = `${site.url}chat/index.html`;
    await page.goto(address);
    await waitForText(page, '.turn.model .turn-text', /^ there was /);
    await waitForText(page, '#offline-line', /^Works offline with what you used\.$/);
    const written = await textOf(page, '.turn.model .turn-text');
    await site.close();
    await page.goto(address);
    await waitForText(page, '.turn.model .turn-text', /^ there was .*\.$/s);
    expect(await textOf(page, '.turn.model .turn-text')).toContain(written?.slice(0, 20));
    await waitForText(page, '#offline-line', /^Works offline with what you used\.$/);
  });
}
