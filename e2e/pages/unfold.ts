import type { Locator, Page } from '@playwright/test';

/** Opens the fold with this label, unless it is open. */
export async function unfold(panel: Locator, label: string): Promise<void> {
  const fold = panel.getByRole('group').filter({ hasText: label });
  if ((await fold.getAttribute('open')) === null) {
    await panel.getByText(label, { exact: true }).click();
  }
}

/** Opens a fold that drops down over the page, unless it is open. */
export async function openMenu(page: Page, label: string): Promise<void> {
  const summary = page.locator('details.menu > summary').filter({ hasText: label });
  if ((await summary.locator('..').getAttribute('open')) === null) {
    await summary.click();
  }
}
