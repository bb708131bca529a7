// Starts the packaged worker scripts of a page. A bundler may have moved or dropped a script, and a page may load the
// package from another origin.
import { AmbryError, messageOf } from './errors.ts';

/** Calls `new Worker(new URL('./…', import.meta.url), …)`. Bundlers follow only an address that is written there. */
export type Starter = () => Worker;

/** Starts the script. Browsers refuse one of another origin, so a script of this origin imports it. */
export function startWorker(start: Starter): Worker {
  try {
    return start();
  } catch (error) {
    const address = isOfOtherOrigin(error) ? addressOf(start) : undefined;
    if (address === undefined) throw error;
    return importingWorker(address);
  }
}

export const isOfOtherOrigin = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'SecurityError';

function importingWorker(address: string): Worker {
  let script = importing.get(address);
  if (script === undefined) {
    script = addressOfScript(`import ${JSON.stringify(address)};`);
    importing.set(address, script);
  }
  return new Worker(script, { type: 'module' });
}

/** The scripts that import, by what they import. They stay, because a page starts workers again and again. */
const importing = new Map<string, string>();

export function addressOfScript(code: BlobPart): string {
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}

/** The address that a starter passes to `new Worker`; undefined where a bundler left none. Only the call itself tells it,
 *  because bundlers put another address there. */
export function addressOf(start: Starter): string | undefined {
  const { Worker } = globalThis;
  let address: string | undefined;
  class Catcher {
    constructor(url: string | URL) {
      address = new URL(url, globalThis.location?.href).href;
    }
  }
  try {
    globalThis.Worker = Catcher as unknown as typeof Worker;
    start();
  } catch {
    // `import.meta.url` is empty in scripts that are no modules.
  } finally {
    globalThis.Worker = Worker;
  }
  return address;
}

/** Where a script lies that Vite's development server looks for among its prebundled packages, to which it moves code, but
 *  no scripts. The server also serves the package itself. */
export function addressBeforeVite(address: string | undefined): string | undefined {
  const parts = /^(.*\/node_modules\/)\.vite\/[^/]+\/(.*)$/.exec(address ?? '');
  return parts ? `${parts[1]}ambry/dist/${parts[2]}` : undefined;
}

/** What stands at the address of a script that did not start. */
export interface Found {
  /** Whether the script is there, so that only the page's policy can keep it from running. */
  readonly isScript: boolean;
  /** What the server answered, for people. */
  readonly answer: string;
}

export async function lookFor(address: string | undefined): Promise<Found> {
  if (address === undefined) return { isScript: false, answer: 'it has no address' };
  try {
    const response = await fetch(address);
    await response.body?.cancel();
    const type = response.headers.get('content-type') ?? 'no content-type';
    const isScript = response.ok && /\b(java|ecma)script\b/i.test(type);
    return { isScript, answer: `the server answered ${response.status} (${type})` };
  } catch (error) {
    return { isScript: false, answer: messageOf(error) };
  }
}

/** A script that the page's policy refuses. */
export function refusedByPolicy(address: string | undefined): AmbryError {
  const origin = address?.startsWith('http') ? new URL(address).origin : '';
  const isForeign = origin !== '' && origin !== globalThis.location?.origin;
  const sources = isForeign ? `blob: ${origin}` : "'self'";
  const message = `The page may not start the worker ${address}. Add to its Content-Security-Policy: worker-src ${sources}`;
  return new AmbryError('Unsupported', message);
}
