import type { Locator } from '@playwright/test';

/** Opens the fold with this label, unless it is open. */
export async function unfold(panel: Locator, label: string): Promise<void> {
  const fold = panel.getByRole('group').filter({ hasText: label });
  if ((await fold.getAttribute('open')) === null) {
    await panel.getByText(label, { exact: true }).click();
  }
}
