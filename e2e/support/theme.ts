// Light and dark colours.
import type { Page } from '@playwright/test';

export const themes = ['light', 'dark'] as const;

/** Shows the page as the system asks for it, without the moment in which colours change. */
export async function showTheme(page: Page, colorScheme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}
