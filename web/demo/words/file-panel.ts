// What vectors are in use, what their file says of itself, and the ways to others.

import { formatBytes, formatCount } from '../shared/format.ts';
import { mountLoadedPanel } from '../shared/loaded-panel.ts';
import type { Store } from '../shared/store.ts';
import type { WordsSession } from './session.ts';
import type { LoadedWords, WordsState } from './state.ts';

function lineOf({ model, words, builtIn }: LoadedWords): string {
  const shape = `${formatCount(words.size)} words of ${formatCount(words.dim)} numbers`;
  return `${shape}, ${formatBytes(model.info.bytes)}${builtIn ? ', built in' : ''}`;
}

function factsOf({ model, words }: LoadedWords): (readonly [string, string])[] {
  const { info } = model;
  return [
    ['Format', `${info.format} ${info.version}`],
    ['Words', formatCount(words.size)],
    ['Rows for n-grams', formatCount(words.rows - words.size)],
    ['Dimensions', formatCount(words.dim)],
    ['Storage', words.storage === 'quantized' ? 'product quantized' : 'float32'],
    ['Lengths of words', words.hasNorms ? 'kept' : 'not kept'],
    ['File', `${formatBytes(info.bytes)} (${formatCount(info.bytes)} bytes)`],
    ['In memory', formatBytes(model.weightBytes)],
  ];
}

export function mountFilePanel(store: Store<WordsState>, session: WordsSession): void {
  mountLoadedPanel(store, session, 'file', { line: lineOf, facts: factsOf });
}
