// The trained model stories260K as GGUF writes its stories.
import { expect, test } from 'vitest';
import { cosine } from '../../../web/src/model/cosine.ts';
import { describeWithData } from '../support/data.ts';
import { knownStories, storiesFile } from '../support/models/stories.ts';
import { openGenerator } from '../support/open-kinds.ts';
import { ambry } from '../support/package.ts';

const ggufOf = (amb: Blob) => ambry.convert(amb, { to: 'gguf' });

describeWithData('the stories model as GGUF', ['stories260k'], () => {
  test('writes the stories that its reference program writes', async () => {
    await using model = await openGenerator(
      await ggufOf(await ambry.convert(storiesFile(), { to: 'amb' })),
    );
    for (const known of knownStories()) {
      const maxTokens = known.generated_tokens.length;
      const run = model.generate(known.prompt, { temperature: 0, maxTokens });
      const { promptIds, ids } = await run.result;
      expect(promptIds).toEqual(known.prompt_tokens);
      expect(ids).toEqual(known.generated_tokens);
    }
  });

  test.each([
    'int8',
    'int4_block',
    'int5_block',
  ] as const)('runs %s as its AMB file does', async (type) => {
    const amb = await ambry.convert(storiesFile(), { to: 'amb' });
    const quantized = (await ambry.quantize(amb, { type })).blob as Blob;
    await using model = await openGenerator(quantized);
    await using same = await openGenerator(await ggufOf(quantized));
    for (const { prompt } of knownStories()) {
      const ids = await model.logits(prompt);
      expect(cosine(await same.logits(prompt), ids)).toBeGreaterThan(0.9999);
    }
  });
});
