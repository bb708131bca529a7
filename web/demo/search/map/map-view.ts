// The map of all passages. It is made when it is opened, and again when the passages change while it is open. The answers
// light up on it. The page loads this module when the map is first opened.

import type { Doc } from 'ambry';
import { button, element } from '../../shared/dom.ts';
import { formatAmount, formatCount } from '../../shared/format.ts';
import { groupList } from '../../shared/point-map/group-list.ts';
import { PointMap } from '../../shared/point-map/point-map.ts';
import type { Store } from '../../shared/store.ts';
import { sourceOf } from '../results/result-item.ts';
import type { SearchState } from '../state.ts';
import { mapPassages, type PassageMap, placeOf, pointsOf } from './passage-map.ts';

/** While documents are indexed, the map is not made for each batch. */
const pauseMs = 800;

interface MapHost {
  readonly store: Store<SearchState>;
  readonly fold: HTMLDetailsElement;
  readonly body: HTMLElement;
  readonly ask: (query: string) => void;
}

export function mountMapView({ store, fold, body, ask }: MapHost): void {
  const line = element('p', 'note map-line');
  line.setAttribute('aria-live', 'polite');
  const progress = element('progress', 'map-progress');
  progress.setAttribute('aria-label', 'Making the map');
  progress.hidden = true;
  const picked = element('div', 'map-passage');
  picked.hidden = true;
  const view = element('div', 'map-view');
  body.append(view);
  const map = new PointMap(view, {
    label: 'Map of all passages',
    fileName: 'map-of-passages',
    pick: (point) => showPassage(shown?.docs[point]),
  });
  const groups = groupList((points) => map.goTo(points));
  body.append(progress, line, groups.element, picked);
  groups.element.hidden = true;

  let shown: PassageMap | null = null;
  let isStale = true;
  let making: AbortController | null = null;
  let placing = new AbortController();
  let timer = 0;

  const showPassage = (doc: Doc | undefined): void => {
    picked.hidden = doc === undefined;
    if (doc !== undefined) {
      const source = sourceOf(doc);
      picked.replaceChildren(
        element('p', 'result-source', source),
        element('p', 'result-text', doc.text),
        button('Find passages like this', 'quiet', () => ask(doc.text.slice(0, 2000))),
      );
    }
  };

  const light = async (): Promise<void> => {
    placing.abort();
    placing = new AbortController();
    const { signal } = placing;
    const { answer, loaded } = store.state;
    if (shown === null || answer === null || loaded === null || !fold.open) {
      map.light([], null);
      return;
    }
    const hits = pointsOf(shown, answer.hits);
    try {
      const place = await placeOf(shown, loaded.model, answer.query, hits, signal);
      if (!signal.aborted) {
        map.light(hits, place);
      }
    } catch {
      // The search itself reports what is wrong with the model. The hits still light up.
      if (!signal.aborted) {
        map.light(hits, null);
      }
    }
  };

  const summaryOf = ({ docs, all }: PassageMap): string =>
    docs.length < all
      ? `${formatCount(docs.length)} of ${formatAmount(all, 'passage')}. Near points have a similar meaning.`
      : `${formatAmount(all, 'passage')}. Near points have a similar meaning.`;

  const make = async (): Promise<void> => {
    const { index } = store.state;
    if (!fold.open || !isStale || index === null) {
      return;
    }
    isStale = false;
    making?.abort();
    making = new AbortController();
    const { signal } = making;
    line.textContent = 'Making the map…';
    progress.value = 0;
    progress.hidden = false;
    try {
      const made = await mapPassages(index, {
        signal,
        report: (part) => {
          if (!signal.aborted) {
            progress.value = part;
          }
        },
      });
      if (signal.aborted) {
        return;
      }
      progress.hidden = true;
      shown = made;
      map.show(made?.data ?? null, { keep: true });
      groups.show(made?.data ?? null);
      groups.element.hidden = made === null;
      line.textContent = made === null ? 'There are no passages yet.' : summaryOf(made);
      await light();
    } catch (error) {
      if (!signal.aborted) {
        progress.hidden = true;
        line.textContent = 'The map could not be made. Close and open it to try again.';
        isStale = true;
        store.update({ failure: { title: 'The map could not be made', error } });
      }
    }
  };

  const makeSoon = (pause: number): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void make(), pause);
  };

  fold.addEventListener('toggle', () => makeSoon(0));
  store.watch(['index', 'sources'], () => {
    isStale = true;
    makeSoon(shown === null ? 0 : pauseMs);
  });
  store.watch(['index'], () => showPassage(undefined));
  store.watch(['answer'], () => void light());
}
