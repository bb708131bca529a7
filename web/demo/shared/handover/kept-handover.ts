// Keeps files on their way from one page to another. The service worker holds them, without a copy. Where there is none, they are
// copied into a database.

import type { GivenFiles } from '../files/given-files.ts';
import { ask, controller } from '../site/ask-worker.ts';
import { siteRoot } from '../site/site-root.ts';
import { HandedDatabase } from './handed-database.ts';

/** In the place of an id: the files could not be kept. */
const nothing = 'none';

/** The message is for the user. */
class HandOverError extends Error {
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

/** Copying the largest files that the database takes is over by then. A browser that never answers must not keep the user here. */
const databaseMs = 20_000;

/** Rejects when it takes too long. */
function inTime(work: Promise<void>, milliseconds: number): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('The database does not answer.')), milliseconds);
  });
  return Promise.race([work, late]);
}

/** The id under which the files are kept. */
async function keep(given: GivenFiles): Promise<string> {
  const id = newId();
  try {
    if (!(await isHeld(id, given))) {
      await inTime(new HandedDatabase().put(id, given), databaseMs);
    }
    return id;
  } catch {
    return nothing;
  }
}

export async function goWith(given: GivenFiles, page: string): Promise<void> {
  const target = new URL(page, siteRoot());
  if (target.origin !== location.origin) {
    throw new Error(`${page} is no page of this site.`);
  }
  target.hash = `handed=${await keep(given)}`;
  location.assign(target);
}

async function found(id: string): Promise<GivenFiles | null> {
  const worker = controller();
  const question = { kind: 'take', id } as const;
  const held =
    worker && (await ask<GivenFiles | null>(worker, question, answerMs).catch(() => null));
  return held ?? (await new HandedDatabase().take(id).catch(() => null));
}

/** The files under an id. Rejects with a `HandOverError` if they are not there. */
export async function taken(id: string): Promise<GivenFiles> {
  const given = id === nothing ? null : await found(id);
  if (given === null) {
    throw new HandOverError();
  }
  return given;
}
