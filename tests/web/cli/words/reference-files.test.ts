// The commands for word vectors on files of finalfusion's own tools.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataPath } from '../../../data-folder.mjs';
import { succeed } from '../../support/cli/shared-cli.ts';
import { describeWithData } from '../../support/data.ts';

const referenceFiles = dataPath('finalfusion');

describeWithData('files of the reference tools', ['finalfusion/known_answers.json'], () => {
  const text = readFileSync(join(referenceFiles, 'known_answers.json'), 'utf8');
  const { asserted } = JSON.parse(text) as {
    asserted: Record<'word_similarity' | 'analogy', { query: unknown; order: string[] }[]>;
  };

  test('have the expected neighbours', async () => {
    const berlin = asserted.word_similarity.find(({ query }) => query === 'Berlin');
    const file = join(referenceFiles, 'python/similarity.fifu');
    const { out } = await succeed(['similar', file, 'Berlin', '-k', '40']);
    const found = out.trimEnd().split('\n');
    expect(found.map((line) => line.split('\t')[0])).toEqual(berlin?.order);
  });

  test('have the expected analogy', async () => {
    const { query, order } = asserted.analogy[0] ?? { query: [], order: [] };
    const file = join(referenceFiles, 'python/simple_vocab.fifu');
    const { out } = await succeed(['analogy', file, ...(query as string[]), '-k', '40']);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(order);
  });

  test('in the fastText format have the expected neighbours', async () => {
    const file = join(referenceFiles, 'rust/fasttext.bin');
    const { out } = await succeed(['similar', file, 'über', '-k', '3', '-f', 'fasttext']);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(lines.map(([word]) => word)).toEqual(['auf', 'vor', 'durch']);
    expect(Number(lines[0]?.[1])).toBeCloseTo(0.568513, 5);
  });
});
