// The main work of each page, from opening the page on.
import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../pages/chat-page.ts';
import { CheckPage } from '../pages/check-page.ts';
import { ClassifyPage } from '../pages/classify-page.ts';
import { ConvertPage } from '../pages/convert-page.ts';
import { HomePage } from '../pages/home-page.ts';
import { PlaygroundPage } from '../pages/playground-page.ts';
import { SearchPage } from '../pages/search-page.ts';
import { WordsPage } from '../pages/words-page.ts';

export interface Visit {
  readonly name: string;
  /** Opens the page and does its main work. */
  work(page: Page, site: string, tiny: Buffer): Promise<void>;
}

export const visits: readonly Visit[] = [
  {
    name: 'the landing page',
    async work(page, site, tiny) {
      const home = new HomePage(page, site);
      await home.open();
      await home.choose({ name: 'tiny.weights', buffer: tiny });
      await expect(home.found).toContainText('tiny.weights');
    },
  },
  {
    name: 'search',
    async work(page, site) {
      const search = new SearchPage(page, site);
      await search.open();
      await search.query.fill('nausea on a boat');
      await expect(search.results.first()).toContainText('Seasickness eases');
    },
  },
  {
    name: 'words',
    async work(page, site) {
      const words = new WordsPage(page, site);
      await words.open();
      await words.lookUp('violin');
      expect(await words.nearest()).toContain('piano');
    },
  },
  {
    name: 'classify',
    async work(page, site) {
      await new ClassifyPage(page, site).open();
    },
  },
  {
    name: 'chat',
    async work(page, site) {
      const chat = new ChatPage(page, site);
      await chat.open();
      await expect(chat.tokens.nth(10)).toBeVisible();
    },
  },
  {
    name: 'check',
    async work(page, site, tiny) {
      const check = new CheckPage(page, site);
      await check.open();
      await check.choose({ name: 'tiny.weights', buffer: tiny });
      await expect(check.verdict).toContainText('Valid EMBD F0 1.0');
    },
  },
  {
    name: 'convert',
    async work(page, site, tiny) {
      const converter = new ConvertPage(page, site);
      await converter.open();
      await converter.choose({ name: 'tiny.weights', buffer: tiny });
      await converter.convertTo('safetensors');
      await expect(converter.verdict).toContainText('safetensors');
    },
  },
  {
    name: 'playground',
    async work(page, site) {
      const playground = new PlaygroundPage(page, site);
      await playground.open();
      await playground.run();
      await playground.expectDone();
    },
  },
];
