// Removes passages and saves an index. Browsers fetch this file when they need it.

import { AmbryError } from '../base/errors.ts';
import { mostCharacters } from './base/header-size.ts';
import type { Doc, SaveIndexOptions } from './base/types.ts';
import type { IndexHeader, IndexState } from './index-state.ts';

export function remove(state: IndexState, which: (doc: Doc) => boolean): Promise<number> {
  return state.inTurn(async () => {
    const { docs, channel } = state;
    const marks = Uint8Array.from(docs, (doc) => (which(doc) ? 0 : 1));
    const kept = docs.filter((_, i) => marks[i] === 1);
    if (kept.length < docs.length) {
      await channel.call('retainRows', { marks });
      state.docs = kept;
    }
    return docs.length - kept.length;
  });
}

export function save(state: IndexState, places: SaveIndexOptions): Promise<Blob> {
  return state.inTurn(async () => {
    const { model, sparse, ...rest } = state.header;
    const { docs } = state;
    if (places.sparse !== undefined && !sparse) {
      const message = 'The index was made without the option sparse.';
      throw new AmbryError('Unsupported', message, { path: 'options.sparse' });
    }
    const header: IndexHeader = {
      ...rest,
      ...(await detectedIn(state)),
      ...(await wordsIn(state)),
      model: { ...model, reference: places.model ?? model.reference },
      ...(sparse && { sparse: { ...sparse, reference: places.sparse ?? sparse.reference } }),
      docs,
    };
    return state.channel.call('writeIndex', { header: await deflated(JSON.stringify(header)) });
  });
}

/** So that who loads the file need not detect them again. */
async function detectedIn(state: IndexState): Promise<Pick<IndexHeader, 'detectedLanguages'>> {
  if (state.header.languages || state.docs.length === 0) {
    return {};
  }
  const { knownLanguages } = await import('./known-languages.ts');
  return { detectedLanguages: await knownLanguages(state, state.docs) };
}

/** So that the first search for words need not read all texts. */
async function wordsIn(state: IndexState): Promise<Pick<IndexHeader, 'words'>> {
  if (state.docs.length === 0) {
    return {};
  }
  const { indexWords } = await import('./index-words.ts');
  return { words: await (await indexWords(state)).save() };
}

async function deflated(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (text.length <= mostCharacters(bytes.length)) {
    return bytes;
  }
  const message =
    'The passages repeat themselves so much that the saved index could not be told from a harmful file. Remove repeated ones.';
  throw new AmbryError('LimitExceeded', message, { path: 'docs' });
}
