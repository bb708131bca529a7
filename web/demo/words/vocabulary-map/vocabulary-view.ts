// The map of the whole vocabulary. It is made when it is opened. The word that was looked up and its nearest words light
// up on it. The page loads this module when the map is first opened.

import { formatAmount, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import type { Point } from '../../shared/point-map/camera.ts';
import { MapPanel } from '../../shared/point-map/map-panel.ts';
import type { LoadedWords, WordsState } from '../session/state.ts';
import { mapVocabulary, type VocabularyMap } from './vocabulary-map.ts';

interface VocabularyHost {
  readonly store: Store<WordsState>;
  readonly fold: HTMLDetailsElement;
  readonly body: HTMLElement;
  readonly lookUp: (word: string) => void;
}

function lineOf({ words }: VocabularyMap, all: number): string {
  const some = words.length < all ? `The first ${formatCount(words.length)} of ` : '';
  return `${some}${formatAmount(all, 'word')}. Near words are used alike.`;
}

/** Where a word is: at its point, or among the words nearest to its vector. */
async function placeOf(
  { points, data, place }: VocabularyMap,
  { model }: LoadedWords,
  word: string,
): Promise<Point | null> {
  const point = points.get(word);
  if (point !== undefined) {
    return { x: data.positions[2 * point] ?? 0, y: data.positions[2 * point + 1] ?? 0 };
  }
  const { vectors, found } = await model.vectors([word]);
  return found[0] === 'none' ? null : place(vectors);
}

export function mountVocabularyView({ store, fold, body, lookUp }: VocabularyHost): void {
  let shown: VocabularyMap | null = null;
  let mapped: LoadedWords | null = null;
  const panel = new MapPanel(body, {
    label: 'Map of all words',
    fileName: 'map-of-words',
    pick: (point) => {
      const word = shown?.words[point];
      if (word !== undefined) {
        lookUp(word);
      }
    },
  });

  const light = async (): Promise<void> => {
    const { lookup, loaded } = store.state;
    const map = shown;
    if (map === null || lookup === null || loaded === null || loaded !== mapped) {
      panel.map.light([], null);
      return;
    }
    const { word: asked } = lookup.explanation;
    const lit = [asked, ...lookup.hits.map(({ word }) => word)];
    const hits = lit.flatMap((word) => map.points.get(word) ?? []);
    const place = await placeOf(map, loaded, asked).catch(() => null);
    if (store.state.lookup === lookup && shown === map) {
      panel.map.light(hits, place);
    }
  };

  const make = async (): Promise<void> => {
    const { loaded } = store.state;
    if (!fold.open || loaded === null || loaded === mapped) {
      return;
    }
    mapped = loaded;
    shown = null;
    panel.map.light([], null);
    let made: VocabularyMap | null = null;
    try {
      const isLast = await panel.show(async (options) => {
        made = await mapVocabulary(loaded, options);
        return made === null ? null : { data: made.data, line: lineOf(made, loaded.model.size) };
      }, 'This file has no list of words.');
      if (isLast) {
        shown = made;
        await light();
      }
    } catch (error) {
      if (store.state.loaded === loaded) {
        mapped = null;
        store.update({ failure: { title: 'The map could not be made', error } });
      }
    }
  };

  fold.addEventListener('toggle', () => void make());
  store.watch(['loaded'], () => void make());
  store.watch(['lookup'], () => void light());
}
