// The service worker of the site. It keeps the files of the pages that were opened, so that these pages work without a
// connection. It answers for files of the site only.

import { moreIsUsed, type PageUse, type Question } from '../shared/site/worker-messages.ts';
import { HeldFiles } from './held-files.ts';
import { KeptFiles } from './kept-files.ts';
import { KeptSite, type Visit } from './kept-site.ts';
import { NoteBook } from './notes.ts';
import { hasRelaxedSimd } from './relaxed-simd.ts';
import { Requests } from './requests.ts';
import type { Flavour, SiteFile, SiteFiles } from './site-files.ts';
import { UsedFiles } from './used-files.ts';
import { VisitedDocs } from './visited-docs.ts';

declare const self: ServiceWorkerGlobalScope;
/** The build writes it here. */
declare const __SITE_FILES__: SiteFiles;

const site = __SITE_FILES__;
const root = new URL(self.registration.scope);
/** Several sites may lie in folders of one origin. */
const cacheName = (part: string): string => `ambry-${part} ${root.pathname}`;
const files = new KeptFiles(root, cacheName('files'));
const docs = new VisitedDocs(cacheName('docs'));
const notes = new NoteBook(root, cacheName('notes'));
const used = new UsedFiles(root, site, notes);
const kept = new KeptSite({ site, files, used, docs, notes });
const requests = new Requests({ root, site, kept, files, docs, seen: noteSoon });
const held = new HeldFiles();

/** Pages fetch several files in this time, which are noted together. */
const soonMs = 300;
const seen = new Set<SiteFile>();
let noting: Promise<void> | undefined;

/** Notes a file that a page has fetched, and tells the pages, which ask to keep it when their work is done. */
function noteSoon(file: SiteFile): Promise<void> {
  seen.add(file);
  noting ??= new Promise((resolve) => setTimeout(resolve, soonMs)).then(async () => {
    noting = undefined;
    const all = [...seen];
    seen.clear();
    await kept.noteSeen(all);
    for (const client of await self.clients.matchAll({ type: 'window' })) {
      client.postMessage(moreIsUsed);
    }
  });
  return noting;
}

const flavourFor = (baseline: boolean): Flavour =>
  !baseline && hasRelaxedSimd() ? 'relaxed' : 'baseline';

async function openTabs(): Promise<string[]> {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return tabs.map(({ id }) => id);
}

function isMetered(): boolean {
  const { connection } = self.navigator as { connection?: { readonly saveData?: boolean } };
  return connection?.saveData ?? false;
}

/** Another site may be served at this address by now, as on a port of this machine. Then this service worker ends. */
async function endIfReplaced(): Promise<void> {
  const own = await fetch(self.location.href, { method: 'HEAD', cache: 'no-store' }).catch(
    () => null,
  );
  if (own !== null && [404, 410].includes(own.status)) {
    await self.registration.unregister();
    await kept.deleteAll();
  }
}

self.addEventListener('install', (event) => {
  event.waitUntil(kept.update(isMetered()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      await kept.rememberTabs(await openTabs());
      await kept.tidy(await openTabs());
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const answer = requests.answerTo(event.request);
  if (answer !== undefined) {
    event.respondWith(answer((work) => event.waitUntil(work)));
    if (event.request.mode === 'navigate') {
      event.waitUntil(endIfReplaced());
    }
  }
});

const visitOf = ({ page, baseline, used: addresses }: PageUse): Visit => ({
  page,
  runs: flavourFor(baseline),
  used: addresses,
});

async function answerTo(question: Question, event: ExtendableMessageEvent): Promise<unknown> {
  switch (question.kind) {
    case 'state':
      await kept.tidy(await openTabs());
      return kept.state(visitOf(question));
    case 'keep':
      await kept.tidy(await openTabs());
      return kept.keep(visitOf(question), question.all);
    case 'stop':
      return kept.stop();
    case 'delete':
      return kept.deleteAll();
    case 'take-over':
      return self.skipWaiting();
    case 'hold':
      event.waitUntil(held.hold(question.id, question.given));
      return true;
    case 'take':
      return held.take(question.id);
  }
}

self.addEventListener('message', (event) => {
  const [port] = event.ports;
  event.waitUntil(
    answerTo(event.data as Question, event).then(
      (value) => port?.postMessage({ value }),
      (error: unknown) => port?.postMessage({ error: String(error) }),
    ),
  );
});
