// A static site that is searched through `<ambry-search>`, under a strict policy.

import { expect, inject, test } from 'vitest';
import type { EnginePage, RunningEngine } from '../support/engine-page.ts';
import { expectNoProblems, waitFor } from '../support/view.ts';

const inBox = (part: string): string =>
  `document.querySelector('ambry-search').shadowRoot.querySelector('[part~=${part}]')`;

const waitForPart = (page: EnginePage, part: string, text: string): Promise<void> =>
  waitFor(page, `${inBox(part)}?.textContent.includes(${JSON.stringify(text)}) ?? false`, text);

/** The panel, and where its edges are in the window. */
const panelFits = `(() => {
  const { left, right, width, height } = ${inBox('panel')}.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && width > 200 && height > 100;
})()`;

export function testSiteSearch(running: () => RunningEngine): void {
  test('a static site is searched by words and meaning', async () => {
    const { page } = running();
    await page.goto(inject('searchedSite'));
    await page.click('ambry-search');
    await page.type('ambry-search', 'vinegar');
    await waitForPart(page, 'mark', 'vinegar');
    await waitForPart(page, 'meaning-ready', 'By words and meaning');
    expect(await page.evaluate(panelFits)).toBe(true);

    // No page has these words.
    await page.evaluate(`void (document.querySelector('ambry-search').value = 'sick doctors')`);
    await waitForPart(page, 'title', 'Illness');
    const filter = `${inBox('filters')}.querySelector('[part~=filter]')`;
    await waitFor(page, `${filter}.getAttribute('aria-pressed') === 'false'`, 'a filter');
    await page.evaluate(`${filter}.click()`);
    await waitFor(page, `${filter}.getAttribute('aria-pressed') === 'true'`, 'the chosen filter');
    await waitForPart(page, 'title', 'Illness');

    await page.evaluate(`${inBox('option')}.click()`);
    await waitFor(page, `location.pathname === '/guide/illness.html'`, 'the page of the result');
    await expectNoProblems(page);
  });
}
