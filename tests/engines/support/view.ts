// What the tests read from a page, and wait for.

import { expect, vi } from 'vitest';
import type { EnginePage } from './engine-page.ts';

/** Against hanging, not a measure: on a busy machine pages take several times as long. */
const limitMs = 45_000;

const quoted = (text: string): string => JSON.stringify(text);

/** The text of the first such element; null if there is none. */
export function textOf(page: EnginePage, selector: string): Promise<string | null> {
  return page.evaluate(`document.querySelector(${quoted(selector)})?.textContent ?? null`);
}

/** The texts of all such elements. */
export function textsOf(page: EnginePage, selector: string): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll(${quoted(selector)})].map((element) => element.textContent)`,
  );
}

export async function waitForText(
  page: EnginePage,
  selector: string,
  pattern: RegExp,
  timeout = limitMs,
): Promise<void> {
  await expect
    .poll(async () => (await textOf(page, selector)) ?? '', {
      timeout,
      interval: 100,
      message: `the text of ${selector}`,
    })
    .toMatch(pattern);
}

/** Waits until the expression has the value true. */
export async function waitFor(page: EnginePage, expression: string, what: string): Promise<void> {
  await expect
    .poll(() => page.evaluate<boolean>(expression), {
      timeout: limitMs,
      interval: 100,
      message: what,
    })
    .toBe(true);
}

/** Replaces what is in a field, as a user who selects all of it and types. */
export async function fill(page: EnginePage, selector: string, text: string): Promise<void> {
  await page.evaluate(`document.querySelector(${quoted(selector)}).select()`);
  await page.type(selector, text);
}

/** Fails if the page had errors, warnings or violations of its policy since it was opened. */
export async function expectNoProblems(page: EnginePage): Promise<void> {
  expect(await page.evaluate<string[]>('globalThis.ambryProblems')).toEqual([]);
}

/** Waits until the page has such a function. */
export async function waitForScript(page: EnginePage, name: string): Promise<void> {
  const look = async () => {
    const isThere = await page.evaluate<boolean>(`typeof globalThis.${name} === 'function'`);
    if (!isThere) {
      throw new Error(`The page has no function ${name}.`);
    }
  };
  await vi.waitFor(look, { timeout: limitMs, interval: 100 });
}

/** What the page shows, for the message of a test that failed. */
export async function shownBy(page: EnginePage): Promise<string> {
  const shown = `[location.href, document.readyState, document.querySelector('main')?.innerText.slice(0, 1500),
    JSON.stringify(globalThis.ambryProblems)].join('\\n')`;
  return page.evaluate<string>(shown).catch((error: unknown) => `no answer: ${error}`);
}
