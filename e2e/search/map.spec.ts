// The map of all passages of the search page.

import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';
import { excessWidth } from '../support/layout.ts';

const waiting = { timeout: 30_000 };

// The map flies to what it shows.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('the map shows all passages, and answers light up on it', async ({ search }) => {
  await search.openMap();
  await expect(search.mapLine).toContainText('166 passages');
  await expect.poll(() => search.map.inkedPixels(), waiting).toBeGreaterThan(5000);
  expect(await search.map.pixelsOf('--map-hit')).toBe(0);
  expect(await search.map.pixelsOf('--map-query')).toBe(0);
  await search.ask('trouble falling asleep at night');
  await expect.poll(() => search.map.pixelsOf('--map-hit'), waiting).toBeGreaterThan(500);
  await expect.poll(() => search.map.pixelsOf('--map-query'), waiting).toBeGreaterThan(50);
  await search.query.fill('');
  await expect.poll(() => search.map.pixelsOf('--map-hit'), waiting).toBe(0);
});

test('a map that is opened again shows the answers of the last question', async ({ search }) => {
  await search.openMap();
  await search.closeMap();
  await search.ask('trouble falling asleep at night');
  await search.openMap();
  await expect.poll(() => search.map.pixelsOf('--map-hit'), waiting).toBeGreaterThan(500);
});

test('the map is not made before it is opened', async ({ page, search }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await search.ask('a bike tyre');
  expect(asked.filter((url) => /map-view|vectors-baseline/.test(url))).toEqual([]);
  await search.openMap();
  expect(asked.filter((url) => /vectors-baseline/.test(url))).not.toEqual([]);
});

test('the map zooms by button, key and wheel, and shows all again', async ({ page, search }) => {
  await search.openMap();
  const { map } = search;
  const whole = await map.inkedPixels();
  await map.button('Zoom in').click();
  await map.button('Zoom in').click();
  await expect.poll(() => map.inkedPixels()).not.toBe(whole);
  await map.button('Show all of the map').click();
  await expect.poll(() => map.inkedPixels(), waiting).toBe(whole);
  await map.frame.focus();
  await page.keyboard.press('+');
  await expect.poll(() => map.inkedPixels()).not.toBe(whole);
  await page.keyboard.press('0');
  await expect.poll(() => map.inkedPixels(), waiting).toBe(whole);
  await map.canvas.hover();
  await page.mouse.wheel(0, -240);
  await expect.poll(() => map.inkedPixels()).not.toBe(whole);
});

test('arrow keys go from passage to passage, and Enter shows one', async ({ page, search }) => {
  await search.openMap();
  const { map } = search;
  await map.frame.focus();
  await page.keyboard.press('ArrowRight');
  const first = await map.card.locator('.map-card-text').textContent();
  await page.keyboard.press('ArrowRight');
  await expect(map.card.locator('.map-card-text')).not.toHaveText(first ?? '');
  const second = (await map.card.locator('.map-card-text').textContent()) ?? '';
  await page.keyboard.press('Enter');
  await expect(search.mapPassage).toContainText(second.replace(/…$/, ''));
  await page.keyboard.press('Escape');
  await expect(map.card).toHaveCount(0);
  await search.mapPassage.getByRole('button', { name: 'Find passages like this' }).click();
  await expect(search.results.first()).toContainText(second.replace(/…$/, ''));
});

test('a click on a lit passage shows it, and arrow keys begin at the best', async ({ search }) => {
  await search.ask('what helps against an insect bite');
  await search.openMap();
  const { map } = search;
  await expect.poll(() => map.pixelsOf('--map-hit'), waiting).toBeGreaterThan(500);
  await map.pointAt('--map-hit');
  await expect(map.card).toBeVisible();
  await map.clickOn('--map-hit');
  await expect(search.mapPassage.locator('.result-text')).not.toBeEmpty();
  const passage = (await search.mapPassage.locator('.result-text').textContent()) ?? '';
  await expect(search.results.filter({ hasText: passage })).toHaveCount(1);
  await map.frame.press('Escape');
  await map.frame.focus();
  // The first step goes to the best hit.
  await map.frame.press('ArrowUp');
  const text = await map.card.locator('.map-card-text').textContent();
  await expect(search.results.first()).toContainText((text ?? '').replace(/…$/, ''));
});

test('the groups are a list, and each can be shown', async ({ page, search }) => {
  await search.openMap();
  await page.getByText(/^Groups of the map/).click();
  expect(await search.map.groups.count()).toBeGreaterThan(5);
  const whole = await search.map.inkedPixels();
  await search.map.groups.first().click();
  await expect.poll(() => search.map.inkedPixels(), waiting).not.toBe(whole);
});

test('the map is saved as a picture', async ({ search }) => {
  await search.openMap();
  const picture = await search.map.savePicture();
  expect(picture.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const box = await search.map.frame.boundingBox();
  expect(picture.readUInt32BE(16)).toBeGreaterThan(1.9 * (box?.width ?? 0));
  expect(picture.length).toBeGreaterThan(5000);
});

test('the map follows the documents, and passages stay in their places', async ({ search }) => {
  await search.openMap();
  const texts = Array.from({ length: 40 }, (_, i) => `Goldfish number ${i} needs a tank.`);
  await search.addDocuments({ name: 'fish.txt', buffer: Buffer.from(texts.join('\n\n')) });
  await expect(search.mapLine).toContainText(/^\d+ passages?\. Near/, waiting);
  await expect(search.mapLine).not.toContainText('166 passages', waiting);
  await expect.poll(() => search.map.inkedPixels(), waiting).toBeGreaterThan(300);
  const before = await search.mapLine.textContent();
  await search.addDocuments({ name: 'owl.txt', buffer: Buffer.from('Owls hunt at night.') });
  await expect(search.mapLine).not.toHaveText(before ?? '', waiting);
  await expect(search.mapLine).toContainText('similar meaning', waiting);
});

test('the map fits on a narrow phone', async ({ page, search }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await search.openMap();
  await page.getByText(/^Groups of the map/).click();
  expect(await excessWidth(page)).toBeLessThanOrEqual(0);
});

test.describe('with fingers', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('two fingers zoom the map, and a tap shows a passage', async ({ page, search }) => {
    await search.ask('what helps against an insect bite');
    await search.openMap();
    const { map } = search;
    await map.frame.scrollIntoViewIfNeeded();
    await expect.poll(() => map.pixelsOf('--map-hit'), waiting).toBeGreaterThan(300);
    await expect(map.frame).not.toHaveClass(/zoomed/);
    const { x, y } = await map.middle();
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...apart: number[]) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: apart.flatMap((by) => [
          { x: x - by, y, id: 0 },
          { x: x + by, y, id: 1 },
        ]),
      });
    await send('touchStart', 20);
    for (const apart of [30, 50, 70, 90]) {
      await send('touchMove', apart);
    }
    await send('touchEnd');
    await expect(map.frame).toHaveClass(/zoomed/);
    await map.button('Show all of the map').tap();
    await expect(map.frame).not.toHaveClass(/zoomed/, waiting);
    await map.tapOn('--map-hit');
    await expect(search.mapPassage.locator('.result-text')).not.toBeEmpty();
  });
});
