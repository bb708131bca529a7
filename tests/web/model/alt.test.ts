// The built package in Node: ALT. It holds the vocabulary of SentencePiece, which no fixture of ours has.
import { expect, test } from 'vitest';
import { describeWithData } from '../support/data.ts';
import { storiesFile } from '../support/models/stories.ts';
import { ambry } from '../support/package.ts';

describeWithData('ALT', ['stories260k'], () => {
  test('an ALT file opens', async () => {
    const blob = await ambry.convert(storiesFile(), { to: 'alt' });
    await using model = await ambry.open(new Uint8Array(await blob.arrayBuffer()));
    expect(model.kind).toBe('generator');
  });
});
