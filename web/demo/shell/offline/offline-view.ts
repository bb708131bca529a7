// The line in the footer that says whether the page works offline.

import { formatBytes } from '../../shared/base/format.ts';
import { byId } from '../../shared/dom/dom.ts';
import { keptSite } from '../../shared/site/kept-site.ts';

type OfflineState =
  /** Nothing is to say. */
  | { readonly kind: 'none' }
  | { readonly kind: 'keeping'; readonly kept: number; readonly total: number }
  /** `everything` is the size of all that is kept of the site. */
  | { readonly kind: 'works'; readonly everything: number }
  /** The user must ask for it. */
  | { readonly kind: 'may-keep'; readonly left: number };

interface OfflineActions {
  keep(): void;
  delete(): void;
  reload(): void;
}

export interface OfflineView {
  show(state: OfflineState): void;
  /** Says that a new version is here. */
  showUpdate(text: string): void;
}

export function mountOfflineView(actions: OfflineActions): OfflineView {
  const region = byId('offline', HTMLElement);
  const line = byId('offline-line', HTMLElement);
  const bar = byId('offline-progress', HTMLProgressElement);
  const size = byId('offline-size', HTMLElement);
  const keep = byId('offline-keep', HTMLButtonElement);
  const remove = byId('offline-delete', HTMLButtonElement);
  const update = byId('update', HTMLElement);

  keep.addEventListener('click', actions.keep);
  remove.addEventListener('click', actions.delete);
  byId('update-reload', HTMLButtonElement).addEventListener('click', actions.reload);
  return {
    show(state) {
      keptSite.update({ bytes: state.kind === 'works' ? state.everything : null });
      region.hidden = state.kind === 'none';
      bar.hidden = state.kind !== 'keeping';
      keep.hidden = state.kind !== 'may-keep';
      remove.hidden = state.kind !== 'works';
      // Only this line is read out, so it has no numbers that change.
      line.textContent = {
        none: '',
        keeping: 'Getting ready to work offline…',
        works: 'Works offline.',
        'may-keep': '',
      }[state.kind];
      size.textContent =
        state.kind === 'works' ? `${formatBytes(state.everything)} are kept in this browser.` : '';
      if (state.kind === 'keeping') {
        bar.max = state.total;
        bar.value = state.kept;
      } else if (state.kind === 'may-keep') {
        keep.textContent = `Keep this page for offline use (${formatBytes(state.left)})`;
      }
    },
    showUpdate(text) {
      byId('update-line', HTMLElement).textContent = text;
      update.hidden = false;
    },
  };
}
