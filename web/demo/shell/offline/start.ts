// Starts the service worker, has the page kept, and says so. The page loads this when its own work is done.

import { ask } from '../../shared/site/ask-worker.ts';
import { runtimeFor } from '../../shared/site/runtime.ts';
import { siteRoot } from '../../shared/site/site-root.ts';
import { isComplete, type KeptState, type Question } from '../../shared/site/worker-messages.ts';
import { mayKeep, setKeeping } from './consent.ts';
import { mountOfflineView, type OfflineView } from './offline-view.ts';
import { pagePath } from './page-path.ts';
import { type Updates, watchUpdates } from './updates.ts';

/** Asking again goes on with a file that takes longer. */
const answerMs = 60_000;

class OfflinePage {
  readonly #worker: ServiceWorker;
  readonly #view: OfflineView;
  readonly #page = {
    page: pagePath(),
    baseline: runtimeFor(location.search).deterministic ?? false,
  };
  #isKeeping = false;

  constructor(worker: ServiceWorker, view: OfflineView) {
    this.#worker = worker;
    this.#view = view;
  }

  /** Shows what is kept, and keeps the rest if that needs no question. */
  async start(): Promise<void> {
    const state = await this.#ask({ kind: 'state', ...this.#page });
    if (isComplete(state)) {
      this.#view.show({ kind: 'works', everything: state.everything });
    } else if (state.total > 0 && navigator.onLine) {
      await (mayKeep() ? this.keep() : this.#offer(state));
    }
  }

  async keep(): Promise<void> {
    if (this.#isKeeping) {
      return;
    }
    this.#isKeeping = true;
    try {
      await this.#keepAll();
    } catch {
      this.#view.show({ kind: 'none' });
    }
    this.#isKeeping = false;
  }

  async delete(): Promise<void> {
    setKeeping(false);
    await this.#ask({ kind: 'delete' });
    this.#offer(await this.#ask({ kind: 'state', ...this.#page }));
  }

  async #keepAll(): Promise<void> {
    for (;;) {
      const state = await this.#ask({ kind: 'keep', ...this.#page });
      const { kept, total, everything, failed } = state;
      if (isComplete(state)) {
        this.#view.show({ kind: 'works', everything });
        return;
      }
      if (failed) {
        this.#view.show({ kind: 'none' });
        return;
      }
      this.#view.show({ kind: 'keeping', kept, total });
    }
  }

  #offer({ kept, total }: KeptState): void {
    this.#view.show({ kind: 'may-keep', left: total - kept });
  }

  #ask(question: Question): Promise<KeptState> {
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
    keep: () => {
      setKeeping(true);
      void offline?.keep();
    },
    delete: () => void offline?.delete(),
    reload: () => updates?.accept(),
  });
  updates = watchUpdates(registration, (text) => view.showUpdate(text));
  if (registration.active !== null) {
    offline = new OfflinePage(registration.active, view);
    await offline.start();
    addEventListener('online', () => void offline?.start());
  }
}
