// Range requests of the element in a browser: few requests, the same answers, and nothing in the console.
import { expect } from '../fixtures.ts';
import { test } from './search-box.ts';

/** What belongs to the index and not to the element or its model. */
const indexFile = /^\/search\/(manifest|tables|words|texts|vectors)/;

for (const ranges of ['several', 'one'] as const) {
  test(`a host that answers requests for ${ranges} of the ranges`, async ({ box, searched }) => {
    searched.ranges = ranges;
    await box.type('lamp');
    await expect(box.options.first()).toContainText('Lamps');
    await expect(box.live).toHaveText('3 pages for lamp');
    expect(searched.count(/\/all-0\.bin$/)).toBeGreaterThan(0);
    expect(searched.count(/\/(words|texts)\/[^/]+\/\d+\.bin$/)).toBe(0);
    await box.waitForMeaning();
    await box.ask('sick doctors');
    await expect(box.options).toContainText(['the physician comes by boat']);
    expect(searched.count(/\/vectors\/[^/]+\/all-0\.bin$/)).toBeGreaterThan(0);
  });
}

test('a first answer takes few requests where they may have several ranges', async ({
  box,
  searched,
}) => {
  searched.ranges = 'several';
  await box.type('lamp');
  await expect(box.live).toHaveText('3 pages for lamp');
  const asked = searched.requests.filter((path) => indexFile.test(path));
  // At most eight, and the two filters of the box.
  expect(asked.length).toBeLessThanOrEqual(10);
});
