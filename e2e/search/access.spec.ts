import { expect, test } from '../fixtures.ts';
import { withReservedWord } from '../support/edit-embd.ts';

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
