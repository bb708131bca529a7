// Starts the service worker, has what was used of the page kept, and says so. The page loads this when its own work is done.

import { ask } from '../../shared/site/ask-worker.ts';
import { runtimeFor } from '../../shared/site/runtime.ts';
import { siteRoot } from '../../shared/site/site-root.ts';
import { usedFiles } from '../../shared/site/used-files.ts';
import {
  isComplete,
  type KeptState,
  moreIsUsed,
  type PageUse,
  type Question,
} from '../../shared/site/worker-messages.ts';
import { mayKeep, setKeeping } from './consent.ts';
import { mountOfflineView, type OfflineView } from './offline-view.ts';
import { pagePath } from './page-path.ts';
import { pageIsQuiet } from './quiet.ts';
import { type Updates, watchUpdates } from './updates.ts';

/** Asking again goes on with a file that takes longer. */
const answerMs = 60_000;

/** What this page has used, as far as it knows. */
function pageUse(): PageUse {
  const fetched = performance.getEntriesByType('resource').map(({ name }) => name);
  const noted = usedFiles.state.paths.map((path) => new URL(path, siteRoot()).href);
  return {
    page: pagePath(),
    baseline: runtimeFor(location.search).deterministic ?? false,
    used: [...fetched, ...noted],
  };
}

class OfflinePage {
  readonly #worker: ServiceWorker;
  readonly #view: OfflineView;
  #isKeeping = false;
  #isStopped = false;
  #isWaiting = false;

  constructor(worker: ServiceWorker, view: OfflineView) {
    this.#worker = worker;
    this.#view = view;
  }

  /** Shows what is kept, and keeps what was used if that needs no question. */
  async start(): Promise<void> {
    if (this.#isKeeping) {
      return;
    }
    if (mayKeep() && navigator.onLine) {
      await this.keep(false);
    } else {
      this.#show(await this.#state());
    }
  }

  /** Starts again when the page has done the work for which it has used more. */
  async startWhenQuiet(): Promise<void> {
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      await pageIsQuiet();
      this.#isWaiting = false;
      await this.start();
    }
  }

  /** Keeps what was used of this page, or all pages. */
  async keep(all: boolean): Promise<void> {
    if (this.#isKeeping) {
      return;
    }
    this.#isKeeping = true;
    this.#isStopped = false;
    try {
      await this.#keepAll(all);
    } catch {
      this.#view.show({ kind: 'none' });
    }
    this.#isKeeping = false;
  }

  stop(): void {
    this.#isStopped = true;
    void this.#ask({ kind: 'stop' });
  }

  async delete(): Promise<void> {
    setKeeping(false);
    await this.#ask({ kind: 'delete' });
    this.#show(await this.#state());
  }

  async #keepAll(all: boolean): Promise<void> {
    if (all) {
      const { allPages } = await this.#state();
      this.#view.show({ kind: 'keeping', all, ...allPages });
    }
    for (;;) {
      const state = await this.#ask<KeptState>({ kind: 'keep', all, ...pageUse() });
      const part = all ? state.allPages : state.page;
      if (this.#isStopped || isComplete(part) || state.fault !== null) {
        this.#show(state, all && !this.#isStopped);
        return;
      }
      this.#view.show({ kind: 'keeping', all, ...part });
    }
  }

  #state(): Promise<KeptState> {
    return this.#ask({ kind: 'state', ...pageUse() });
  }

  /** A fault is told to who has asked for all pages. Else the page works on, and tries again at the next visit. */
  #show({ page, allPages, everything, fault }: KeptState, isAsked = false): void {
    const told = isAsked ? fault : null;
    if (isComplete(page)) {
      const left = allPages.total - allPages.kept;
      this.#view.show({ kind: 'works', everything, left, fault: told });
    } else if (page.total > 0 && navigator.onLine && fault === null && !mayKeep()) {
      this.#view.show({ kind: 'may-keep', left: page.total - page.kept });
    } else {
      this.#view.show({ kind: 'none' });
    }
  }

  #ask<T>(question: Question): Promise<T> {
    return ask(this.#worker, question, answerMs);
  }
}

export async function startOffline(): Promise<void> {
  const { serviceWorker } = navigator;
  await serviceWorker.register(new URL('sw.js', siteRoot()), { updateViaCache: 'none' });
  const registration = await serviceWorker.ready;
  let updates: Updates | undefined;
  let offline: OfflinePage | undefined;
  const view = mountOfflineView({
    keep: (all) => {
      setKeeping(true);
      void offline?.keep(all);
    },
    stop: () => offline?.stop(),
    delete: () => void offline?.delete(),
    reload: () => updates?.accept(),
  });
  updates = watchUpdates(registration, (text) => view.showUpdate(text));
  if (registration.active !== null) {
    const page = new OfflinePage(registration.active, view);
    offline = page;
    await page.start();
    addEventListener('online', () => void page.start());
    serviceWorker.addEventListener('message', ({ data }) => {
      if (data === moreIsUsed) {
        void page.startWhenQuiet();
      }
    });
    usedFiles.watch(['paths'], ({ paths }) => {
      if (paths.length > 0) {
        void page.startWhenQuiet();
      }
    });
  }
}
