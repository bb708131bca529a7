// The map of all passages. It is made when it is opened, and again when the passages change while it is open. The answers
// light up on it. The page loads this module when the map is first opened.

import type { Doc, SearchIndex } from 'ambry';
import { formatAmount, formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { button, element } from '../../shared/dom/dom.ts';
import { MapPanel } from '../../shared/point-map/map-panel.ts';
import { sourceOf } from '../results/result-item.ts';
import type { SearchState } from '../state/state.ts';
import { mapPassages, type PassageMap, placeOf, pointsOf } from './passage-map.ts';

/** While documents are indexed, the map is not made for each batch. */
const pauseMs = 800;
/** The field of the question takes no more. */
const mostCharacters = 2000;

interface MapHost {
  readonly store: Store<SearchState>;
  readonly fold: HTMLDetailsElement;
  readonly body: HTMLElement;
  readonly ask: (query: string) => void;
}

function lineOf({ docs, all }: PassageMap): string {
  const some = docs.length < all ? `${formatCount(docs.length)} of ` : '';
  return `${some}${formatAmount(all, 'passage')}. Near points have a similar meaning.`;
}

function mountPassage(body: HTMLElement, ask: (query: string) => void) {
  const view = element('div', 'map-passage');
  view.hidden = true;
  body.append(view);
  return (doc: Doc | undefined): void => {
    view.hidden = doc === undefined;
    if (doc !== undefined) {
      view.replaceChildren(
        element('p', 'result-source', sourceOf(doc)),
        element('p', 'result-text', doc.text),
        button('Find passages like this', 'quiet', () => ask(doc.text.slice(0, mostCharacters))),
      );
    }
  };
}

export function mountMapView({ store, fold, body, ask }: MapHost): void {
  let shown: PassageMap | null = null;
  let isStale = true;
  /** The index whose map is being made. */
  let making: SearchIndex | null = null;
  let placing = new AbortController();
  let timer = 0;
  const panel = new MapPanel(body, {
    label: 'Map of all passages',
    fileName: 'map-of-passages',
    pick: (point) => showPassage(shown?.docs[point]),
  });
  const showPassage = mountPassage(body, ask);

  const light = async (): Promise<void> => {
    placing.abort();
    placing = new AbortController();
    const { signal } = placing;
    const { answer, loaded } = store.state;
    if (shown === null || answer === null || loaded === null || !fold.open) {
      panel.map.light([], null);
      return;
    }
    const hits = pointsOf(shown, answer.hits);
    // The search itself reports what is wrong with the model. The hits still light up.
    const place = await placeOf(
      shown,
      loaded.model,
      answer.meant ?? answer.query,
      hits,
      signal,
    ).catch(() => null);
    if (!signal.aborted) {
      panel.map.light(hits, place);
    }
  };

  const make = async (): Promise<void> => {
    const { index } = store.state;
    // While passages are added, each map is finished before the next one begins.
    if (!fold.open || !isStale || index === null || making === index) {
      return;
    }
    isStale = false;
    making = index;
    let made: PassageMap | null = null;
    try {
      const isLast = await panel.show(async (options) => {
        made = await mapPassages(index, shown, options);
        return made === null ? null : { ...made, line: lineOf(made) };
      }, 'There are no passages yet.');
      if (isLast) {
        shown = made;
        await light();
      }
    } catch (error) {
      isStale = true;
      // If the index was replaced meanwhile, its own change makes the map again.
      if (store.state.index === index) {
        store.update({ failure: { title: 'The map could not be made', error } });
      }
      return;
    } finally {
      making = making === index ? null : making;
    }
    if (isStale && store.state.index === index) {
      makeSoon(pauseMs);
    }
  };

  const makeSoon = (pause: number): void => {
    // Batches that come one after another do not put the map off.
    if (timer !== 0 && pause > 0) {
      return;
    }
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      timer = 0;
      void make();
    }, pause);
  };

  fold.addEventListener('toggle', () => {
    makeSoon(0);
    void light();
  });
  store.watch(['index', 'sources'], () => {
    isStale = true;
    makeSoon(shown === null ? 0 : pauseMs);
  });
  store.watch(['index'], () => showPassage(undefined));
  store.watch(['answer'], () => void light());
}
