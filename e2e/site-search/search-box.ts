// A real small site with the element `<ambry-search>`: built by the package, served as static files under a strict policy.
import { test as base } from '../fixtures.ts';
import { SearchElement } from '../pages/search-element.ts';
import { SearchedSite } from '../support/searched-site.ts';

export const test = base.extend<{ searched: SearchedSite; box: SearchElement }>({
  searched: async ({ page }, use) => {
    const site = await SearchedSite.start();
    await use(site);
    // What it still fetches is no error.
    await page.goto('about:blank');
    await site.close();
  },
  box: async ({ page, searched }, use) => {
    await page.goto(searched.url);
    await use(new SearchElement(page));
  },
});

export const modelFile = /\/model\/[^/]+\.weights$/;
