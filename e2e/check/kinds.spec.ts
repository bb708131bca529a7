// What models run as, said of their folder and of the converted file: kinds whose heads, templates or modules tell.
import { convert } from 'ambry';
import { spladeDirectory } from '../../tests/web/support/directories/sparse-directories.ts';
import { taggerDirectory } from '../../tests/web/support/directories/tagger-directories.ts';
import {
  maskDirectory,
  questionDirectory,
} from '../../tests/web/support/directories/token-head-directories.ts';
import {
  languageModelDirectory,
  logitScoreFiles,
} from '../../tests/web/support/models/reranker-models.ts';
import { expect } from '../fixtures.ts';
import { test } from '../pages/check-page.ts';

interface Kind {
  readonly files: () => Map<string, Uint8Array<ArrayBuffer>>;
  readonly options?: Parameters<typeof convert>[1];
  readonly says: RegExp;
}

const kinds: Readonly<Record<string, Kind>> = {
  'a token classifier': { files: taggerDirectory, says: /^Runs as a token classifier/ },
  'a model that answers questions': {
    files: questionDirectory,
    says: /^Runs as a model that answers questions from a text/,
  },
  'a model that fills in words': {
    files: maskDirectory,
    options: { head: 'fillMask' },
    says: /^Runs as a sentence encoder.*With kind: 'fillMask' it opens as a model that fills in missing words\./,
  },
  'a sparse encoder': { files: spladeDirectory, says: /^Runs as a sparse encoder/ },
  'a language model that ranks': {
    files: () => languageModelDirectory({ files: logitScoreFiles }),
    options: { to: 'amb' },
    says: /^Runs as a reranker/,
  },
};

for (const [name, { files, options, says }] of Object.entries(kinds)) {
  test(`${name}: the folder and the converted file`, async ({ check }) => {
    await check.drop(
      ...[...files()].map(([path, bytes]) => ({ name: path, buffer: Buffer.from(bytes) })),
    );
    await expect(check.run.locator('#run-parts')).toHaveText(says);
    const file = await convert(files(), options);
    const buffer = Buffer.from(await file.arrayBuffer());
    await check.choose({ name: `converted.${options?.to ?? 'weights'}`, buffer });
    await expect(check.verdict).toContainText('Valid');
    await expect(check.run.locator('#run-parts')).toHaveText(says);
    await expect(check.run).not.toContainText('after conversion');
  });
}

test('an encoder without a head fills in no words', async ({ check, tiny }) => {
  await check.choose({ name: 'tiny.weights', buffer: tiny });
  await expect(check.run).toContainText('Runs as a sentence encoder');
  await expect(check.run).not.toContainText('fillMask');
});

test('the sample of a token classifier runs as one', async ({ check }) => {
  await check.page.getByRole('button', { name: 'A model that finds names' }).click();
  await expect(check.verdict).toContainText('Valid EMBD');
  await expect(check.run).toContainText('Runs as a token classifier, in about');
});
