// What axe finds on a page as it is now, in light and in dark colours.
import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';
import { showTheme, themes } from './theme.ts';

/** The rules that look at colours. All others give the same in every theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** A rule of WCAG 2.2 that axe leaves out unless it is asked. */
const furtherRules = { 'target-size': { enabled: true } };

export interface Looked {
  /** A selector of the part that is looked at. Without it, the whole page is. */
  readonly within?: string;
  readonly rules?: readonly string[];
}

/** One line for each rule that the page breaks. */
export async function violationsOf(
  page: Page,
  { within, rules }: Looked = {},
): Promise<readonly string[]> {
  // Once a page: to read its source takes axe longer than to look at a page.
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source);
  }
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(rules === undefined ? { rules: furtherRules } : { runOnly: [...rules] }),
  };
  const violations = await page.evaluate(
    async ([part, how]) => {
      const { axe: loaded } = window as unknown as { axe: typeof axe };
      return (await loaded.run(part ?? document, how)).violations;
    },
    [within, options] as const,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Expects that axe finds nothing: by all rules in light colours, and by those of colours in dark ones. `state` names what the
 *  page shows. */
export async function expectAccessible(
  page: Page,
  state: string,
  looked: Looked = {},
): Promise<void> {
  await test.step(`accessible: ${state}`, async () => {
    for (const colorScheme of themes) {
      await showTheme(page, colorScheme);
      const rules = colorScheme === 'dark' ? { rules: colourRules } : {};
      const found = await violationsOf(page, { ...rules, ...looked });
      expect(found, `${state}, ${colorScheme}`).toEqual([]);
    }
  });
}
