// The line in the footer that says whether the page works offline.

import { formatBytes } from '../../shared/base/format.ts';
import { byId } from '../../shared/dom/dom.ts';
import { keptSite } from '../../shared/site/kept-site.ts';
import type { KeepingFault } from '../../shared/site/worker-messages.ts';

type OfflineState =
  /** Nothing is to say. */
  | { readonly kind: 'none' }
  /** What was used of this page is fetched, or all pages. */
  | {
      readonly kind: 'keeping';
      readonly all: boolean;
      readonly kept: number;
      readonly total: number;
    }
  /** `everything` is the size of all that is kept of the site, and `left` what all pages would add to it. */
  | {
      readonly kind: 'works';
      readonly everything: number;
      readonly left: number;
      readonly fault: KeepingFault | null;
    }
  /** The user must ask for it. */
  | { readonly kind: 'may-keep'; readonly left: number };

interface OfflineActions {
  keep(all: boolean): void;
  stop(): void;
  delete(): void;
  reload(): void;
}

const faults: Readonly<Record<KeepingFault, string>> = {
  'not-sent': 'Not all pages came. Look at your connection, and try again.',
  'no-room':
    'The browser has no room for all pages. Delete data of other sites, or go on with this page.',
};

/** Only this line is read out, so it has no numbers that change. */
function lineOf(state: OfflineState): string {
  switch (state.kind) {
    case 'keeping':
      return state.all ? 'Keeping all pages…' : 'Getting ready to work offline…';
    case 'works':
      return [
        state.left === 0 ? 'Works offline, with all pages.' : 'Works offline with what you used.',
        state.fault === null ? '' : faults[state.fault],
      ]
        .join(' ')
        .trim();
    default:
      return '';
  }
}

function sizeOf(state: OfflineState): string {
  switch (state.kind) {
    case 'keeping':
      return `${formatBytes(state.kept)} of ${formatBytes(state.total)}`;
    case 'works':
      return `${formatBytes(state.everything)} are kept in this browser.`;
    default:
      return '';
  }
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
  const keepAll = byId('offline-all', HTMLButtonElement);
  const stop = byId('offline-stop', HTMLButtonElement);
  const update = byId('update', HTMLElement);

  keep.addEventListener('click', () => actions.keep(false));
  keepAll.addEventListener('click', () => actions.keep(true));
  stop.addEventListener('click', actions.stop);
  remove.addEventListener('click', actions.delete);
  byId('update-reload', HTMLButtonElement).addEventListener('click', actions.reload);
  return {
    show(state) {
      keptSite.update({ bytes: state.kind === 'works' ? state.everything : null });
      region.hidden = state.kind === 'none';
      bar.hidden = state.kind !== 'keeping';
      keep.hidden = state.kind !== 'may-keep';
      stop.hidden = state.kind !== 'keeping' || !state.all;
      keepAll.hidden = state.kind !== 'works' || state.left === 0;
      remove.hidden = state.kind !== 'works';
      if (line.textContent !== lineOf(state)) {
        line.textContent = lineOf(state);
      }
      size.textContent = sizeOf(state);
      if (state.kind === 'keeping') {
        bar.max = state.total;
        bar.value = state.kept;
      } else if (state.kind === 'may-keep') {
        keep.textContent = `Keep this page for offline use (${formatBytes(state.left)})`;
      } else if (state.kind === 'works') {
        keepAll.textContent = `Keep all pages (${formatBytes(state.left)} more)`;
      }
    },
    showUpdate(text) {
      byId('update-line', HTMLElement).textContent = text;
      update.hidden = false;
    },
  };
}
