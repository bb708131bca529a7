// The page object of the classify page. It finds elements by role, label and text.

import { expect, type Locator } from '@playwright/test';
import { pageTest } from '../fixtures.ts';
import { chooseFiles, type GivenFile } from './files.ts';
import { SitePage } from './site-page.ts';

/** A position on the pad, from 0 to 1. */
export type Spot = readonly [number, number];

export class ClassifyPage extends SitePage {
  protected readonly path = 'classify/index.html';
  readonly pad = this.page.getByRole('img', { name: /^Pad/ });
  readonly picture = this.page.getByRole('region', { name: 'The picture' });
  /** The sentence about the picture. */
  readonly answer = this.picture.getByRole('status');
  readonly floats = this.page.getByRole('list', { name: 'Floats' }).getByRole('listitem');
  readonly dq8 = this.page.getByRole('list', { name: 'DQ8' }).getByRole('listitem');
  readonly sq8 = this.page.getByRole('list', { name: 'SQ8' }).getByRole('listitem');
  readonly variants = this.picture.locator('.variant');
  /** The picture as the network sees it. */
  readonly seen = this.picture.getByRole('img', { name: /^The picture with/ });
  readonly maps = this.page.getByRole('region', { name: 'Feature maps' });
  readonly layers = this.page.getByRole('region', { name: 'Time per layer' });
  readonly network = this.page.getByRole('region', { name: 'The network' });

  /** Opens the page and waits for the answer of the built-in network. */
  async open(): Promise<void> {
    await this.goto('');
    await expect(this.network).toContainText('built in', { timeout: 30_000 });
    await expect(this.answer).toContainText('This looks like 3');
  }

  /** The links to the tasks of the page. */
  readonly tasks = this.page.getByRole('navigation', { name: 'What to classify' });
  readonly text = this.page.getByRole('region', { name: 'The text and its labels' });
  readonly labels = this.text
    .getByRole('list', { name: 'Labels of the text' })
    .getByRole('listitem');
  readonly names = this.page.getByRole('region', { name: 'The text and its names' });
  readonly entities = this.names
    .getByRole('list', { name: 'Names in the text' })
    .getByRole('listitem');
  readonly marks = this.names.locator('mark');
  readonly learn = this.page.getByRole('region', { name: 'Examples and what was learned' });
  readonly model = this.page.getByRole('region', { name: 'The model' });

  /** Goes to a task without the built-in network, and waits for its first answer. */
  async openTask(task: 'text' | 'names' | 'labels', more = ''): Promise<void> {
    await this.goto(`?task=${task}${more}`);
    if (task === 'labels') {
      await expect(this.learn.getByRole('status')).toContainText('Nothing is learned yet.');
    } else {
      const answers = task === 'text' ? this.labels : this.entities;
      await expect(answers.first()).toBeVisible({ timeout: 30_000 });
    }
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
}

/** The page is open, with its built-in network. */
export const test = pageTest('classify', ClassifyPage);
