// `<ambry-search>` on a page, as a reader finds it.
import { expect, type Locator, type Page } from '@playwright/test';

export class SearchElement {
  readonly page: Page;
  readonly host: Locator;
  readonly field: Locator;
  readonly list: Locator;
  readonly options: Locator;
  readonly marks: Locator;
  readonly status: Locator;
  readonly message: Locator;
  readonly filters: Locator;
  readonly live: Locator;

  constructor(page: Page, host: Locator = page.locator('ambry-search').first()) {
    this.page = page;
    this.host = host;
    this.field = host.getByRole('combobox');
    this.list = host.getByRole('listbox');
    this.options = host.getByRole('option');
    this.marks = host.locator('mark');
    this.status = host.locator('[part=status]');
    this.message = host.locator('[part=message]');
    this.filters = host.getByRole('group', { name: 'Filters', exact: true });
    this.live = host.getByRole('status');
  }

  filter(name: RegExp): Locator {
    return this.filters.getByRole('button', { name });
  }

  button(name: string): Locator {
    return this.host.getByRole('button', { name, exact: true });
  }

  /** The title or heading of each result. */
  titles(): Promise<string[]> {
    return this.options.locator('[part=title], [part=heading]').allTextContents();
  }

  async type(text: string): Promise<void> {
    await this.field.click();
    await this.page.keyboard.type(text);
  }

  /** Replaces the text. */
  async ask(text: string): Promise<void> {
    await this.field.fill(text);
  }

  /** Waits until words and meaning have answered. */
  async waitForMeaning(): Promise<void> {
    await expect(this.status).toContainText('By words and meaning');
  }

  /** The option that a screen reader hears. */
  async active(): Promise<string | undefined> {
    const id = await this.field.getAttribute('aria-activedescendant');
    if (id === null) {
      return undefined;
    }
    const option = this.host.locator(`#${id}`);
    await expect(option).toHaveAttribute('aria-selected', 'true');
    return (await option.locator('[part=title], [part=heading]').textContent()) ?? undefined;
  }
}
