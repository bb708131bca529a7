// After the main work of each page, and with more on it than a screen holds: only the page scrolls, and what is pressed is
// large enough.
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { excessWidth, nestedScrollers, smallTargets } from '../support/layout.ts';
import { fullPages } from './full-pages.ts';
import { visits } from './page-visits.ts';

/** A mouse needs less room than a finger. Narrow windows are mostly on phones. */
const looks = [
  { width: 1280, height: 900, least: 32 },
  { width: 1024, height: 800, least: 32 },
  { width: 720, height: 900, least: 44 },
  { width: 390, height: 844, least: 44 },
];

/** Lets a finger press from now on. */
async function addFinger(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  expect(await page.evaluate(() => matchMedia('(any-pointer: coarse)').matches)).toBe(true);
}

async function expectLooks(page: Page, state: string): Promise<void> {
  for (const { width, height, least } of looks) {
    await page.setViewportSize({ width, height });
    const look = `${state} at ${width} pixels`;
    expect(await nestedScrollers(page), look).toEqual([]);
    expect(await excessWidth(page), look).toBeLessThanOrEqual(0);
    expect(await smallTargets(page, least), look).toEqual([]);
  }
}

const states = [
  ...visits.map(({ name, work }) => ({ name, work })),
  ...fullPages.map(({ name, fill }) => ({ name: `${name}, full`, work: fill })),
];

for (const { name, work } of states) {
  test(`only the page scrolls, and targets are large: ${name}`, async ({ page, site, tiny }) => {
    await work(page, site, tiny);
    await expectLooks(page, name);
    await page.setViewportSize({ width: 1280, height: 900 });
    await addFinger(page);
    expect(await smallTargets(page, 44), `${name} with a finger, in a wide window`).toEqual([]);
  });
}

test('a part that scrolls and a small target are found', async ({ page }) => {
  await page.setContent(`
    <ul style="height: 20px; overflow: auto"><li>one<li>two<li>three</ul>
    <button style="width: 20px">x</button><p>A <a href="#">link</a> in a text</p>`);
  expect(await nestedScrollers(page)).toEqual([expect.stringMatching(/^<ul/)]);
  expect(await smallTargets(page, 44)).toEqual([expect.stringContaining('<button')]);
});
