// What the button "Share" of a page offers.
import type { Page } from '@playwright/test';

/** Chooses an entry of the menu. A page with several of these buttons needs the selector of a part around one. */
export async function chooseShare(page: Page, entry: string, host = '.share'): Promise<void> {
  const part = page.locator(host);
  await part.getByRole('button', { name: 'Share', exact: true }).first().click();
  await part.getByRole('button', { name: entry, exact: true }).first().click();
}

export const showPrograms = (page: Page, host = '.share'): Promise<void> =>
  chooseShare(page, 'Use this in your page', host);
