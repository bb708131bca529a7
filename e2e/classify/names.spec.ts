// The task of the classify page that marks names in a text.
import { test as base, expect } from '../fixtures.ts';
import { ClassifyPage } from '../pages/classify-page.ts';
import { excessWidth } from '../support/layout.ts';
import { chooseShare } from '../support/share.ts';

const test = base.extend<{ classify: ClassifyPage }>({
  classify: async ({ page, site }, use) => {
    const classify = new ClassifyPage(page, site);
    await classify.openTask('names');
    await use(classify);
  },
});

test('names are marked in the text with their labels, and listed', async ({ page, classify }) => {
  const { names, entities, marks } = classify;
  await expect(names.getByRole('status')).toHaveText(/^\d names found\.$/);
  await expect(marks.first()).toHaveText(/^Ada LovelacePER \d\d %$/);
  await expect(entities.first()).toContainText(/^PER\s*Ada Lovelace\s*\d\d\.\d %$/);
  expect(await marks.count()).toBe(await entities.count());
  await names
    .getByLabel('Text', { exact: true })
    .fill('The parcel for Jonas Weber is still in Rotterdam.');
  await expect(marks).toHaveText([/^Jonas Weber/, /^Rotterdam/]);
  await expect(names.locator('#marked')).toContainText('The parcel for');
  await names.getByLabel('Text', { exact: true }).fill('nothing here');
  await expect(names.getByRole('status')).toHaveText('No names were found.');
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await excessWidth(page)).toBe(0);
});

test('each kind has a colour of its own in both themes', async ({ page, classify }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const colours = await classify.marks.evaluateAll((all) =>
      all.map((mark) => [
        mark.querySelector('small')?.textContent?.split(' ')[0],
        getComputedStyle(mark).borderBottomColor,
      ]),
    );
    const byLabel = new Map(colours as [string, string][]);
    expect(byLabel.size).toBeGreaterThan(3);
    expect(new Set(byLabel.values()).size).toBe(byLabel.size);
  }
});

test('names of small scores are left out on request', async ({ classify }) => {
  const { names, entities } = classify;
  const all = await entities.count();
  await names.getByText('Settings').click();
  await names.getByLabel('Least score').selectOption('95 %');
  await expect.poll(() => entities.count()).toBeLessThan(all);
  await names.getByLabel('Words of several pieces').selectOption('each piece by itself');
  await expect(entities.first()).toBeVisible();
});

test('names are copied with their places', async ({ page, classify, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await chooseShare(page, 'Copy as CSV', '#names-share');
  await expect(classify.status).toHaveText(/^Copied \d names as CSV\.$/);
  expect(await copied()).toMatch(/^text,label,score,start,end\r\nAda Lovelace,PER,0\.\d+,0,12/);
  await chooseShare(page, 'Copy as JSON', '#names-share');
  await expect(classify.status).toHaveText(/^Copied \d names as JSON\.$/);
  expect(JSON.parse(await copied()).names[0]).toMatchObject({
    text: 'Ada Lovelace',
    start: 0,
    end: 12,
  });
});
