// What axe finds on a page as it is now, in light and in dark colours.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
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
  // No page has frames. Without looking for them, axe takes half of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  axe.options({ resultTypes: ['violations'], rules: rules === undefined ? furtherRules : {} });
  if (within !== undefined) {
    axe.include(within);
  }
  if (rules !== undefined) {
    axe.withRules([...rules]);
  }
  const { violations } = await axe.analyze();
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
