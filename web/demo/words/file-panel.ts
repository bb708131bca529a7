// What vectors are in use, what their file says of itself, and the ways to others.

import { byId, fillFacts } from '../shared/dom.ts';
import { mountWaysIn } from '../shared/file-source.ts';
import { formatBytes, formatCount } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import { showPairs } from '../shared/value-view.ts';
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
  const name = byId('file-name', HTMLElement);
  const line = byId('file-line', HTMLElement);
  const about = byId('about', HTMLElement);
  const facts = byId('about-facts', HTMLDListElement);
  const builtIn = byId('built-in', HTMLButtonElement);

  mountWaysIn(session);
  store.watch(['loaded', 'job'], ({ loaded, job }) => {
    name.textContent = loaded?.name ?? (job === null ? 'None' : 'Loading…');
    builtIn.hidden = loaded === null ? job !== null : loaded.builtIn;
  });
  store.watch(['loaded'], ({ loaded }) => {
    line.textContent = loaded === null ? '' : lineOf(loaded);
    about.hidden = loaded === null;
    fillFacts(facts, loaded === null ? [] : factsOf(loaded));
    showPairs('config', loaded?.model.info.config ?? null);
    showPairs('metadata', loaded?.model.info.metadata ?? null);
  });
}
