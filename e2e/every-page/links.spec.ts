// Every page keeps what it shows in its address: a reload, Back, Forward and a link show it again.

import { mergeTests, type Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { ChatPage, test as chatTest } from '../pages/chat-page.ts';
import { CheckPage, test as checkTest } from '../pages/check-page.ts';
import { ClassifyPage, test as classifyTest } from '../pages/classify-page.ts';
import { ConvertPage } from '../pages/convert-page.ts';
import { PlaygroundPage, test as playgroundTest } from '../pages/playground-page.ts';
import { SearchPage, test as searchTest } from '../pages/search-page.ts';
import { WordsPage, test as wordsTest } from '../pages/words-page.ts';
import { chooseShare, showPrograms } from '../support/share.ts';

const test = mergeTests(chatTest, checkTest, classifyTest, playgroundTest, searchTest, wordsTest);

const parameter = (url: string, name: string): string | null => new URL(url).searchParams.get(name);
const contact = '.link-contact';

test.describe('words', () => {
  test('a link shows its word and its analogy', async ({ page, site }) => {
    const words = new WordsPage(page, site);
    await words.goto('?word=violin&a=walk&b=walked&c=climb&include=yes&k=10');
    await expect(words.answer).toContainText('“violin”');
    await expect(words.word).toHaveValue('violin');
    await expect(words.neighbours).toHaveCount(10);
    await expect(words.analogy.getByRole('status')).toContainText(
      'walk is to walked as climb is to',
    );
    await expect(words.analogy.getByRole('checkbox')).toBeChecked();
    await expect(page).toHaveTitle('violin · Ambry');
    await expect(page).toHaveURL(/\?word=violin&a=walk&b=walked&c=climb&include=yes&k=10$/);
  });

  test('Back and Forward go through words and analogies', async ({ page, words }) => {
    await words.lookUp('honest');
    await expect(page).toHaveURL(/\?word=honest$/);
    await words.ask('france', 'paris', 'england');
    await expect(page).toHaveURL(/\?word=honest&a=france&b=paris&c=england$/);
    await page.goBack();
    await expect(words.analogy.getByRole('status')).toContainText('man is to king as woman is to');
    await expect(words.answer).toContainText('“honest”');
    await page.goBack();
    await expect(words.answer).toContainText('“winter”');
    await expect(words.word).toHaveValue('winter');
    await page.goForward();
    await page.goForward();
    await expect(words.analogy.getByRole('status')).toContainText('france is to paris as england');
    await page.reload();
    await expect(words.answer).toContainText('“honest”');
  });

  test('a link opens vectors of the site, and Back the built-in ones', async ({ page, site }) => {
    const words = new WordsPage(page, site);
    await words.open();
    await words.goto('?word=violin&url=models%2Fbooks-96.fifu');
    await expect(words.answer).toContainText('“violin”');
    await expect(words.file).not.toContainText('built in');
    await expect(page.locator(contact)).toHaveCount(0);
    await words.file.getByRole('button', { name: 'Back to the built-in vectors' }).click();
    await expect(words.file).toContainText('built in');
    await expect(page).toHaveURL(/\?word=violin$/);
    await page.goBack();
    await expect(words.file).not.toContainText('built in');
    await expect(page).toHaveURL(/\?word=violin&url=models%2Fbooks-96\.fifu$/);
  });
});

test.describe('the model of a link', () => {
  test('is opened, and the page names what it contacts', async ({ page, site, faulty }) => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).origin));
    const search = new SearchPage(page, site);
    await search.open(`?q=a+fish&url=${faulty.origin}/good.weights`);
    await expect(search.model).toContainText('good');
    await expect(page.locator(contact)).toContainText(new URL(faulty.origin).host);
    await expect(search.results.first()).toBeVisible();
    expect(new Set(requests)).toEqual(new Set([new URL(site).origin, faulty.origin]));
    await search.model.getByRole('button', { name: 'Back to the built-in model' }).click();
    await expect(search.model).toContainText('built in');
    await expect(page.locator(contact)).toHaveCount(0);
    await expect(page).toHaveURL(/\?q=a\+fish$/);
  });

  test('is refused if it is no address of the web', async ({ page, site, browserErrors }) => {
    const search = new SearchPage(page, site);
    for (const url of ['javascript:alert(1)', 'data:,x', 'file:///etc/passwd']) {
      await search.open(`?q=a+fish&url=${encodeURIComponent(url)}`);
      await expect(search.alert).toContainText('The model of this link was not opened');
      await expect(search.alert).toContainText(
        `A link cannot open a ${url.split(':')[0]}: address`,
      );
      await expect(search.model).toContainText('built in');
      await expect(search.results).toHaveCount(8);
    }
    expect(browserErrors.unexpected()).toEqual([]);
  });

  test('does not take the place of saved documents', async ({ search, faulty }) => {
    await search.indexDocuments({ name: 'mine.txt', buffer: Buffer.from('My boat is green.') });
    await search.open(`?q=a+boat&url=${faulty.origin}/good.weights`);
    await expect(search.model).toContainText('good');
    await expect(search.documents).not.toContainText('mine.txt');
    await search.addDocuments({ name: 'other.txt', buffer: Buffer.from('A red boat.') });
    await expect(search.status).toContainText('opened by a link that names a model');
    await search.open();
    await expect(search.model).toContainText('built in');
    await expect(search.documents).toContainText('mine.txt');
    await expect(search.documents).not.toContainText('other.txt');
  });

  test('that is not there is reported, and the page goes on', async ({
    page,
    site,
    faulty,
    browserErrors,
  }) => {
    browserErrors.expect(/Failed to load resource/);
    const words = new WordsPage(page, site);
    await words.goto(`?word=violin&url=${faulty.origin}/nothing.fifu`);
    await expect(words.alert).toContainText('The word vectors were not opened');
    await page.getByRole('button', { name: 'Back to the built-in vectors' }).click();
    await expect(words.answer).toContainText('“violin”');
  });
});

test.describe('chat', () => {
  const settings = 'prompt=The+old+robot&seed=7&maxTokens=30&temperature=0.8';

  test('the same link gives the same text', async ({ page, site }) => {
    const chat = new ChatPage(page, site);
    await chat.open(`?${settings}&flavour=baseline`);
    const first = (await chat.answers.allTextContents()).join('');
    expect(first.length).toBeGreaterThan(20);
    await expect(chat.draft).toHaveValue('The old robot');
    await expect(page).toHaveTitle('The old robot · Ambry');
    await page.reload();
    await chat.expectDone();
    expect((await chat.answers.allTextContents()).join('')).toBe(first);
    await expect(chat.sampling.getByLabel('Temperature')).toHaveValue('0.8');
  });

  test('the address of a written text writes it again, also after Back', async ({ page, chat }) => {
    await chat.set('Maximum tokens', '20');
    const first = await chat.write('It was snowing');
    const url = page.url();
    expect(parameter(url, 'prompt')).toBe('It was snowing');
    expect(parameter(url, 'maxTokens')).toBe('20');
    expect(parameter(url, 'seed')).toMatch(/^\d+$/);
    const second = await chat.write('My friend');
    await page.goBack();
    await expect(page).toHaveURL(url);
    await expect(chat.draft).toHaveValue('It was snowing');
    await expect.poll(async () => (await chat.answers.allTextContents()).join('')).toBe(first);
    await page.goForward();
    await expect.poll(async () => (await chat.answers.allTextContents()).join('')).toBe(second);
  });

  test('Back leads to the conversation of the last visit, which is not in the address', async ({
    page,
    chat,
    site,
  }) => {
    await chat.chooseMode('Chat');
    const answer = await chat.say('Who are you?');
    expect(parameter(page.url(), 'mode')).toBe('chat');
    expect(page.url()).not.toContain('Who');
    await page.goto(`${site}chat/`);
    await expect(chat.answers).toHaveText([answer], { timeout: 30_000 });
    await expect(page).toHaveURL(/\?mode=chat$/);
    await chat.chooseMode('Continue a text');
    await chat.write('My friend');
    await expect(page).toHaveURL(/prompt=My\+friend/);
    while (!page.url().endsWith('?mode=chat')) {
      await page.goBack();
    }
    await expect(chat.answers).toHaveText([answer]);
  });
});

test.describe('check and convert', () => {
  test('a link checks its file, and Back and Forward select it', async ({ page, site }) => {
    const check = new CheckPage(page, site);
    await check.goto('?url=models/stories.amb');
    await expect(check.verdict).toContainText('No error so far in AMB');
    await expect(page).toHaveTitle('stories.amb · Ambry');
    await check.openUrl(`${site}models/books-96.fifu`);
    await expect(check.verdict).toContainText('No error so far in finalfusion');
    await expect(page).toHaveURL(/\?url=models%2Fbooks-96\.fifu$/);
    await page.goBack();
    await expect(check.verdict).toContainText('No error so far in AMB');
    await page.goForward();
    await expect(check.verdict).toContainText('No error so far in finalfusion');
    await expect(check.files).toHaveCount(2);
  });

  test('a link with a bad escape in its address is an error of the file', async ({
    page,
    site,
    browserErrors,
  }) => {
    browserErrors.expect(/Failed to load resource/);
    const check = new CheckPage(page, site);
    await check.goto('?url=models/%25E0%25A4%25A');
    await expect(check.report).toContainText('%E0%A4%A');
  });

  test('a link opens a model to convert, with its target', async ({ page, site }) => {
    const converter = new ConvertPage(page, site);
    await converter.goto('?url=models%2Fstories.amb&to=gguf');
    await expect(converter.target('GGUF')).toBeChecked();
    await expect(page).toHaveURL(/\?url=models%2Fstories\.amb&to=gguf$/);
    await converter.convert();
    await expect(converter.verdict).toContainText('Checked', { timeout: 45_000 });
    await converter.target('AMB').check();
    await expect(page).toHaveURL(/&to=amb$/);
  });
});

test.describe('classify', () => {
  test('a drawing is in the address, and comes back', async ({ page, classify }) => {
    await classify.clear();
    await classify.stroke([0.5, 0.15], [0.5, 0.85]);
    await expect(classify.answer).toContainText('This looks like 1');
    await expect(page).toHaveURL(/\?drawing=[\w-]{40,400}$/);
    const drawn = page.url();
    await page.getByRole('button', { name: 'Draw a 7' }).click();
    await expect(classify.answer).toContainText('This looks like 7');
    await page.goBack();
    await expect(page).toHaveURL(drawn);
    await expect(classify.answer).toContainText('This looks like 1');
    await page.reload();
    await expect(classify.answer).toContainText('This looks like 1');
    await expect(page).toHaveURL(drawn);
  });

  test('a link opens a network with its plan', async ({ page, site }) => {
    const classify = new ClassifyPage(page, site);
    await classify.goto('?url=models/digits-vanilla.bin&plan=models/digits-plan.json');
    await expect(classify.network).toContainText('digits-vanilla');
    await expect(classify.network).not.toContainText('built in');
    await expect(classify.answer).toContainText('This looks like 3');
    const address = new URL(page.url());
    expect(address.searchParams.get('plan')).toBe('models/digits-plan.json');
    await page.reload();
    await expect(classify.answer).toContainText('This looks like 3');
  });

  test('a link whose plan is not there, or may not be one, says so', async ({
    page,
    site,
    browserErrors,
  }) => {
    browserErrors.expect(/Failed to load resource/);
    const classify = new ClassifyPage(page, site);
    await classify.goto('?url=models/digits-vanilla.bin&plan=models/nothing.json');
    await expect(classify.alert).toContainText('There is no file at this address.');
    await classify.goto('?url=models/digits-vanilla.bin&plan=data:,{}');
    await expect(classify.alert).toContainText('A link cannot open a data: address');
    await classify.goto('?url=models/digits-vanilla.bin&plan=hf:owner/name');
    await expect(classify.alert).toContainText('must be at an https: address');
  });

  test('a damaged drawing is not drawn', async ({ page, site }) => {
    const classify = new ClassifyPage(page, site);
    await classify.goto('?drawing=AAAA%00%3Cscript%3E');
    await expect(classify.answer).toContainText('This looks like 3');
  });
});

test.describe('the playground', () => {
  test('a link chooses an example, and a damaged code is refused', async ({ page, site }) => {
    const playground = new PlaygroundPage(page, site);
    await playground.goto('?example=Tokens');
    await expect(playground.code).toHaveValue(/token/);
    await playground.examples.filter({ hasText: 'Words' }).click();
    await expect(page).toHaveURL(/\?example=Words$/);
    await page.goBack();
    await expect(playground.code).toHaveValue(/token/);
    await playground.goto('?code=zzzzzzzzzz');
    await expect(playground.alert).toContainText('damaged or too long');
  });

  test('the code of a link is shown, and does not run', async ({ page, site }) => {
    const playground = new PlaygroundPage(page, site);
    // `console.log(6 * 7);`
    await playground.goto('?code=S87PK87PSdXLyU_XMFPQUjDXtAYA');
    await expect(playground.code).toHaveValue('console.log(6 * 7);');
    await expect(playground.status).toContainText('Read it before you run it');
    await expect(playground.output).toBeEmpty();
    await playground.run();
    await playground.expectDone();
    await expect(playground.output).toHaveText('42\n');
  });
});

test('pages open with hostile parameters', async ({ page, site }) => {
  const long = 'x'.repeat(7000);
  const hostile = `?q=${long}&word=%00%01%zz&prompt=%ff%00&seed=1e99&url=&mode=__proto__&to=constructor&drawing=%F0&example=toString&code=`;
  const words = new WordsPage(page, site);
  await words.goto(hostile);
  await expect(words.answer).toContainText('“%zz”');
  const chat = new ChatPage(page, site);
  await chat.open(hostile);
  await new ClassifyPage(page, site).goto(hostile);
  await expect(page.getByRole('region', { name: 'The network' })).toContainText('built in');
  await new PlaygroundPage(page, site).goto(hostile);
  await expect(page.getByLabel('Code', { exact: true })).not.toHaveValue('');
});

test.describe('what is copied', () => {
  test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));
  const copied = (page: Page): Promise<string> =>
    page.evaluate(() => navigator.clipboard.readText());
  const copy = (page: Page, what: string): Promise<void> => chooseShare(page, `Copy ${what}`);

  test('the link of a search, with its model', async ({ page, site }) => {
    const search = new SearchPage(page, site);
    await search.open('?url=models%2Fenglish-static-336.weights');
    await search.ask('goldfish in a bowl');
    await copy(page, 'link');
    await expect(search.status).toHaveText('Copied the link.');
    const link = await copied(page);
    expect(parameter(link, 'q')).toBe('goldfish in a bowl');
    expect(parameter(link, 'url')).toBe('models/english-static-336.weights');
    await copy(page, 'as CSV');
    await expect(search.status).toHaveText('Copied 8 passages as CSV.');
    expect(await copied(page)).toMatch(/^rank,score,cosine,closeness,source,text\r\n1,0\.6/);
    await copy(page, 'as JSON');
    await expect(search.status).toContainText('as JSON');
    expect(JSON.parse(await copied(page))).toMatchObject({ query: 'goldfish in a bowl' });
  });

  test('a link says that a local model is not in it', async ({ page, search, tiny }) => {
    await search.chooseModel({ name: 'tiny.weights', buffer: tiny });
    await expect(search.model).toContainText('tiny');
    await search.ask('goldfish in a bowl');
    await copy(page, 'link');
    await expect(search.status).toContainText('The model is a file of this machine');
    expect(parameter(await copied(page), 'url')).toBeNull();
  });

  test('the tensors of a file, but no link to a local file', async ({ page, check, tiny }) => {
    await check.choose({ name: 'tiny.weights', buffer: tiny });
    await expect(check.verdict).toContainText('Valid');
    await copy(page, 'as CSV');
    await expect(check.status).toContainText('Copied the report with');
    expect(await copied(page)).toMatch(/^name,type,shape,offset,bytes\r\n/);
    await copy(page, 'link');
    await expect(check.status).toContainText('A file of this machine cannot be in a link');
  });

  test('the words of a list, and what comes late', async ({ page, words }) => {
    await page.route(/\/share-(words|texts)-[^/]*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    await words.lookUp('violin');
    await copy(page, 'link');
    await expect(words.status).toHaveText('Copied the link.');
    expect(parameter(await copied(page), 'word')).toBe('violin');
    await copy(page, 'as Markdown');
    await expect(words.status).toHaveText('Copied 20 words as Markdown.');
    expect(await copied(page)).toContain('| 1 | piano | 0.');
  });

  test('nothing if its code cannot be loaded', async ({ page, words, browserErrors }) => {
    browserErrors.expect(/Failed to load resource/);
    await page.route(/\/share-words-[^/]*\.js$/, (route) => route.abort());
    await copy(page, 'link');
    await expect(words.status).toContainText('A part of this page could not be loaded.');
    await showPrograms(page, '#lookup-share');
    await expect(words.status).toContainText('reload the page');
  });

  test('the code of the playground', async ({ page, playground }) => {
    await playground.code.fill('console.log("Hello");');
    await copy(page, 'link');
    await expect(playground.status).toHaveText('Copied the link.');
    await page.goto(await copied(page));
    await expect(playground.code).toHaveValue('console.log("Hello");');
    await playground.code.fill(Array.from({ length: 9000 }, (_, i) => (i * 7919) % 9973).join(' '));
    await copy(page, 'link');
    await expect(playground.status).toContainText('too long for a link');
  });
});
