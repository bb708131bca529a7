// Hands files that the user has given to one page over to another page of the site. The address of the other page has a mark,
// `#handed=ID`, which is taken once. The service worker holds the files meanwhile, without a copy. Where there is none, they are
// copied into a database.

import { ask, controller } from './ask-worker.ts';
import type { GivenFiles } from './given-files.ts';
import { HandedDatabase } from './handed-database.ts';
import { siteRoot } from './site-root.ts';

/** In the place of an id: the files could not be kept. */
const nothing = 'none';
const mark = /^#handed=([0-9a-f]{32}|none)$/;

/** The message is for the user. */
export class HandOverError extends Error {
  override readonly name = 'HandOverError';

  constructor() {
    super('The files did not come along to this page. Choose them again here.');
  }
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A service worker that does not run yet needs a moment to start. */
const answerMs = 5000;

async function isHeld(id: string, given: GivenFiles): Promise<boolean> {
  const worker = controller();
  const question = { kind: 'hold', id, given } as const;
  return worker !== null && (await ask<boolean>(worker, question, answerMs).catch(() => false));
}

/** The id under which the files are kept. */
async function keep(given: GivenFiles): Promise<string> {
  const id = newId();
  try {
    if (!(await isHeld(id, given))) {
      await new HandedDatabase().put(id, given);
    }
    return id;
  } catch {
    return nothing;
  }
}

async function take(id: string): Promise<GivenFiles | null> {
  const worker = controller();
  const held =
    worker &&
    (await ask<GivenFiles | null>(worker, { kind: 'take', id }, answerMs).catch(() => null));
  return held ?? (await new HandedDatabase().take(id).catch(() => null));
}

/** Keeps the files for another page, and goes there. `page` is its path below the site's root, as in `check/index.html`, or
 *  with a query. Where the browser cannot keep the files, that page says that they must be chosen again. */
export async function handOver(given: GivenFiles, page: string): Promise<void> {
  const target = new URL(page, siteRoot());
  if (target.origin !== location.origin) {
    throw new Error(`${page} is no page of this site.`);
  }
  target.hash = `handed=${await keep(given)}`;
  location.assign(target);
}

/** The files that another page has handed over to this one; null if there are none. Call it at the start of the page. Rejects
 *  with a `HandOverError` if files were handed over that are not there. */
export async function takeHandedOver(): Promise<GivenFiles | null> {
  const id = mark.exec(location.hash)?.[1];
  if (id === undefined) {
    return null;
  }
  // A reload, a bookmark and a copied link must not ask for them again.
  history.replaceState(history.state, '', location.pathname + location.search);
  const given = id === nothing ? null : await take(id);
  if (given === null) {
    throw new HandOverError();
  }
  return given;
}
