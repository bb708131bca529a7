// Searches through the element of a page, whichever browser shows it. The parts of the element are in its shadow tree.
import { expect } from 'vitest';
import type { EnginePage } from '../../engines/support/engine-page.ts';
import { expectNoProblems, waitFor } from '../../engines/support/view.ts';

const host = 'document.querySelector("ambry-search")';
const results = `[...${host}.shadowRoot.querySelectorAll('[role=option]')]`;

export interface Found {
  readonly text: string;
  readonly href: string;
}

/** Types a query, and waits for a result whose text has `wanted`. */
export async function searchFor(page: EnginePage, query: string, wanted: string): Promise<Found> {
  await page.evaluate(`(() => {
    ${host}.focus();
    ${host}.value = ${JSON.stringify(query)};
  })()`);
  const found = `${results}.find((one) => one.textContent.includes(${JSON.stringify(wanted)}))`;
  await waitFor(page, `${found} !== undefined`, `a result with ${wanted} for ${query}`);
  return page.evaluate(`(({ textContent, href }) => ({ text: textContent, href }))(${found})`);
}

/** The element of a page finds by words, and a passage that has none of the words by its meaning. */
export async function elementJob(page: EnginePage, address: string): Promise<void> {
  await page.goto(address);
  await waitFor(page, `${host}?.shadowRoot != null`, 'the element');
  const cats = await searchFor(page, 'purr', 'Cats');
  expect(new URL(cats.href).pathname).toMatch(/^\/handbook\/cats\/?$/);
  const storms = await searchFor(page, 'bad weather at sea', 'Storms');
  expect(new URL(storms.href).hash).toBe('#storms');
  await expectNoProblems(page);
}
