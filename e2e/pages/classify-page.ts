// The page object of the classify page. It finds elements by role, label and text.

import { expect, type Locator, type Page } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { chooseFiles, dropFiles, type GivenFile } from './files.ts';

/** A position on the pad, from 0 to 1. */
export type Spot = readonly [number, number];

export class ClassifyPage {
  readonly page: Page;
  readonly pad: Locator;
  readonly picture: Locator;
  /** The sentence about the picture. */
  readonly answer: Locator;
  readonly floats: Locator;
  readonly dq8: Locator;
  readonly sq8: Locator;
  readonly variants: Locator;
  /** The picture as the network sees it. */
  readonly seen: Locator;
  readonly maps: Locator;
  readonly layers: Locator;
  readonly network: Locator;
  readonly alert: Locator;
  readonly status: Locator;
  readonly #site: string;

  constructor(page: Page, site: string) {
    this.page = page;
    this.#site = site;
    this.pad = page.getByRole('img', { name: /^Pad/ });
    this.picture = page.getByRole('region', { name: 'The picture' });
    this.answer = this.picture.getByRole('status');
    this.floats = page.getByRole('list', { name: 'Floats' }).getByRole('listitem');
    this.dq8 = page.getByRole('list', { name: 'DQ8' }).getByRole('listitem');
    this.sq8 = page.getByRole('list', { name: 'SQ8' }).getByRole('listitem');
    this.variants = this.picture.locator('.variant');
    this.seen = this.picture.getByRole('img', { name: /^The picture with/ });
    this.maps = page.getByRole('region', { name: 'Feature maps' });
    this.layers = page.getByRole('region', { name: 'Time per layer' });
    this.network = page.getByRole('region', { name: 'The network' });
    this.alert = page.getByRole('alert');
    this.status = page.locator('#status');
  }

  /** Goes to the page with the parameters of a link. */
  async goto(parameters: string): Promise<void> {
    await this.page.goto(`${this.#site}classify/index.html${parameters}`);
  }

  /** Opens the page and waits for the answer of the built-in network. */
  async open(): Promise<void> {
    await this.goto('');
    await expect(this.network).toContainText('built in', { timeout: 30_000 });
    await expect(this.answer).toContainText('This looks like 3');
  }

  /** Draws one stroke with the mouse. */
  async stroke(...spots: readonly Spot[]): Promise<void> {
    await this.pad.scrollIntoViewIfNeeded();
    const box = await this.pad.boundingBox();
    if (box === null) {
      throw new Error('The pad is not visible.');
    }
    const { mouse } = this.page;
    for (const [i, [x, y]] of spots.entries()) {
      await mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 4 });
      if (i === 0) {
        await mouse.down();
      }
    }
    await mouse.up();
  }

  /** What is drawn on a canvas. */
  pixels(canvas: Locator): Promise<string> {
    return canvas.evaluate((drawn) => (drawn as HTMLCanvasElement).toDataURL());
  }

  async clear(): Promise<void> {
    await this.page.getByRole('button', { name: 'Clear' }).click();
  }

  choosePicture(file: GivenFile): Promise<void> {
    return chooseFiles(this.page.getByLabel('Choose an image…'), [file]);
  }

  choose(...files: readonly GivenFile[]): Promise<void> {
    return chooseFiles(this.page.getByLabel('Choose files…'), files);
  }

  drop(...files: readonly GivenFile[]): Promise<void> {
    return dropFiles(this.page, files);
  }
}

/** The page is open, with its built-in network. */
export const test = pageTest('classify', ClassifyPage);
