import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { withReservedWord } from '../support/edit-embd.ts';

/** The problems that axe finds. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the search page is accessible in ${colorScheme} mode`, async ({ page, search }, info) => {
    await page.emulateMedia({ colorScheme });
    await search.ask('trouble falling asleep at night');
    await search.chooseModel({ name: 'bad.weights', buffer: Buffer.from('nonsense') });
    await expect(search.alert).not.toBeEmpty();
    await page.getByText('Paste text').click();
    expect(await violations(page)).toEqual([]);
    await page.screenshot({ path: info.outputPath(`${colorScheme}.png`), fullPage: true });
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`search results are accessible in ${colorScheme} mode`, async ({ page, search }, info) => {
    await page.emulateMedia({ colorScheme });
    const text = 'Goldfish do badly in a bowl: they need a tank.';
    const lines = `${JSON.stringify(text.replace(':', ','))}\n"Bowls are for soup."\n`;
    await search.addDocuments(
      { name: 'fish.txt', buffer: Buffer.from(text) },
      { name: 'more.jsonl', buffer: Buffer.from(lines) },
    );
    await expect(search.documents).toContainText('3 passages');
    await search.ask('goldfish in a bowl');
    await search.source('more.jsonl').click();
    await search.source('fish.txt').click();
    await search.results.first().getByText('1 more like this').click();
    await search.results.first().getByText('Contribution of each word piece').click();
    await expect(search.results.first().locator('.piece').first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.screenshot({ path: info.outputPath(`${colorScheme}-answers.png`) });
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the check page is accessible in ${colorScheme} mode`, async ({ page, check, tiny }) => {
    await page.emulateMedia({ colorScheme });
    await check.choose(
      { name: 'cut.weights', buffer: tiny.subarray(0, 1000) },
      { name: 'odd.weights', buffer: withReservedWord(tiny) },
    );
    await expect(check.files.nth(1)).toContainText('Valid, with warnings');
    expect(await violations(page)).toEqual([]);
    await check.files.nth(1).getByRole('button').first().click();
    await check.report.getByRole('button', { name: 'Check all values' }).click();
    await expect(check.verdict).toContainText('all values');
    await check.part('Attention').click();
    await expect(check.chosenPart).toContainText('Attention');
    await check.table.getByRole('row').nth(1).getByRole('button').click();
    await expect(check.table.getByText('First values')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the convert page is accessible in ${colorScheme} mode`, async ({
    page,
    converter,
    tiny,
  }) => {
    await page.emulateMedia({ colorScheme });
    await converter.choose({ name: 'tiny.weights', buffer: tiny });
    await converter.target('EMBD').check();
    await converter.storeAs('8-bit integers');
    await converter.convert();
    await expect(converter.verdict).toContainText('Checked');
    expect(await violations(page)).toEqual([]);
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the words page is accessible in ${colorScheme} mode`, async ({ page, words }) => {
    await page.emulateMedia({ colorScheme });
    await words.file.getByText('About this file').click();
    await words.accuracy.getByRole('button', { name: 'Use the built-in questions' }).click();
    await expect(words.sections.last()).toContainText('Total');
    expect(await violations(page)).toEqual([]);
    await words.lookUp('moonlike');
    await expect(words.ngrams.first()).toBeVisible();
    await words.choose({ name: 'bad.fifu', buffer: Buffer.from('FiFu and nonsense') });
    await expect(words.alert).not.toBeEmpty();
    expect(await violations(page)).toEqual([]);
  });
}

test('the words page can be used with the keyboard alone', async ({ page, words }) => {
  await words.word.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('violin');
  await page.keyboard.press('Enter');
  await expect(words.answer).toContainText('“violin”');
  const reached = new Set<string>();
  for (let step = 0; step < 24; step += 1) {
    await page.keyboard.press('Tab');
    reached.add(
      await page.evaluate(() => {
        const at = document.activeElement;
        return (at?.getAttribute('aria-label') ?? at?.textContent ?? '').trim();
      }),
    );
  }
  for (const name of ['winter', 'Zoom in', 'Show all of the map', 'The map as text']) {
    expect(reached).toContain(name);
  }
  await words.neighbours.first().getByRole('button').focus();
  await page.keyboard.press('End');
  await expect(words.neighbours.last().getByRole('button')).toBeFocused();
  const last = await words.neighbours.last().getByRole('button').textContent();
  await page.keyboard.press('Enter');
  await expect(words.word).toHaveValue(last ?? '');
});

test('the words page fits on a narrow phone', async ({ page, words }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await words.lookUp('moonlike');
  await words.accuracy.getByRole('button', { name: 'Use the built-in questions' }).click();
  await expect(words.sections.last()).toContainText('Total');
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
});

test('the convert page fits on a narrow phone', async ({ page, converter, tiny }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await converter.choose({ name: 'tiny.weights', buffer: tiny });
  await converter.convertTo('EMBD');
  await expect(converter.verdict).toContainText('Checked');
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
});

test('the check page fits on a narrow phone', async ({ page, check, tiny }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await check.choose({ name: 'odd.weights', buffer: withReservedWord(tiny) });
  await expect(check.verdict).toContainText('Valid EMBD');
  await check.report.getByRole('button', { name: 'Check all values' }).click();
  await expect(check.verdict).toContainText('all values');
  await check.table.getByRole('row').nth(1).getByRole('button').click();
  await check.map.getByRole('button', { name: /^header/ }).click();
  await expect(check.map.locator('.hex')).toBeVisible();
  const scrollers = await check.report.evaluate((report) =>
    [...report.querySelectorAll('*')]
      .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
        return (
          clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1)
        );
      })
      .filter((node) => /auto|scroll/.test(getComputedStyle(node).overflow))
      .map(({ id, className }) => `${id} ${className}`),
  );
  expect(scrollers, 'only the page scrolls').toEqual([]);
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
});

test('the search page can be used with the keyboard alone', async ({ page, search }) => {
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the search field' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(search.query).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(search.query).not.toBeFocused();
  await page.keyboard.press('/');
  await expect(search.query).toBeFocused();
  await page.keyboard.type('goldfish in a bowl');
  await expect(search.results.first()).toContainText('Goldfish');
  await expect(search.marks.first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(search.results.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(search.results.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(search.results.last()).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowUp');
  await expect(search.query).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(search.query).toBeFocused();
  await page.keyboard.type(' / tank');
  await expect(search.query).toHaveValue('goldfish in a bowl / tank');
});

test('Tab reaches every control in the order of the page', async ({ page, search }) => {
  await search.query.focus();
  const names: string[] = [];
  for (let step = 0; step < 14; step += 1) {
    await page.keyboard.press('Tab');
    names.push(
      await page.evaluate(() => {
        const at = document.activeElement;
        const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : null;
        return (label ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '').trim();
      }),
    );
  }
  expect(names.slice(0, 3)).toEqual([
    'trouble falling asleep at night',
    'what helps against an insect bite',
    'nausea on a boat',
  ]);
  for (const name of [
    'Open another model',
    'Remove Everyday notes',
    'Add files…',
    'Paste text',
    'Export',
    'Import…',
  ]) {
    expect(names).toContain(name);
  }
});

test('the search page fits on a narrow phone', async ({ page, search }, info) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await search.ask('trouble falling asleep at night');
  await page.getByText('Open another model').click();
  await page.getByText('Paste text').click();
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
  const size = await search.query.evaluate((node) =>
    Number.parseFloat(getComputedStyle(node).fontSize),
  );
  expect(size, 'phones zoom in on fields with smaller text').toBeGreaterThanOrEqual(16);
  await page.screenshot({ path: info.outputPath('phone.png'), fullPage: true });
});

test('animations are off if the user prefers reduced motion', async ({ page, search }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const duration = await search.index
    .getByRole('button', { name: 'Export' })
    .evaluate((node) => getComputedStyle(node).transitionDuration);
  expect(duration).toBe('0s');
});
