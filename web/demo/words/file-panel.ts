// The panel with the vectors in use, their metadata, and the controls to open others.

import { formatBytes, formatCount } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { mountLoadedPanel } from '../shared/jobs/loaded-panel.ts';
import type { WordsSession } from './session/session.ts';
import type { LoadedWords, WordsState } from './session/state.ts';

function summaryOf({ model, builtIn, isPart, cut }: LoadedWords): string {
  if (isPart) {
    return `The ${formatCount(model.size)} most frequent words. The others are on their way.`;
  }
  const shape = `${formatCount(model.size)} words, ${formatCount(model.dim)} dimensions`;
  const summary = `${shape}, ${formatBytes(model.info.bytes)}${builtIn ? ', built in' : ''}`;
  return cut === '' ? summary : `${summary}. ${cut}`;
}

function factsOf({ model }: LoadedWords): (readonly [string, string])[] {
  const { info } = model;
  const { words } = info;
  return [
    ['Format', `${info.format} ${info.version}`],
    ['Words', formatCount(words.size)],
    ['N-gram rows', formatCount(words.rows - words.size)],
    ['Dimensions', formatCount(words.dim)],
    ['Storage', words.storage === 'quantized' ? 'product quantized' : 'float32'],
    ['Norms', words.hasNorms ? 'stored' : 'not stored'],
    ['File', `${formatBytes(info.bytes)} (${formatCount(info.bytes)} bytes)`],
    ['In memory', formatBytes(model.weightBytes)],
  ];
}

export function mountFilePanel(store: Store<WordsState>, session: WordsSession): void {
  mountLoadedPanel(store, session, 'file', { summary: summaryOf, facts: factsOf });
}
