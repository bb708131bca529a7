// The page object of the check page. It finds elements by role, label and text.

import { expect, type Locator } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { download } from './files.ts';
import { SitePage } from './site-page.ts';

export class CheckPage extends SitePage {
  protected readonly path = 'check/index.html';
  readonly report = this.page.getByRole('article');
  readonly verdict = this.report.locator('.verdict-line');
  /** The mark of the verdict, such as a tick. */
  readonly mark = this.report.locator('.verdict-mark');
  readonly problems = this.report
    .getByRole('listitem')
    .filter({ has: this.page.locator('.severity') });
  readonly run = this.page.getByRole('region', { name: 'Running it' });
  readonly architecture = this.page.getByRole('region', { name: 'Architecture' });
  readonly chosenPart = this.architecture.getByRole('region', { name: 'The chosen part' });
  readonly graph = this.page.getByRole('region', { name: 'Graph', exact: true });
  readonly drawing = this.graph.getByRole('group', { name: /^Drawing of the graph/ });
  readonly chosenNode = this.graph.getByRole('region', { name: 'The chosen node or group' });
  readonly map = this.page.getByRole('region', { name: 'Map of the file' });
  readonly table = this.page.getByRole('table', { name: 'Tensors' });
  readonly tokenizer = this.page.getByRole('region', { name: 'Tokenizer' });
  readonly files = this.page.getByRole('region', { name: 'Files' }).getByRole('listitem');

  async open(): Promise<void> {
    await this.goto('');
    await expect(this.page.getByRole('heading', { level: 1 })).toHaveText('Check a model file');
  }

  async openUrl(url: string): Promise<void> {
    await this.page.getByLabel('Or open an address').fill(url);
    await this.page.getByRole('button', { name: 'Check', exact: true }).click();
  }

  /** A part of the drawing, by the beginning of its name. */
  part(name: string): Locator {
    return this.architecture.getByRole('treeitem', { name: new RegExp(`^${name}`) });
  }

  /** A group or a node of the graph, by the beginning of its name. */
  node(name: string): Locator {
    return this.graph.getByRole('treeitem', { name: new RegExp(`^${name}`) });
  }

  /** Shows the graph as a list of groups and nodes, too. */
  async openOutline(): Promise<void> {
    await this.graph.getByText('The graph as a list').click();
  }

  /** A box of the drawing, by the first line of it. */
  drawn(title: string): Locator {
    return this.graph
      .locator('.graph-node')
      .filter({ has: this.page.getByText(title, { exact: true }) });
  }

  /** The names in the order of the table. */
  tensorNames(): Promise<string[]> {
    return this.table.locator('tbody td.name button').allTextContents();
  }

  save(button: string): Promise<Buffer> {
    return download(this.page, () => this.report.getByRole('button', { name: button }).click());
  }
}

/** The page is open. */
export const test = pageTest('check', CheckPage);
