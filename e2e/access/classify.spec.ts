// axe in every state of the classify page.
import { readFile } from 'node:fs/promises';
import { expect } from '../fixtures.ts';
import { ClassifyPage, test } from '../pages/classify-page.ts';
import { FailureMessage } from '../pages/failure.ts';
import { unfold } from '../pages/unfold.ts';
import { expectAccessible } from '../support/accessible.ts';
import { HeldRequests } from '../support/held-requests.ts';
import { showPrograms } from '../support/share.ts';

const models = new URL('../../web/demo/public/models/', import.meta.url);

const modelFile = async (name: string) => ({ name, buffer: await readFile(new URL(name, models)) });

test('while its network comes, and with an answer and feature maps', async ({ page, site }) => {
  const held = await HeldRequests.on(page, /\/models\//);
  const classify = new ClassifyPage(page, site);
  await classify.goto('');
  await expect.poll(() => held.count).toBeGreaterThan(0);
  await expectAccessible(page, 'the network is loading');
  await held.release();
  await expect(classify.answer).toContainText('This looks like 3');
  await expect(classify.maps.getByRole('img').first()).toBeVisible();
  await expect(classify.layers).toContainText('Total');
  await showPrograms(page);
  await unfold(classify.network, 'Which files it opens');
  await expectAccessible(page, 'an answer, feature maps and times');
});

test('an empty pad, and a camera', async ({ page, classify }) => {
  await classify.clear();
  await expect(classify.maps).toBeHidden();
  await expectAccessible(page, 'an empty pad');
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement('canvas');
      canvas.getContext('2d')?.fillRect(0, 0, 20, 20);
      return canvas.captureStream(5);
    };
  });
  await page.getByRole('button', { name: 'Use the camera' }).click();
  await expect(page.getByRole('button', { name: 'Keep this picture' })).toBeVisible();
  await expectAccessible(page, 'the camera is on');
});

test('another network, that can be compared', async ({ page, classify }) => {
  await classify.drop(await modelFile('digits-vanilla.bin'), await modelFile('digits-plan.json'));
  await expect(page.getByRole('button', { name: 'Compare with DQ8 and SQ8' })).toBeVisible();
  await expect(classify.answer).toContainText('This looks like 3');
  await expectAccessible(page, 'a network of the user');
});

test('labels of a text, with folds and programs', async ({ page, site }) => {
  const classify = new ClassifyPage(page, site);
  await classify.openTask('text');
  await showPrograms(page, '#text-share');
  await unfold(classify.model, 'Open an address');
  await unfold(classify.model, 'Which files it opens');
  await expectAccessible(page, 'labels of a text');
  await classify.text.getByText('Settings').click();
  await expectAccessible(page, 'the settings of labels');
  await classify.text.getByLabel('Text', { exact: true }).fill('');
  await expect(classify.labels).toHaveCount(0);
  await expectAccessible(page, 'no text');
});

test('names in a text', async ({ page, site }) => {
  const classify = new ClassifyPage(page, site);
  await classify.openTask('names');
  await expectAccessible(page, 'names in a text');
  await classify.names.getByText('Settings').click();
  await expectAccessible(page, 'the settings of names');
});

test('a classifier that has learned from texts', async ({ page, site }) => {
  const classify = new ClassifyPage(page, site);
  await classify.openTask('labels');
  await expectAccessible(page, 'nothing is learned');
  await classify.learn.getByRole('button', { name: 'Learn a sample' }).click();
  await expect(classify.learn.getByRole('listitem')).toHaveCount(3);
  await unfold(classify.learn, 'How good it is for each label');
  await showPrograms(page, '#learn-share');
  await expectAccessible(page, 'labels that were learned');
});

test('a failure with its details', async ({ page, classify }) => {
  await classify.choose({ name: 'bad.bin', buffer: Buffer.from('nonsense') });
  const failure = new FailureMessage(page);
  await failure.details.getByText('Details').click();
  await expectAccessible(page, 'a network was refused');
});
