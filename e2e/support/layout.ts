// What a layout must not have: parts that scroll within the page, and targets that are too small to press.
import type { Page } from '@playwright/test';

/** Lines of code are not broken, so these parts scroll sideways. */
const sideways = [
  // An answer of the chat page.
  '.code-block pre',
  // The code of the playground.
  '#code',
  // Programs in the documentation.
  '.vp-doc pre',
];

/** The field of the chat page stays in the window, so a long text scrolls in it. */
const downwards = '#draft';

/** The parts of the page that scroll by themselves, as they begin in HTML. */
export function nestedScrollers(page: Page): Promise<string[]> {
  return page.locator('body *').evaluateAll(
    (parts, [code, field]) => {
      const scrolls = (overflow: string): boolean => /auto|scroll/.test(overflow);
      return parts
        .filter((part) => {
          const { overflowX, overflowY } = getComputedStyle(part);
          const { scrollHeight, clientHeight, scrollWidth, clientWidth } = part;
          const down =
            scrolls(overflowY) && scrollHeight > clientHeight + 1 && !part.matches(field);
          const aside = scrolls(overflowX) && scrollWidth > clientWidth + 1;
          return down || (aside && !part.matches(code));
        })
        .map(({ outerHTML }) => outerHTML.slice(0, 200));
    },
    [sideways.join(), downwards] as const,
  );
}

/** By how many pixels the page is wider than the window. */
export function excessWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

/** The targets with a side below `least` pixels. The label of a box or radio button is pressed with it. Links within a text,
 *  and the signs beside headings, have the height of its lines (WCAG 2.2, 2.5.8). */
export function smallTargets(page: Page, least: number): Promise<string[]> {
  const targets =
    'button, .button, a:not(.header-anchor), summary, select, textarea, input, [role="button"], [role="treeitem"]';
  return page.locator(targets).evaluateAll(
    (all, pixels) =>
      all
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .filter((one) => !one.matches('.visually-hidden'))
        .filter((one) => !one.matches('a') || getComputedStyle(one).display !== 'inline')
        .map((one) => [one, (one.closest('label') ?? one).getBoundingClientRect()] as const)
        .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < pixels - 0.5)
        .map(([{ outerHTML }, { width, height }]) => `${width} × ${height}: ${outerHTML}`),
    least,
  );
}
