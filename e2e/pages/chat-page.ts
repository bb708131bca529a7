// The chat page as a person meets it: by role, label and text.

import { expect, type Locator, type Page } from '@playwright/test';
import { chooseFiles, dropFiles, type GivenFile } from './files.ts';

export class ChatPage {
  readonly page: Page;
  readonly writing: Locator;
  readonly draft: Locator;
  /** What the model wrote, token by token. */
  readonly tokens: Locator;
  /** Parts of a conversation. */
  readonly answers: Locator;
  readonly context: Locator;
  /** The token that is pointed at. */
  readonly token: Locator;
  readonly chances: Locator;
  readonly sampling: Locator;
  readonly model: Locator;
  readonly stop: Locator;
  readonly goOn: Locator;
  readonly alert: Locator;
  readonly status: Locator;
  readonly #site: string;

  constructor(page: Page, site: string) {
    this.page = page;
    this.#site = site;
    this.writing = page.getByRole('region', { name: 'The text' });
    this.draft = this.writing.getByRole('textbox');
    this.tokens = this.writing.locator('.token');
    this.answers = this.writing.locator('.part.model .words');
    this.context = page.getByRole('meter', { name: 'Context used' });
    this.token = page.getByRole('region', { name: 'Token' });
    this.chances = this.token.getByRole('listitem');
    this.sampling = page.getByRole('region', { name: 'How words are chosen' });
    this.model = page.getByRole('region', { name: 'Model', exact: true });
    this.stop = page.getByRole('button', { name: 'Stop', exact: true });
    this.goOn = page.getByRole('button', { name: 'Go on', exact: true });
    this.alert = page.getByRole('alert');
    this.status = page.locator('#status');
  }

  /** Opens the page and waits until its own model has written its first story. */
  async open(parameters = ''): Promise<void> {
    await this.page.goto(`${this.#site}chat/index.html${parameters}`);
    await expect(this.model).toContainText('built in', { timeout: 30_000 });
    await this.expectDone();
  }

  /** The model has stopped writing, for whatever reason. */
  async expectDone(): Promise<void> {
    await expect(this.writing.getByText(/\d tokens?(, [\d,.]+ tokens\/s)?\.$/)).toBeVisible();
  }

  /** Fills one field of the settings. */
  async set(label: string, value: string): Promise<void> {
    const field = this.sampling.getByLabel(label);
    await field.fill(value);
    await field.blur();
  }

  async keepSeed(seed: number): Promise<void> {
    await this.sampling.getByLabel('A new one each time').uncheck();
    await this.set('Seed', String(seed));
  }

  /** Has a file that was chosen hold so many megabytes of its weights. */
  async hold(megabytes: string): Promise<void> {
    await expect(this.model).not.toContainText('built in');
    await this.model.getByText('Memory', { exact: true }).click();
    const held = this.model.getByLabel('Weights held, MB');
    await held.fill(megabytes);
    await held.blur();
    await expect(this.model).toContainText('of weights are in memory');
  }

  /** Writes on from a beginning, to the end; returns what the model wrote. */
  async write(beginning: string): Promise<string> {
    await this.draft.fill(beginning);
    await this.page.getByRole('button', { name: 'Write', exact: true }).click();
    await this.expectDone();
    return (await this.answers.allTextContents()).join('');
  }

  /** Says something in a conversation; returns the answer. */
  async say(message: string): Promise<string> {
    const before = await this.answers.count();
    await this.draft.fill(message);
    await this.draft.press('Enter');
    await expect(this.answers).toHaveCount(before + 1);
    await this.expectDone();
    return (await this.answers.last().textContent()) ?? '';
  }

  async chooseMode(name: 'Go on with a text' | 'Chat'): Promise<void> {
    await this.writing.getByRole('radio', { name }).check();
  }

  choose(file: GivenFile): Promise<void> {
    return chooseFiles(this.page.getByLabel('Choose a file…'), [file]);
  }

  drop(...files: readonly GivenFile[]): Promise<void> {
    return dropFiles(this.page, files);
  }
}
