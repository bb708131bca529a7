// Published tokenizers of language models give the ids of Hugging Face's library: alone, in the opened directory, in the AMB file
// made of it, and in the GGUF file made of that, or the conversion to GGUF names what it cannot store.

import type { FileTokenizer } from 'ambry';
import { expect, test } from 'vitest';
import { ambry } from '../support/package.ts';
import { fuzzSize } from './support/fuzz-size.ts';
import { published, readPublished } from './support/published-tokenizers.ts';

/** What GGUF has no key for. */
const refused: Readonly<Record<string, string>> = { claude: 'tokenizer.normalizer' };

test.each(published)('%s gives the ids of Hugging Face in every container', async (name) => {
  const { files, directory, texts, idsOf } = readPublished(name, fuzzSize(1000));
  const wanted = await idsOf(texts);
  const compareIds = async (tokenizer: Pick<FileTokenizer, 'tokenize'>) => {
    for (const [i, text] of texts.entries()) {
      expect([...(await tokenizer.tokenize(text)).ids], JSON.stringify(text)).toEqual(wanted[i]);
    }
  };
  const compare = async (source: typeof directory | Blob) => {
    await using model = await ambry.open(source, { kind: 'generator' });
    await compareIds(model);
  };
  await using alone = await ambry.openTokenizer(files);
  await compareIds(alone);
  await compare(directory);
  const amb = await ambry.convert(directory, { to: 'amb' });
  const path = refused[name];
  if (path !== undefined) {
    await expect(ambry.convert(amb, { to: 'gguf' })).rejects.toMatchObject({ path });
    return;
  }
  const gguf = await ambry.convert(amb, { to: 'gguf' });
  await compare(gguf);
  await compare(await ambry.convert(gguf, { to: 'amb' }));
}, 300_000);
