// The page object of the chat page. It finds elements by role, label and text.

import { expect, type Locator } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { SitePage } from './site-page.ts';
import { unfold } from './unfold.ts';

export class ChatPage extends SitePage {
  protected readonly path = 'chat/index.html';
  readonly writing = this.page.getByRole('region', { name: 'The text' });
  readonly draft = this.writing.getByLabel(/^(Beginning of the text|Your message)$/);
  readonly system = this.writing.getByLabel('What the model is told before the conversation');
  /** Everything that was said. */
  readonly turns = this.writing.locator('.turn');
  /** The tokens that the model wrote. */
  readonly tokens = this.writing.locator('.token');
  /** The texts that the model wrote. */
  readonly answers = this.writing.locator('.turn.model .turn-text');
  readonly context = this.page.getByRole('meter', { name: 'Context used' });
  /** The panel of the selected token. */
  readonly token = this.page.getByRole('region', { name: 'Token' });
  readonly candidates = this.token.getByRole('listitem');
  readonly sampling = this.page.getByRole('region', { name: 'Sampling' });
  readonly model = this.page.getByRole('region', { name: 'Model', exact: true });
  readonly stop = this.page.getByRole('button', { name: 'Stop', exact: true });
  readonly continueButton = this.page.getByRole('button', { name: 'Continue', exact: true });
  /** The panel of saved conversations. */
  readonly history = this.page.getByRole('region', { name: 'Conversations' });
  /** The titles of the saved conversations. */
  readonly conversations = this.history.locator('.conversation-title');
  readonly form = this.page.getByRole('region', { name: 'Form of the answer' });

  /** Opens the page and waits for the first story. */
  async open(parameters = ''): Promise<void> {
    await this.goto(parameters);
    await expect(this.model).toContainText('built in', { timeout: 30_000 });
    await this.expectDone();
  }

  /** Waits until the model stops writing. */
  async expectDone(): Promise<void> {
    await expect(this.writing.getByText(/\d tokens?(, [\d,.]+ tokens\/s)?\.$/)).toBeVisible();
  }

  /** Waits until the page is ready for a message. */
  async expectChat(): Promise<void> {
    await expect(this.writing.getByRole('radio', { name: 'Chat' })).toBeChecked({
      timeout: 30_000,
    });
    await expect(this.page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  }

  /** Changes a setting. */
  async set(label: string, value: string): Promise<void> {
    const field = this.sampling.getByLabel(label, { exact: true });
    if (!(await field.isVisible())) {
      await unfold(this.sampling, 'More settings');
    }
    await field.fill(value);
    await field.blur();
  }

  async keepSeed(seed: number): Promise<void> {
    await this.sampling.getByLabel('New seed for each text').uncheck();
    await this.set('Seed', String(seed));
  }

  /** Limits the weights in memory of a chosen file. */
  async limitWeights(megabytes: string): Promise<void> {
    await expect(this.model).not.toContainText('built in');
    await this.model.getByText('Memory', { exact: true }).click();
    const field = this.model.getByLabel('Weights in memory, MB');
    await field.fill(megabytes);
    await field.blur();
    await expect(this.model).toContainText('of weights are in memory');
  }

  /** Has the model continue a text. Returns what it wrote. */
  async write(beginning: string): Promise<string> {
    await this.draft.fill(beginning);
    await this.page.getByRole('button', { name: 'Write', exact: true }).click();
    await this.expectDone();
    return (await this.answers.allTextContents()).join('');
  }

  /** Sends a chat message. Returns the answer. */
  async say(message: string): Promise<string> {
    const before = await this.answers.count();
    await this.draft.fill(message);
    await this.draft.press('Enter');
    await expect(this.answers).toHaveCount(before + 1);
    await this.expectDone();
    await expect(this.answers.last()).not.toHaveAttribute('aria-busy');
    return (await this.answers.last().textContent()) ?? '';
  }

  async chooseMode(name: 'Continue a text' | 'Chat'): Promise<void> {
    await this.writing.getByRole('radio', { name }).check();
  }

  async showAs(name: 'Markdown' | 'Tokens'): Promise<void> {
    await this.writing.getByRole('radio', { name }).check();
  }

  async setSystem(text: string): Promise<void> {
    if (!(await this.system.isVisible())) {
      await this.writing.getByText('System prompt', { exact: true }).click();
    }
    await this.system.fill(text);
    await this.system.blur();
  }

  /** Asks for a form of the answers. */
  async useForm(kind: string, text = ''): Promise<void> {
    await this.form.getByLabel('The answer is').selectOption(kind);
    if (text !== '') {
      await this.form.getByRole('textbox').fill(text);
      await this.form.getByRole('textbox').blur();
    }
  }

  /** Has the model answer with exactly this text. */
  async sayThatAnswers(message: string, answer: string): Promise<string> {
    await this.useForm('GBNF grammar', `root ::= ${JSON.stringify(answer)}`);
    return this.say(message);
  }

  /** A button of a turn. */
  turnButton(turn: number, name: string): Locator {
    return this.turns.nth(turn).getByRole('button', { name, exact: true });
  }

  /** Opens the built-in model that follows a conversation. */
  async openChatModel(): Promise<void> {
    await this.model.getByRole('button', { name: /^Try the chat model/ }).click();
    await this.expectChat();
  }

  /** Opens an address or a name at the hub. */
  async openAddress(address: string): Promise<void> {
    await unfold(this.model, 'Open an address');
    await this.model.getByLabel('Address of a language model').fill(address);
    await this.model.getByRole('button', { name: 'Open' }).click();
  }
}

/** The page is open, with its built-in model and first story. */
export const test = pageTest('chat', ChatPage);
