// Each page with more than a screen holds: many documents, conversations, rows and lines, and long texts in its fields.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../pages/chat-page.ts';
import { CheckPage } from '../pages/check-page.ts';
import { ClassifyPage } from '../pages/classify-page.ts';
import { ConvertPage } from '../pages/convert-page.ts';
import { HomePage } from '../pages/home-page.ts';
import { PlaygroundPage } from '../pages/playground-page.ts';
import { SearchPage } from '../pages/search-page.ts';
import { unfold } from '../pages/unfold.ts';
import { WordsPage } from '../pages/words-page.ts';
import { addConversations } from '../support/saved-conversations.ts';

const model = (name: string): Promise<Buffer> =>
  readFile(fileURLToPath(new URL(`../../web/demo/public/models/${name}`, import.meta.url)));

const longWord = 'a'.repeat(300);
const paragraphs = Array.from({ length: 30 }, (_, i) => `Paragraph ${i} is about a ferry.`);
const longText = paragraphs.join('\n\n');

const rules = Array.from({ length: 30 }, (_, i) => `rule${i} ::= "a"`);
const grammar = ['root ::= "a"', ...rules].join('\n');

/** A table of many columns, and a long line of code. */
const answer = `| name | ${'column | '.repeat(12)}
| --- | ${'--- | '.repeat(12)}
| ${longWord} | ${'a cell with some words | '.repeat(12)}

\`\`\`js
const line = '${longWord}';
\`\`\`
`;

interface FullPage {
  readonly name: string;
  /** Opens the page and fills it. */
  fill(page: Page, site: string, tiny: Buffer): Promise<void>;
}

export const fullPages: readonly FullPage[] = [
  {
    name: 'the landing page',
    async fill(page, site, tiny) {
      const home = new HomePage(page, site);
      await home.open();
      const files = Array.from({ length: 12 }, (_, i) => ({
        name: `${i}${longWord}.weights`,
        buffer: tiny,
      }));
      await home.choose(...files);
      await expect(home.found).toHaveCount(12);
    },
  },
  {
    name: 'search',
    async fill(page, site) {
      const search = new SearchPage(page, site);
      await search.open();
      const files = Array.from({ length: 30 }, (_, i) => ({
        name: `${i === 3 ? longWord : 'document'} ${i}.txt`,
        buffer: Buffer.from(
          `The ferry number ${i} leaves the harbour.\n\n${longText}\n\n${longWord}`,
        ),
      }));
      await search.indexDocuments(...files);
      await search.ask('when does the ferry leave');
      await search.rankBy('Meaning and words');
      await unfold(search.documents, 'Paste text');
      await search.documents.getByLabel('Text to search').fill(longText);
      await search.openSources();
      await expect(search.sources.getByRole('button', { name: /more$/ })).toBeVisible();
    },
  },
  {
    name: 'words',
    async fill(page, site) {
      const words = new WordsPage(page, site);
      await words.open();
      await words.accuracy.getByRole('button', { name: 'Use the built-in questions' }).click();
      await expect(words.sections.nth(4)).toBeVisible({ timeout: 60_000 });
      await words.openVocabulary();
    },
  },
  {
    name: 'classify',
    async fill(page, site) {
      const classify = new ClassifyPage(page, site);
      await classify.open();
      await classify.layers.getByRole('button', { name: 'Measure longer' }).click();
      await expect(classify.layers).toContainText('Total');
    },
  },
  {
    name: 'classify, names in a long text',
    async fill(page, site) {
      const classify = new ClassifyPage(page, site);
      await classify.openTask('names');
      await classify.names.getByLabel('Text', { exact: true }).fill(`${longText} ${longWord}`);
      await expect(classify.names.locator('#marked')).toContainText(longWord);
    },
  },
  {
    name: 'classify, labels of a sample',
    async fill(page, site) {
      const classify = new ClassifyPage(page, site);
      await classify.openTask('labels');
      await classify.learn.getByRole('button', { name: 'Learn a sample' }).click();
      await expect(classify.learn.getByRole('listitem')).toHaveCount(3);
      await classify.learn.getByLabel('A text to try').fill(longText.slice(0, 2000));
    },
  },
  {
    name: 'chat',
    async fill(page, site) {
      const chat = new ChatPage(page, site);
      await chat.open();
      await chat.chooseMode('Chat');
      const saved = Array.from({ length: 30 }, (_, i) => ({
        title: `Conversation ${i}${i === 5 ? longWord : ''}`,
        question: longText,
        answer,
      }));
      await addConversations(page, saved);
      await page.reload();
      await chat.expectChat();
      await chat.conversations.first().click();
      await expect(chat.answers.last().getByRole('table')).toBeVisible();
      await chat.setSystem(longText);
      await chat.useForm('GBNF grammar', grammar);
      await chat.draft.fill(longText);
    },
  },
  {
    name: 'check',
    async fill(page, site) {
      const check = new CheckPage(page, site);
      await check.open();
      await check.choose({ name: 'stories.amb', buffer: await model('stories.amb') });
      await expect(check.verdict).toContainText('Valid AMB', { timeout: 30_000 });
      await check.table.locator('tbody td.name button').first().click();
    },
  },
  {
    name: 'convert',
    async fill(page, site) {
      const converter = new ConvertPage(page, site);
      await converter.open();
      await converter.choose({ name: 'stories.amb', buffer: await model('stories.amb') });
      await converter.target('AMB').check();
      await converter.storeAs('Blocks with a bit budget');
      await converter.calibration.fill(longText);
      await converter.convert();
      await expect(converter.verdict).toContainText('Checked', { timeout: 60_000 });
    },
  },
  {
    name: 'playground',
    async fill(page, site) {
      const playground = new PlaygroundPage(page, site);
      await playground.open();
      const lines = Array.from({ length: 60 }, (_, i) => `console.log('line ${i}');`);
      await playground.runCode([...lines, `console.log('${longWord}');`].join('\n'));
      await playground.expectDone();
    },
  },
];
